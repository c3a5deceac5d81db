import { msg } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, messages, people } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, isBooked, isOpen } from '../../../db/states';
import { notLoggedIn } from '../errors';
import { digitsOf } from '../input/fields';
import { fold, sortKey, withoutAccents } from '../input/fold';
import type { Links } from '../links.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { aliasOf, bookerOf, cardOfEmail } from '../people/card-of.server';
import type { DateOrder } from '../people/cells';
import {
  ambiguous,
  dateOrderOf,
  endOf,
  type ImportRow,
  type Part,
  type RefusedRow,
  readRows,
  type Table,
} from '../people/import';
import type { Actor } from '../profile/accounts';
import { nameOf } from '../profile/name-of.server';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { isOverOpen, isTaken, makeSlots } from './any-time.server';
import { endHolds, runAfterHolds } from './holds.server';
import { actedBy } from './link-owners.server';
import { shopOf } from './rules.server';
import { columnsOfTime } from './slot-with-service.server';

// Each statement gets all rows as one parameter, so that 2,000 rows are one batch. Notes may be long, so they are
// written in parts.

/** The import makes a new card of a row, adds it to a known card, or leaves it out. */
export type Fate = {
  row: number;
  name: string;
  fate: 'new' | 'merged' | 'refused';
  /** The reason of a refusal, else what of the row is not on the card. */
  why: Words | null;
  startsAt: Instant | null;
  /** What lands on the card and in the calendar; null for a row that is left out. */
  lands: Lands | null;
};
type Lands = Pick<ImportRow, 'email' | 'phone' | 'note' | 'minutes'>;
export type Imported = {
  new: number;
  merged: number;
  refused: number;
  appointments: number; // the coming appointments that the import makes or that exist already
  isAmbiguous: boolean;
  rows: Fate[];
  /** In a preview: the rows that will be imported, with which the next part must not overlap. */
  taken: TakenRow[];
};

const overlapWords = msg`Something else is at that time.`;

// So many notes take a megabyte at most.
const ofPart = 250;
const partsOf = <Row>(rows: Row[]) =>
  Array.from({ length: Math.ceil(rows.length / ofPart) }, (_, part) => rows.slice(part * ofPart, (part + 1) * ofPart));

type RowOfCard = ImportRow & { id: string };

// Two rows with the same address are one person. Without an address, the name and number must be the same.
const personOf = ({ name, email, phone }: Pick<ImportRow, 'name' | 'email' | 'phone'>) =>
  email ? `email ${email.toLowerCase()}` : `name ${fold(name)} ${digitsOf(phone) ?? ''}`;

const cell = (name: string) => sql.raw(`value ->> '${name}'`);

/** SQL: the card for a row: one with its address, else one with its name and number, else the card that it makes. */
const personIn = (me: string) => sql`coalesce(
  CASE WHEN ${cell('email')} IS NOT NULL THEN ${cardOfEmail(sql`${me}`, cell('email'))} END,
  CASE WHEN ${cell('email')} IS NULL THEN (SELECT id FROM people WHERE ${ownedBy(me)} AND name_sort_key = ${cell('sortKey')}
    AND phone_digits IS ${cell('digits')} ORDER BY id LIMIT 1) END,
  ${aliasOf(sql`${me}`, cell('id'))})`;

/** SQL: the account that a row's appointment is booked for: the card's, else a guest of the table. */
const bookerIn = (me: string) => sql`coalesce(${bookerOf(sql`${me}`, personIn(me))}, ${cell('id')})`;

/** SQL: the provider has something at the time of a row. An open slot of the same length doesn't count, unless it is for a service. */
const overlaps = (me: string): SQL => {
  const [start, end] = [cell('startsAt'), cell('endsAt')];
  const stretch = { provider: sql`${me}`, start, end, takenUntil: end };
  return sql`(${isTaken(stretch)} OR ${isOverOpen(stretch)})`;
};

const jsonOf = (rows: RowOfCard[]) =>
  JSON.stringify(
    rows.map(({ name, email, phone, startsAt, minutes, why: _, ...row }) => ({
      ...row,
      name,
      email,
      phone,
      startsAt,
      plain: withoutAccents(name),
      sortKey: sortKey(name),
      digits: digitsOf(phone),
      endsAt: startsAt !== null && minutes !== null ? endOf({ startsAt, minutes }) : null,
    })),
  );

async function readFates(db: Db, me: string, rows: RowOfCard[]) {
  const found = await Promise.all(
    partsOf(rows).map(async (part) => {
      const { read } = await db.run({
        read: orm
          .select({
            row: sql<number>`${cell('row')}`.as('row_number'),
            isThere: sql<number>`EXISTS (SELECT 1 FROM people WHERE ${ownedBy(me)} AND id = ${personIn(me)})`.as(
              'is_there',
            ),
            isBooked:
              sql<number>`EXISTS (SELECT 1 FROM bookings WHERE ${ownedBy(me)} AND starts_at = ${cell('startsAt')}
              AND ${isBooked()} AND person_id = ${personIn(me)})`.as('is_booked'),
            isTaken: sql<number>`${cell('startsAt')} IS NOT NULL AND ${overlaps(me)}`.as('is_taken'),
          })
          .from(sql`json_each(${jsonOf(part.map((row) => ({ ...row, note: null })))})`),
      });
      return read;
    }),
  );
  return new Map(found.flat().map((fate) => [fate.row, fate]));
}

/** The start of the card's id, and the appointment's times; these are null for a row without an appointment. */
type TakenRow = [person: string, startsAt: Instant | null, endsAt: Instant | null];

// So many characters of an id tell the people of a table apart.
const shortId = (id: string) => id.slice(0, 10);

const takenRow = ({ id, startsAt, minutes }: RowOfCard): TakenRow =>
  startsAt === null || minutes === null
    ? [shortId(id), null, null]
    : [shortId(id), startsAt, endOf({ startsAt, minutes })];

/** The rows whose time overlaps a row of an earlier part, or one of their own part that begins first. */
function overlappingEachOther(rows: RowOfCard[], earlier: TakenRow[]): Set<number> {
  const timed = rows.flatMap((known) => {
    const [id, startsAt, endsAt] = takenRow(known);
    return startsAt === null || endsAt === null ? [] : [{ row: known.row, id, startsAt, endsAt }];
  });
  const overlapping = new Set<number>();
  let last: (typeof timed)[number] | undefined;
  for (const one of timed.sort((one, other) => one.startsAt - other.startsAt || one.row - other.row)) {
    const isOverEarlier = earlier.some(
      ([id, from, to]) =>
        from !== null &&
        to !== null &&
        from < one.endsAt &&
        to > one.startsAt &&
        (id !== one.id || from !== one.startsAt),
    );
    if (isOverEarlier) overlapping.add(one.row);
    else if (!last || one.startsAt >= last.endsAt) last = one;
    else if (one.id !== last.id || one.startsAt !== last.startsAt) overlapping.add(one.row);
  }
  return overlapping;
}

// An import sends no message to anybody, nor to the provider in whose book a colleague writes.
function write(actor: Actor, rows: RowOfCard[], now: Instant) {
  const me = actor.accountId;
  const allowed = isLoggedIn(actor, now);
  const timed = rows.filter(({ startsAt }) => startsAt !== null);
  const times = jsonOf(timed.map((row) => ({ ...row, note: null })));
  const from = sql`json_each(${times})`;
  const cards = partsOf(rows).map((part) =>
    insertFrom(
      people,
      {
        providerId: me,
        id: personIn(me),
        name: cell('name'),
        nameSortKey: cell('sortKey'),
        email: cell('email'),
        emailFolded: sql`lower(${cell('email')})`,
        phone: cell('phone'),
        phoneDigits: cell('digits'),
        note: cell('note'),
      },
      sql`FROM json_each(${jsonOf(part)}) WHERE ${allowed}`,
    ).onConflictDoUpdate({
      target: [people.providerId, people.id],
      // A card keeps its own details; the import adds missing ones.
      set: {
        phone: sql`coalesce(people.phone, excluded.phone)`,
        phoneDigits: sql`coalesce(people.phone_digits, excluded.phone_digits)`,
        note: sql`coalesce(people.note, excluded.note)`,
      },
      setWhere: sql`people.phone IS NULL AND excluded.phone IS NOT NULL OR people.note IS NULL AND excluded.note IS NOT NULL`,
    }),
  );
  const guests = insertFrom(
    accounts,
    {
      id: bookerIn(me),
      displayName: cell('name'),
      displayPlain: cell('plain'),
      displaySortKey: cell('sortKey'),
      // The account gets no address, so no mail is sent. The address is on the card.
      role: 'Consumer',
      timeZone: actor.timeZone,
      createdAt: now,
    },
    sql`FROM ${from} WHERE ${allowed}`,
  ).onConflictDoNothing();
  const published = makeSlots(
    {
      provider: sql`provider.id`,
      start: cell('startsAt'),
      end: cell('endsAt'),
      date: cell('date'),
      zone: actor.timeZone,
      now,
    },
    sql`FROM ${from} CROSS JOIN accounts AS provider WHERE provider.id = ${me} AND ${allowed} AND NOT ${overlaps(me)} ORDER BY ${cell('startsAt')}`,
    `import ${now}`,
  );
  const booked = insertFrom(
    bookings,
    {
      ...columnsOfTime,
      status: bookingStatus.booked,
      bookerId: bookerIn(me),
      bookerName: nameOf(bookerIn(me)),
      personId: personIn(me),
      bookedAt: now,
      cancelUntil: sql`provider.cancel_until`,
      shopId: shopOf(sql`provider.id`),
      codeHash: sql`lower(hex(randomblob(32)))`,
      phone: cell('phone'),
      where: sql`iif(${cell('place')} LIKE 'https://%', 'video', NULL)`,
      place: cell('place'),
      actedBy: actedBy(actor),
    },
    sql`FROM ${from} CROSS JOIN slots ON ${ownedBy(me, 'slots')} AND slots.starts_at = ${cell('startsAt')}
        AND slots.ends_at = ${cell('endsAt')} AND ${isOpen('slots')} AND slots.seats = 1 AND slots.service_id IS NULL
      CROSS JOIN accounts AS provider ON provider.id = ${me}
      WHERE ${allowed} GROUP BY slots.starts_at`,
  );
  const dropNews = orm.delete(messages).where(
    sql`${messages.id} IN (SELECT 'booked:' || bookings.id || ':' || reader.value
        FROM bookings CROSS JOIN json_each(json_array(booker_id, provider_id)) AS reader
        WHERE ${ownedBy(me, 'bookings')} AND booked_at = ${now}
          AND starts_at IN (SELECT ${cell('startsAt')} FROM ${from}))`,
  );
  const counted = orm
    .update(accounts)
    .set({ openSlotsAtMost: sql`${accounts.openSlotsAtMost} + ${timed.length}` })
    .where(and(eq(accounts.id, me), allowed));
  return [...cards, ...(timed.length > 0 ? [guests, published, booked, dropNews, counted] : [])];
}

type Import = {
  table: Table;
  dates?: DateOrder;
  preview: boolean;
  part?: Part;
  earlier?: TakenRow[]; // for the preview of a part: the rows of earlier parts that will be imported
};

/**
 * Imports people and their coming appointments, or previews what would become of each row. A known card only gets
 * details that it lacks. An appointment is refused if the provider has something at that time. A repeat changes
 * nothing.
 * @throws DomainError invalid (dates that can be two days), unauthenticated
 */
export async function importPeople(
  db: Db,
  links: Links,
  actor: Actor,
  { table, dates, preview, part, earlier = [] }: Import,
  now: Instant,
): Promise<Imported> {
  const me = actor.accountId;
  const order = dates ?? dateOrderOf(table);
  const allRows = { from: 0, to: table.rows.length };
  const read = readRows(table, { zone: actor.timeZone, order, now, part: part ?? allRows });
  if (!order && !preview) throw ambiguous();
  const cardRows = read.readable.map(
    (row): RowOfCard => ({ ...row, id: links.repeatableIdOf('import', me, personOf(row)) }),
  );
  const [, fates] = await Promise.all([db.run(endHolds(now)), readFates(db, me, cardRows)]);
  const isTaken = ({ row }: RowOfCard) => fates.get(row)?.isTaken === 1;
  const overlaps = overlappingEachOther(
    cardRows.filter((row) => !isTaken(row)),
    earlier,
  );
  const isOverlapping = (row: RowOfCard) =>
    row.startsAt !== null && !fates.get(row.row)?.isBooked && (overlaps.has(row.row) || isTaken(row));
  const accepted = cardRows.filter((row) => !isOverlapping(row));
  if (!preview) {
    const {
      owner: [owner],
    } = await runAfterHolds(db, now, { owner: selectOwner(actor, now), written: write(actor, accepted, now) });
    if (!owner?.isLoggedIn) throw notLoggedIn();
  }
  const after = preview ? undefined : await readFates(db, me, accepted);
  const isMade = ({ row, startsAt }: RowOfCard) => startsAt === null || !after || after.get(row)?.isBooked === 1;
  const earlierPeople = new Set(earlier.map(([person]) => person));
  const rows = cardRows.map((row): Fate => {
    const { id, name, startsAt, email, phone, note, minutes, why } = row;
    if (isOverlapping(row) || !isMade(row))
      return { row: row.row, name, fate: 'refused', why: overlapWords, startsAt, lands: null };
    const isThere = fates.get(row.row)?.isThere === 1 || earlierPeople.has(shortId(id));
    earlierPeople.add(shortId(id));
    return {
      row: row.row,
      name,
      fate: isThere ? 'merged' : 'new',
      why,
      startsAt,
      lands: { email, phone, note, minutes },
    };
  });
  const refused = read.refused.map(
    ({ row, name, why }: RefusedRow): Fate => ({ row, name, fate: 'refused', why, startsAt: null, lands: null }),
  );
  const all = [...rows, ...refused].sort((one, other) => one.row - other.row);
  const count = (fate: Fate['fate']) => all.filter((row) => row.fate === fate).length;
  return {
    new: count('new'),
    merged: count('merged'),
    refused: count('refused'),
    appointments: all.filter(({ fate, startsAt }) => fate !== 'refused' && startsAt !== null).length,
    isAmbiguous: order === undefined,
    rows: all,
    taken: preview ? accepted.map(takenRow) : [],
  };
}
