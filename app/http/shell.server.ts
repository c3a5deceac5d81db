import { StatementFailed, StorageUnavailable } from '../../db/errors';
import type { Context } from '../context';
import { isGuest, type Shell } from '../domain/accounts/accounts';
import { localDateOf } from '../domain/time/clock';

/** How much of an account's id tells it from others in a form's key. */
const tagLength = 8;

/** The one-time key of a page's forms, which says whose page it is. */
const onceFor = (once: string, accountId?: string) => once + (accountId ? `.${accountId.slice(0, tagLength)}` : '');

/** Whose page a form with that key is from, as a beginning of their account's id; undefined where it does not say. */
export const openedBy = (once: string | undefined): string | undefined => once?.split('.')[1];

type Asked = Pick<Context, 'now' | 'once'>;

function shell({ now, once }: Asked, readerZone: string | null, reader: Shell['reader'], accountId?: string): Shell {
  const year = localDateOf(now, readerZone ?? 'UTC').slice(0, 4);
  return { once: onceFor(once, accountId), readerZone, year, reader };
}

/** The shell is always that of the session as it stands; where storage can't tell, or is not asked, that of the cookie. */
export async function shellOf({ now, once, actor, edge, viewer, isLimited }: Context): Promise<Shell> {
  const asked = { now, once };
  const byCookie = () => {
    const reader = actor && {
      displayName: null,
      username: null,
      role: actor.role,
      isGuest: actor.isGuest === true,
      unread: 0,
    };
    return shell(asked, actor?.timeZone ?? edge.timeZone, reader, actor?.accountId);
  };
  if (isLimited) return byCookie();
  try {
    const standing = await viewer();
    if (!standing) return shell(asked, edge.timeZone, null);
    const { accountId, displayName, username, role, timeZone, unread } = standing;
    return shell(asked, timeZone, { displayName, username, role, isGuest: isGuest(standing), unread }, accountId);
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof StatementFailed)) throw error;
    return byCookie();
  }
}
