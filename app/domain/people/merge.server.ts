import { msg, plural } from '@lingui/core/macro';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { orm } from '../../../db/statement';
import { conflict, notLoggedIn } from '../errors';
import { digitsOf } from '../input/fields';
import { limits } from '../input/limits';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { lineOfNumber, numberLine } from './note-lines.server';
import type { ShownCard, WholeCard } from './people';
import { selectCard, selectWholeCard } from './people.server';

export type Merge = { from: ShownCard; into: ShownCard };

const isOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other;

// Both notes, and the number of the first card if the second has another one.
const mergedNote = ({ from, into }: Merge): string | null => {
  const second = isOther(digitsOf(from.phone), digitsOf(into.phone)) && from.phone ? lineOfNumber(from.phone) : null;
  return [into.note, from.note, second].filter((note) => note !== null).join('\n') || null;
};

/** The second card as it will be after the merge. */
export const mergedCard = ({ from, into }: Merge): ShownCard => ({
  ...into,
  email: into.email ?? from.email,
  phone: into.phone ?? from.phone,
  note: mergedNote({ from, into }),
  seen: into.seen + from.seen,
  excused: into.excused + from.excused,
  missed: into.missed + from.missed,
});

/** The first card's name and address that the merged card does not have; null for what is the same. */
export function lostDetails({ from, into }: Merge) {
  return {
    name: isOther(from.name, into.name) ? from.name : null,
    email: isOther(from.email?.toLowerCase() ?? null, into.email?.toLowerCase() ?? null) ? from.email : null,
  };
}

function notesTooLong() {
  const { personNote: most } = limits;
  return conflict(
    msg`The note of both would have more than ${plural({ most }, { one: '# character', other: '# characters' })}. Please shorten one of them first.`,
  );
}

/**
 * Reads two cards that will be merged.
 * @returns null if they are one already
 * @throws DomainError not_found, conflict (their notes together are too long)
 */
export async function readMerge(
  db: Db,
  { accountId: me }: Actor,
  { id, into }: { id: string; into: string },
  now: Instant,
): Promise<Merge | null> {
  const { one, other } = await db.run({ one: selectCard({ me, id, now }), other: selectCard({ me, id: into, now }) });
  if (!one[0] || !other[0]) throw notFound('person');
  if (one[0].id === other[0].id) return null;
  const merge = { from: one[0], into: other[0] };
  if ([...(mergedNote(merge) ?? '')].length > limits.personNote) throw notesTooLong();
  return merge;
}

/**
 * Merges the first card into the second. Appointments, counts and notes of the first go to the second, which keeps its
 * own name, address and number; another number of the first goes into the note. Later bookings of the first person go
 * to the second card, too. If two tabs merge crosswise, the result is one card.
 * @throws DomainError not_found, conflict (their notes together are too long), unauthenticated
 */
export async function mergePeople(
  db: Db,
  actor: Actor,
  { id, into: intoId }: { id: string; into: string },
  now: Instant,
): Promise<WholeCard> {
  const me = actor.accountId;
  const merge = await readMerge(db, actor, { id, into: intoId }, now);
  const [from, into] = merge ? [merge.from.id, merge.into.id] : ['', ''];
  const {
    one: [one],
    other: [other],
    owner: [owner],
  } = await db.run({
    ...(merge && mergeStatements(me, from, into, isLoggedIn(actor, now))),
    one: selectCard({ me, id, now }),
    other: selectWholeCard({ me, id: intoId, now }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!one || !other) throw notFound('person');
  if (one.id !== other.id) throw notesTooLong();
  return other;
}

// The first statement writes the alias, which decides the merge; the other statements depend on it. What was typed on
// each of the two cards is kept with its alias, so that it goes with whoever leaves.
function mergeStatements(me: string, from: string, into: string, isAllowed: SQL) {
  const both = sql`people AS old CROSS JOIN people AS new ON new.provider_id = old.provider_id AND new.id = ${into}
    WHERE ${ownedBy(me, 'old')} AND old.id = ${from}`;
  const isDone = sql`EXISTS (
    SELECT 1 FROM person_aliases WHERE ${ownedBy(me)} AND alias = ${from} AND person_id = ${into})`;
  const second = sql`iif(old.phone_digits <> new.phone_digits, ${numberLine(sql`old.phone`)}, NULL)`;
  const lines = [sql`new.note`, sql`old.note`, second].map((line) => sql`coalesce(char(10) || ${line}, '')`);
  const note = sql`nullif(substr(${sql.join(lines, sql` || `)}, 2), '')`;
  const columns = sql`(provider_id, alias, person_id, email, phone, phone_digits, note)`;
  const withLogin = (card: 'old' | 'new') =>
    sql`(SELECT id FROM accounts WHERE id = ${sql.raw(card)}.booker_id AND username IS NOT NULL)`;
  const statements = {
    named: sql`INSERT INTO person_aliases ${columns}
      SELECT ${me}, ${from}, ${into}, old.email, old.phone, old.phone_digits, old.note FROM ${both} AND ${isAllowed}
        AND length(coalesce(${note}, '')) <= ${limits.personNote}
      ON CONFLICT DO UPDATE SET person_id = excluded.person_id WHERE person_id = alias`,
    owned: sql`INSERT INTO person_aliases ${columns}
      SELECT ${me}, ${into}, ${into}, new.email, new.phone, new.phone_digits, new.note FROM ${both} AND ${isDone}
      ON CONFLICT DO NOTHING`,
    addressed: sql`INSERT INTO person_aliases (provider_id, alias, person_id)
      SELECT ${me}, old.email_folded, ${into} FROM ${both} AND ${isDone}
        AND new.email_folded IS NOT NULL AND old.email_folded <> new.email_folded
      ON CONFLICT DO UPDATE SET person_id = excluded.person_id`,
    followed: sql`UPDATE person_aliases SET person_id = ${into} WHERE ${ownedBy(me)} AND person_id = ${from} AND ${isDone}`,
    booked: sql`UPDATE bookings SET person_id = ${into} WHERE (provider_id, starts_at, id) IN (
      SELECT provider_id, starts_at, id FROM bookings_on_cards WHERE ${ownedBy(me)} AND card_id = ${from}) AND ${isDone}`,
    stood: sql`UPDATE standing_times SET person_id = ${into} WHERE ${ownedBy(me)} AND person_id = ${from} AND ${isDone}`,
    counted: sql`UPDATE people SET (seen, excused, missed, booker_id, email, email_folded, phone, phone_digits, note) = (
        SELECT new.seen + old.seen, new.excused + old.excused, new.missed + old.missed,
          coalesce(${withLogin('new')}, ${withLogin('old')}, new.booker_id, old.booker_id),
          coalesce(new.email, old.email), coalesce(new.email_folded, old.email_folded),
          coalesce(new.phone, old.phone), coalesce(new.phone_digits, old.phone_digits),
          ${note}
        FROM ${both})
      WHERE ${ownedBy(me)} AND id = ${into} AND ${isDone}
        AND EXISTS (SELECT 1 FROM people WHERE ${ownedBy(me)} AND id = ${from})`,
    removed: sql`DELETE FROM people WHERE ${ownedBy(me)} AND id = ${from} AND ${isDone}`,
  };
  return Object.fromEntries(Object.entries(statements).map(([name, statement]) => [name, orm.run(statement)]));
}
