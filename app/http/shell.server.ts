import { StatementFailed, StorageUnavailable } from '../../db/errors';
import type { Framing } from '../domain/calendar/framing.server';
import { type Actor, isGuest, type Shell } from '../domain/profile/accounts';
import { ownLanguage } from '../domain/profile/accounts.server';
import { knownZone, localDateOf } from '../domain/time/clock';
import { localeIn } from '../domain/words/i18n';
import type { Context } from './context';

// So many characters tell the ids of two accounts apart.
const tagLength = 8;

const onceFor = (once: string, accountId?: string) => once + (accountId ? `.${accountId.slice(0, tagLength)}` : '');

/** The beginning of the id of the account that opened the form; undefined for a stranger. */
export const openedBy = (once: string | undefined): string | undefined => once?.split('.')[1];

type Page = Pick<Context, 'now' | 'once' | 'edge' | 'i18n'>;

function shell(
  { now, once, edge, i18n }: Page,
  readerZone: string | null,
  reader: Shell['reader'],
  { accountId, framing }: { accountId?: string; framing?: Framing | null } = {},
): Shell {
  const year = localDateOf(now, readerZone ?? 'UTC').slice(0, 4);
  return {
    once: onceFor(once, accountId),
    readerZone,
    year,
    locale: localeIn(i18n),
    weekStart: edge.weekStart,
    reader,
    ...(framing && { framed: { name: framing.name, location: framing.location } }),
  };
}

const hasLanguage = ({ lang }: Pick<Actor, 'lang'>): { hasLanguage?: true } => (lang ? { hasLanguage: true } : {});

/** Guests can't choose a zone, so the edge says theirs where it was not known when they came. */
const zoneOf = (
  { timeZone, isGuest = false }: { timeZone: string; isGuest?: boolean },
  edge: Context['edge'],
): string | null => (isGuest ? (knownZone(timeZone) ?? edge.timeZone) : timeZone);

// The cookie alone decides if the database is down or must not be asked.
export async function shellOf({
  now,
  once,
  actor,
  edge,
  i18n,
  viewer,
  framing: readFraming,
  isLimited,
}: Context): Promise<Shell> {
  const page = { now, once, edge, i18n };
  const byCookie = () => {
    const reader = actor && {
      displayName: null,
      username: null,
      role: actor.role,
      isGuest: actor.isGuest === true,
      ...hasLanguage(actor),
      unread: 0,
    };
    return shell(page, actor ? zoneOf(actor, edge) : edge.timeZone, reader, {
      accountId: actor?.accountId,
    });
  };
  if (isLimited) return byCookie();
  try {
    const [session, framing] = await Promise.all([viewer(), readFraming()]);
    if (!session) return shell(page, edge.timeZone, null, { framing });
    const { accountId, displayName, username, role, timeZone, unread, isAtDesk } = session;
    const own = isGuest(session) ? {} : hasLanguage(ownLanguage(session));
    const reader = {
      displayName,
      username,
      role,
      isGuest: isGuest(session),
      ...own,
      unread,
      ...(isAtDesk && { isAtDesk }),
    };
    return shell(page, zoneOf({ timeZone, isGuest: reader.isGuest }, edge), reader, { accountId });
  } catch (error) {
    if (!(error instanceof StorageUnavailable || error instanceof StatementFailed)) throw error;
    return byCookie();
  }
}
