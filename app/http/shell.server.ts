import { newId } from '../../db/columns';
import { StorageUnavailable } from '../../db/errors';
import type { Context } from '../context';
import type { Role } from '../domain/accounts';

/** What every screen knows: who is reading, in which zone, and a one-time key for the forms of this page. */
export type Shell = {
  once: string;
  /** The account's zone, else what the edge saw; null where nobody knows. */
  readerZone: string | null;
  /** Names are null where storage could not be asked. */
  reader: { displayName: string | null; username: string | null; role: Role } | null;
};

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
