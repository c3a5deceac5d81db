import { ButtonLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';

/** What somebody else did to an appointment of the reader's, in one sentence. */
export type ToldLine = { id: string; title: string; text: string; yours: string | null; link: string };

/** What others did to the reader's appointments, on top until the reader has seen it. */
export function Told({ told }: { told: ToldLine[] }) {
  return told.map(({ id, title, text, yours, link }) => (
    <Notice key={id} tone="warn" title={title}>
      <p>{text}</p>
      {yours && <p className="text-sm text-muted">On your clock: {yours}</p>}
      <PostForm action="/news" className="flex flex-wrap gap-3">
        <input type="hidden" name="seen" value={id} />
        <Submit>I have seen it</Submit>
        <ButtonLink quiet to={link}>
          See the appointment
        </ButtonLink>
      </PostForm>
    </Notice>
  ));
}
