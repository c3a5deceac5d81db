import { type Instant, minute } from '../domain/time/clock';
import * as paths from '../paths';
import type { Context } from './context';
import { formToken, isShownLately } from './form-token.server';

/* A provider who books for somebody sees that booking's personal link for a while. */

const shownFor = 10 * minute;
const linkOf = (id: string) => `link of ${id}`;

/** The path of an appointment's page that shows the link made at `madeAt`. */
export const madePath = (context: Context, id: string, madeAt: Instant) =>
  paths.providerDetails(id, { made: formToken({ ...context, now: madeAt }, linkOf(id)) });

/** True if the page of an appointment may show the link made for it. */
export const isMadeLately = (context: Context, id: string, url: URL): boolean =>
  isShownLately(context, url.searchParams.get('made') ?? '', linkOf(id), shownFor);
