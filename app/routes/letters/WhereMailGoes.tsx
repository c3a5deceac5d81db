import { Button } from '../../components/Button';
import { PostForm } from '../../components/forms/Form';
import { type HeldMail, heldWordsForReader, sendWordsForReader } from '../../domain/mail/held-mail';

type Props = {
  /** Says to which address the mail about this page goes; null if it goes to none. */
  words: string | null;
  held: HeldMail | null;
  path: string;
};

/** The address of mails about this page, to notice a mistyped one; or why its mail is held back, and a button that sends it. */
export function WhereMailGoes({ words, held, path }: Props) {
  const send = held && sendWordsForReader(held);
  const unmailed = held ? `${heldWordsForReader(held)} Please keep this link.` : 'No mail is sent: keep this link.';
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
