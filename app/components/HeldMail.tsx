import { type HeldMail as Held, heldWords, sendWords } from '../domain/mail/held-mail';
import { Notice } from './Card';
import { PostForm, Submit } from './forms/Form';

/**
 * A mail that a limit holds back: why, and a button that sends it.
 * @param isTried the button was just pressed
 */
export function HeldMail({ held, isTried }: { held: Held; isTried: boolean }) {
  const send = sendWords(held);
  return (
    <Notice tone="warn" title={heldWords(held)}>
      {isTried && !held.isWaiting && <p>It does not go out now.</p>}
      {send && (
        <PostForm>
          <input type="hidden" name="intent" value="send-mail" />
          <Submit quiet>{send}</Submit>
        </PostForm>
      )}
    </Notice>
  );
}
