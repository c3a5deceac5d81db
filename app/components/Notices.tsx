import type { NoticeLine } from '../domain/messages/notices';
import * as paths from '../paths';
import { ButtonLink } from './Button';
import { Notice } from './Card';
import { PostForm, Submit } from './forms/Form';

type Props = {
  notices: NoticeLine[];
  see: string;
  from?: 'invitations'; // the screen that shows them; home if left out
};

/** Shows what others have changed, until the reader marks it as seen. */
export function Notices({ notices, see, from }: Props) {
  return notices.map(({ id, title, text, yours, link, again }) => (
    <Notice key={id} tone="warn" title={title}>
      <p>{text}</p>
      {yours && <p className="text-sm text-muted">On your clock: {yours}</p>}
      <PostForm action={paths.news()} className="flex flex-wrap items-center gap-x-5 gap-y-1">
        <input type="hidden" name="seen" value={id} />
        {from && <input type="hidden" name="from" value={from} />}
        {again && (
          <ButtonLink quiet to={again}>
            Book another time
          </ButtonLink>
        )}
        <Submit isText>Mark as read</Submit>
        <a href={link} className="act">
          {see}
        </a>
      </PostForm>
    </Notice>
  ));
}
