import { newId } from '../../db/columns';
import { StorageUnavailable } from '../../db/errors';
import type { Context } from '../context';
import type { Shell } from '../domain/accounts';

/** How much of an account's id tells it from others in a form's key. */
const tagLength = 8;

/** The one-time key of a page's forms, which says whose page it is. */
const onceFor = (accountId?: string) => newId() + (accountId ? `.${accountId.slice(0, tagLength)}` : '');

/** Whose page a form with that key is from, as a beginning of their account's id; undefined where it does not say. */
export const openedBy = (once: string | undefined): string | undefined => once?.split('.')[1];

/** The shell is always that of the session as it stands; where storage is down, that of the cookie. */
export async function shellOf({ actor, edge, viewer }: Context): Promise<Shell> {
  try {
    const standing = await viewer();
    const once = onceFor(standing?.accountId);
    if (!standing) return { once, readerZone: edge.timeZone, reader: null };
    const { displayName, username, role, timeZone } = standing;
    return { once, readerZone: timeZone, reader: { displayName, username, role } };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const reader = actor && { displayName: null, username: null, role: actor.role };
    return { once: onceFor(actor?.accountId), readerZone: actor?.timeZone ?? edge.timeZone, reader };
  }
}
