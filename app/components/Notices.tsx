import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { NoticeLine } from '../domain/messages/notices';
import * as paths from '../paths';
import { ButtonLink } from './Button';
import { Notice } from './Card';
import { PostForm, Submit } from './forms/Form';
import { useWords } from './words';

type Props = {
  notices: NoticeLine[];
  see: ReactNode;
  from?: 'invitations'; // the screen that shows them; home if left out
};

/** Shows what others have changed, until the reader marks it as seen. */
export function Notices({ notices, see, from }: Props) {
  const words = useWords();
  return notices.map(({ id, title, text, link, again, ...notice }) => {
    const yours = notice.yours && words(notice.yours);
    return (
      <Notice key={id} tone="warn" title={words(title)}>
        <p>{words(text)}</p>
        {yours && (
          <p className="text-sm text-muted">
            <Trans>On your clock: {yours}</Trans>
          </p>
        )}
        <PostForm action={paths.news()} className="flex flex-wrap items-center gap-x-5 gap-y-1">
          <input type="hidden" name="seen" value={id} />
          {from && <input type="hidden" name="from" value={from} />}
          {again && (
            <ButtonLink quiet to={again}>
              <Trans>Book another time</Trans>
            </ButtonLink>
          )}
          <Submit isText>
            <Trans>Mark as read</Trans>
          </Submit>
          <a href={link} className="act">
            {see}
          </a>
        </PostForm>
      </Notice>
    );
  });
}
