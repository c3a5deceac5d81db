import { sendWords, type WithheldMail as Withheld, withheldWords } from '../domain/mail/withheld-mail';
import { Notice } from './Card';
import { PostForm, Submit } from './forms/Form';

/**
 * A mail that a limit withholds: why, and a button that sends it.
 * @param isTried the button was just pressed
 */
export function WithheldMail({ withheld, isTried }: { withheld: Withheld; isTried: boolean }) {
  const send = sendWords(withheld);
  return (
    <Notice tone="warn" title={withheldWords(withheld)}>
      {isTried && !withheld.isWaiting && <p>It does not go out now.</p>}
      {send && (
        <PostForm>
          <input type="hidden" name="intent" value="send-mail" />
          <Submit quiet>{send}</Submit>
        </PostForm>
      )}
    </Notice>
  );
}
