import { Button } from '../../components/Button';
import { PostForm } from '../../components/forms/Form';
import { sendWordsForReader, type WithheldMail, withheldWordsForReader } from '../../domain/mail/withheld-mail';

type Props = {
  /** Says to which address the mail about this page goes; null if it goes to none. */
  words: string | null;
  withheld: WithheldMail | null;
  path: string;
};

/** The address of mails about this page, to notice a mistyped one; or why its mail is withheld, and a button that sends it. */
export function WhereMailGoes({ words, withheld, path }: Props) {
  const send = withheld && sendWordsForReader(withheld);
  const unmailed = withheld
    ? `${withheldWordsForReader(withheld)} Please keep this link.`
    : 'No mail is sent: keep this link.';
  return (
    <div className="grid justify-items-center gap-2 text-sm break-words text-muted">
      <p>{words ?? unmailed}</p>
      {send && (
        <PostForm action={path}>
          <Button quiet name="intent" value="send-mail">
            {send}
          </Button>
        </PostForm>
      )}
    </div>
  );
}
