import { Trans } from '@lingui/react/macro';
import { sendWords, type WithheldMail as Withheld, withheldWords } from '../domain/mail/withheld-mail';
import { Notice } from './Card';
import { PostForm, Submit } from './forms/Form';
import { useWords } from './words';

/**
 * A mail that a limit withholds: why, and a button that sends it.
 * @param isTried the button was just pressed
 */
export function WithheldMail({ withheld, isTried }: { withheld: Withheld; isTried: boolean }) {
  const words = useWords();
  const send = sendWords(withheld);
  return (
    <Notice tone="warn" title={words(withheldWords(withheld))}>
      {isTried && !withheld.isDelayed && (
        <p>
          <Trans>It does not go out now.</Trans>
        </p>
      )}
      {send && (
        <PostForm>
          <input type="hidden" name="intent" value="send-mail" />
          <Submit quiet>{words(send)}</Submit>
        </PostForm>
      )}
    </Notice>
  );
}
