import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { accounts, bookings, messages, people, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { status } from '../bookings/status';
import { notLoggedIn } from '../errors';
import { digitsOf } from '../input/fields';
import { fold, sortKey } from '../input/fold';
import type { Links } from '../links.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { aliasOf, cardOfEmail } from './card-of.server';
import {
  ambiguous,
  type DateOrder,
  dateOrderOf,
  endOf,
  type ImportRow,
  judgeRows,
  type Part,
  type RefusedRow,
  type Table,
} from './import';

/*
 * Brings along what a provider has elsewhere. All rows are one parameter of each statement, so that 2,000 of them are nine statements of
 * one batch; notes, which may be long, go in parts.
 */

/** The fate of a row: a new card, a known one, or nothing. */
export type Fate = {
  row: number;
  name: string;
  fate: 'new' | 'merged' | 'refused';
  why: string | null;
  startsAt: Instant | null;
};
export type Imported = {
  new: number;
  merged: number;
  refused: number;
  /** Coming appointments that are made, or are there already. */
  appointments: number;
  isAmbiguous: boolean;
  rows: Fate[];
};

const overlapWords = 'Something else is at that time.';

/** How many rows with their notes are one parameter: a megabyte at most. */
const ofPart = 250;
const partsOf = <Row>(rows: Row[]) =>
  Array.from({ length: Math.ceil(rows.length / ofPart) }, (_, part) => rows.slice(part * ofPart, (part + 1) * ofPart));

/** A row with the card that it is or makes. */
type Known = ImportRow & { id: string };

/** The same person in two rows is one: by the address, else by name and number. */
const personOf = ({ name, email, phone }: Pick<ImportRow, 'name' | 'email' | 'phone'>) =>
  email ? `email ${email.toLowerCase()}` : `name ${fold(name)} ${digitsOf(phone) ?? ''}`;

const given = (name: string) => sql.raw(`value ->> '${name}'`);

/** SQL: the card of a row: by its address, else by name and number, else the one that it makes. */
const personIn = (me: string) => sql`coalesce(
  CASE WHEN ${given('email')} IS NOT NULL THEN ${cardOfEmail(sql`${me}`, given('email'))} END,
  CASE WHEN ${given('email')} IS NULL THEN (SELECT id FROM people WHERE provider_id = ${me} AND name_folded = ${given('folded')}
    AND phone_digits IS ${given('digits')} ORDER BY id LIMIT 1) END,
  ${aliasOf(sql`${me}`, given('id'))})`;

/** SQL: something of the provider's is at the time of a row, and it is not an open slot as long as that. */
const overlaps = (me: string): SQL => sql`(EXISTS (
    SELECT 1 FROM slots WHERE provider_id = ${me} AND starts_at > ${given('startsAt')} - 86400000 AND starts_at < ${given('endsAt')}
      AND ends_at > ${given('startsAt')} AND state < 2
      AND NOT (state = 0 AND seats = 1 AND starts_at = ${given('startsAt')} AND ends_at = ${given('endsAt')}))
  OR EXISTS (SELECT 1 FROM bookings WHERE provider_id = ${me} AND status < 2
      AND starts_at BETWEEN ${given('startsAt')} - 100800000 AND ${given('startsAt')} - 1 AND kept_until > ${given('startsAt')}))`;

const jsonOf = (rows: Known[]) =>
  JSON.stringify(
    rows.map(({ name, email, phone, startsAt, minutes, ...row }) => ({
      ...row,
      name,
      email,
      phone,
      startsAt,
      folded: fold(name),
      sortKey: sortKey(name),
      digits: digitsOf(phone),
      endsAt: startsAt !== null && minutes !== null ? endOf({ startsAt, minutes }) : null,
    })),
  );

/** Reads what becomes of each row as the book stands: its card, whether its time is booked for that card, or taken. */
async function readFates(db: Db, me: string, rows: Known[]) {
  const found = await Promise.all(
    partsOf(rows).map(async (part) => {
      const { read } = await db.run({
        read: orm
          .select({
            row: sql<number>`${given('row')}`.as('row_number'),
            isThere: sql<number>`EXISTS (SELECT 1 FROM people WHERE provider_id = ${me} AND id = ${personIn(me)})`.as(
              'is_there',
            ),
            isBooked:
              sql<number>`EXISTS (SELECT 1 FROM bookings WHERE provider_id = ${me} AND starts_at = ${given('startsAt')}
              AND status = 1 AND person_id = ${personIn(me)})`.as('is_booked'),
            isTaken: sql<number>`${given('startsAt')} IS NOT NULL AND ${overlaps(me)}`.as('is_taken'),
          })
          .from(sql`json_each(${jsonOf(part.map((row) => ({ ...row, note: null })))})`),
      });
      return read;
    }),
  );
  return new Map(found.flat().map((fate) => [fate.row, fate]));
}

/** The first of rows that overlap each other is taken. */
function overlappingEachOther(rows: Known[]): Set<number> {
  const timed = rows.flatMap(({ row, startsAt, minutes, id }) =>
    startsAt === null || minutes === null ? [] : [{ row, id, startsAt, endsAt: endOf({ startsAt, minutes }) }],
  );
  const late = new Set<number>();
  let last: (typeof timed)[number] | undefined;
  for (const one of timed.sort((one, other) => one.startsAt - other.startsAt || one.row - other.row)) {
    if (!last || one.startsAt >= last.endsAt) last = one;
    else if (one.id !== last.id || one.startsAt !== last.startsAt) late.add(one.row);
  }
  return late;
}

const hex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The statements that write cards, guests, times and bookings where the actor is logged in. Nobody is told. */
function write(actor: Actor, rows: Known[], now: Instant) {
  const me = actor.accountId;
  const allowed = isLoggedIn(actor, now);
  const timed = rows.filter(({ startsAt }) => startsAt !== null);
  const slotIds = timed.map(({ startsAt }) => `${me}${String(startsAt).padStart(13, '0')}${hex()}`);
  const times = JSON.stringify(
    (JSON.parse(jsonOf(timed.map((row) => ({ ...row, note: null })))) as object[]).map((row, place) => ({
      ...row,
      slot: slotIds[place],
    })),
  );
  const from = sql`json_each(${times})`;
  const cards = partsOf(rows).flatMap((part) => {
    const list = jsonOf(part);
    return [
      // The card's own details stay; only missing ones are filled in.
      orm.run(sql`UPDATE people SET phone = coalesce(people.phone, given.phone), phone_digits = coalesce(people.phone_digits, given.digits),
          note = coalesce(people.note, given.note)
        FROM (SELECT ${personIn(me)} AS person, ${given('phone')} AS phone, ${given('digits')} AS digits, ${given('note')} AS note
          FROM json_each(${list})) AS given
        WHERE people.provider_id = ${me} AND people.id = given.person AND ${allowed}
          AND (people.phone IS NULL AND given.phone IS NOT NULL OR people.note IS NULL AND given.note IS NOT NULL)`),
      insertFrom(
        people,
        {
          providerId: me,
          id: given('id'),
          name: given('name'),
          nameFolded: given('folded'),
          email: given('email'),
          emailFolded: sql`lower(${given('email')})`,
          phone: given('phone'),
          phoneDigits: given('digits'),
          note: given('note'),
        },
        sql`FROM json_each(${list}) WHERE ${allowed} AND ${personIn(me)} = ${given('id')}`,
      ).onConflictDoNothing(),
    ];
  });
  const guests = insertFrom(
    accounts,
    {
      id: personIn(me),
      displayName: given('name'),
      displayFolded: given('folded'),
      displaySortKey: given('sortKey'),
      // No address: it is on the card, and nothing is mailed.
      role: 'Consumer',
      timeZone: actor.timeZone,
      createdAt: now,
    },
    sql`FROM ${from} WHERE ${allowed}`,
  ).onConflictDoNothing();
  const published = insertFrom(
    slots,
    {
      providerId: me,
      startsAt: given('startsAt'),
      id: given('slot'),
      endsAt: given('endsAt'),
      city: sql`provider.city`,
      localDate: given('date'),
      timeZone: actor.timeZone,
      publication: `import ${now}`,
    },
    sql`FROM ${from} CROSS JOIN accounts AS provider WHERE provider.id = ${me} AND ${allowed} AND NOT ${overlaps(me)} ORDER BY ${given('startsAt')}`,
  );
  const booked = insertFrom(
    bookings,
    {
      providerId: me,
      startsAt: sql`slots.starts_at`,
      id: sql`slots.id`,
      endsAt: sql`slots.ends_at`,
      keptUntil: sql`slots.ends_at`,
      localDate: sql`slots.local_date`,
      timeZone: sql`slots.time_zone`,
      city: sql`slots.city`,
      notes: sql`slots.notes`,
      templateId: sql`slots.template_id`,
      status: status.booked,
      bookerId: personIn(me),
      personId: personIn(me),
      bookedAt: now,
      cancelUntil: sql`provider.cancel_until`,
      claimHash: sql`lower(hex(randomblob(32)))`,
      phone: given('phone'),
    },
    sql`FROM ${from} CROSS JOIN slots ON slots.provider_id = ${me} AND slots.starts_at = ${given('startsAt')}
        AND slots.ends_at = ${given('endsAt')} AND slots.state = 0 AND slots.seats = 1 AND slots.service_id IS NULL
      CROSS JOIN accounts AS provider ON provider.id = ${me}
      WHERE ${allowed} GROUP BY slots.starts_at`,
  );
  const untold = orm.delete(messages).where(
    sql`${messages.id} IN (SELECT 'booked:' || id || ':' || booker_id FROM bookings WHERE provider_id = ${me} AND booked_at = ${now}
        AND starts_at IN (SELECT ${given('startsAt')} FROM ${from}))`,
  );
  const counted = orm
    .update(accounts)
    .set({ openSlotsAtMost: sql`${accounts.openSlotsAtMost} + ${timed.length}` })
    .where(and(eq(accounts.id, me), allowed));
  return [...cards, ...(timed.length > 0 ? [guests, published, booked, untold, counted] : [])];
}

/**
 * Brings people and their coming appointments along from a table, or from a part of it, or says what would become of each row. A card that there is stays as it
 * is, but for what it does not say; a time at which there is something is refused. Sent again, it changes nothing.
 * @throws DomainError invalid (dates that can be two days), unauthenticated
 */
export async function importPeople(
  db: Db,
  links: Links,
  actor: Actor,
  { table, dates, preview, part }: { table: Table; dates?: DateOrder; preview: boolean; part?: Part },
  now: Instant,
): Promise<Imported> {
  const me = actor.accountId;
  const order = dates ?? dateOrderOf(table);
  const whole = { from: 0, to: table.rows.length };
  const judged = judgeRows(table, { zone: actor.timeZone, order, now, part: part ?? whole });
  if (!order && !preview) throw ambiguous();
  const known = judged.taken.map((row): Known => ({ ...row, id: links.guestIdOf('import', me, personOf(row)) }));
  const late = overlappingEachOther(known);
  const fates = await readFates(db, me, known);
  const isLate = ({ row, startsAt }: Known) => {
    const fate = fates.get(row);
    return startsAt !== null && !fate?.isBooked && (late.has(row) || fate?.isTaken === 1);
  };
  const welcome = known.filter((row) => !isLate(row));
  if (!preview) {
    const [owner] = await db.run(selectOwner(actor, now), ...write(actor, welcome, now));
    if (!owner?.[0]?.isLoggedIn) throw notLoggedIn();
    db.changedPages.add(me);
  }
  const after = preview ? undefined : await readFates(db, me, welcome);
  const isMade = ({ row, startsAt }: Known) => startsAt === null || !after || after.get(row)?.isBooked === 1;
  const seen = new Set<string>();
  const rows = known.map((row): Fate => {
    const { id, name, startsAt } = row;
    if (isLate(row) || !isMade(row)) return { row: row.row, name, fate: 'refused', why: overlapWords, startsAt };
    const isThere = fates.get(row.row)?.isThere === 1 || seen.has(id);
    seen.add(id);
    return { row: row.row, name, fate: isThere ? 'merged' : 'new', why: null, startsAt };
  });
  const refused = judged.refused.map(
    ({ row, name, why }: RefusedRow): Fate => ({ row, name, fate: 'refused', why, startsAt: null }),
  );
  const all = [...rows, ...refused].sort((one, other) => one.row - other.row);
  const count = (fate: Fate['fate']) => all.filter((one) => one.fate === fate).length;
  return {
    new: count('new'),
    merged: count('merged'),
    refused: count('refused'),
    appointments: all.filter(({ fate, startsAt }) => fate !== 'refused' && startsAt !== null).length,
    isAmbiguous: order === undefined,
    rows: all,
  };
}
