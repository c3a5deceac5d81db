import type { ToldLine } from '../domain/messages/told';
import { ButtonLink } from './Button';
import { Notice } from './Card';
import { PostForm, Submit } from './Form';

type Props = {
  told: ToldLine[];
  /** What the button to the page of it says. */
  see: string;
  /** The screen that tells it, where that is not the home. */
  from?: 'invitations';
};

/** What others did to what the reader has, on top until the reader has seen it. */
export function Told({ told, see, from }: Props) {
  return told.map(({ id, title, text, yours, link }) => (
    <Notice key={id} tone="warn" title={title}>
      <p>{text}</p>
      {yours && <p className="text-sm text-muted">On your clock: {yours}</p>}
      <PostForm action="/news" className="flex flex-wrap gap-3">
        <input type="hidden" name="seen" value={id} />
        {from && <input type="hidden" name="from" value={from} />}
        <Submit>I have seen it</Submit>
        <ButtonLink quiet to={link}>
          {see}
        </ButtonLink>
      </PostForm>
    </Notice>
  ));
}
