import type { BookPaths } from '../book-paths';
import { type Instant, minute } from '../domain/time/clock';
import type { Context } from './context';
import { formToken, isShownLately } from './form-token.server';

const shownFor = 10 * minute;
const linkOf = (id: string) => `link of ${id}`;

/**
 * The page that shows a new personal link to the provider who has booked for the client. It shows the link for ten
 * minutes.
 */
export const madePath = (
  context: Context & { desk: BookPaths },
  id: string,
  madeAt: Instant,
  { isRenewed = false } = {},
) =>
  context.desk.providerDetails(id, {
    made: formToken({ ...context, now: madeAt }, linkOf(id)),
    renewed: isRenewed ? 'yes' : null,
  });

export const isMadeLately = (context: Context, id: string, url: URL): boolean =>
  isShownLately(context, url.searchParams.get('made') ?? '', linkOf(id), shownFor);
