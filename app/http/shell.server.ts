import { newId } from '../../db/columns';
import { StorageUnavailable } from '../../db/errors';
import type { Context } from '../context';
import type { Shell } from '../domain/accounts';

/** The shell is always that of the session as it stands; where storage is down, that of the cookie. */
export async function shellOf({ actor, edge, viewer }: Context): Promise<Shell> {
  const once = newId();
  try {
    const standing = await viewer();
    if (!standing) return { once, readerZone: edge.timeZone, reader: null };
    const { displayName, username, role, timeZone } = standing;
    return { once, readerZone: timeZone, reader: { displayName, username, role } };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const reader = actor && { displayName: null, username: null, role: actor.role };
    return { once, readerZone: actor?.timeZone ?? edge.timeZone, reader };
  }
}
