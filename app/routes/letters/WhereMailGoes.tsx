import { useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { PostForm } from '../../components/forms/Form';
import { useWords } from '../../components/words';
import { sendWordsForReader, type WithheldMail, withheldWordsForReader } from '../../domain/mail/withheld-mail';
import type { Words } from '../../domain/words/words';

type Props = {
  /** Says to which address the mail about this page goes; null if it goes to none. */
  goesTo: Words | null;
  withheld: WithheldMail | null;
  path: string;
};

/** The address of mails about this page, to notice a mistyped one; or why its mail is withheld, and a button that sends it. */
export function WhereMailGoes({ goesTo, withheld, path }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const send = withheld && sendWordsForReader(withheld);
  const why = withheld && words(withheldWordsForReader(withheld));
  const unmailed = why ? t`${why} Please keep this link.` : t`No mail is sent: keep this link.`;
  return (
    <div className="grid justify-items-center gap-2 text-sm break-words text-muted">
      <p>{goesTo ? words(goesTo) : unmailed}</p>
      {send && (
        <PostForm action={path}>
          <Button quiet name="intent" value="send-mail">
            {words(send)}
          </Button>
        </PostForm>
      )}
    </div>
  );
}
