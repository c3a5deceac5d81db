import { and, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { bytesOf, isOfPart, partSize, selectParts } from '../../../db/parts';
import {
  accounts,
  bookings,
  cities,
  hours,
  invitations,
  messages,
  parties,
  sessions,
  slots,
  templates,
} from '../../../db/schema';
import { type Built, orm, statement } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import { answersForHost } from '../parties/invitations.server';
import { type Parts, partsBy } from '../parts';
import { type Instant, machineText } from '../time/clock';
import type { Actor } from './accounts';
import { isFactorOn } from './proofs.server';

/** A row as the export has it: each column under its name, instants as ISO 8601. */
type Exported = Record<string, unknown>;

/** Everything about one account; lists that are too large to be held at once are in parts. */
export type Export = { exportedAt: string; account: Exported; hours: Exported[] } & Record<
  'sessions' | 'booked' | 'published' | 'templates' | 'hosted' | 'invited' | 'answered' | 'messages',
  Exported[] | Parts<Exported>
>;

/* All columns go along by themselves, so that a new one can't be forgotten; but for those below, which open something. */
const {
  passwordHash: _,
  usernameFolded: _a,
  displayFolded: _b,
  displaySortKey: _c,
  ...ofAccount
} = getTableColumns(accounts);
const { linkHash: _d, linkSeed: _e, claimHash: _f, slotId: _g, startsAt: _h, ...ofBooking } = getTableColumns(bookings);
const { privateNote: _i, bookerId: _j, attendance: _o, ...ofOwnBooking } = ofBooking;
const { linkHash: _k, nameSortKey: _l, invitee: _m, ...ofInvitation } = getTableColumns(invitations);
const { publication: _n, ...ofSlot } = getTableColumns(slots);
/** Columns of tables that share names get names of their own: D1 gives a row as an object. */
const nested = (columns: Record<string, unknown>, table: string) =>
  sql<string>`json_object(${sql.join(
    Object.entries(columns).flatMap(([name, column]) => [sql.raw(`'${name}'`), sql`${column}`]),
    sql`, `,
  )})`.as(table);

const isInstant = (name: string, value: unknown): value is Instant => /At$/.test(name) && typeof value === 'number';

function exported(row: object): Exported {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isInstant(name, value) ? machineText(value) : value]),
  );
}
const nestedRow = ({ own, ...row }: { own: string | null }): Exported => {
  const { answers, ...inner } = own ? JSON.parse(own) : {};
  return { ...exported(row), ...exported(inner), ...(answers !== undefined && { answers: JSON.parse(answers) }) };
};

const provider = alias(accounts, 'provider');

/** What a row takes beside its values, in bytes: the names of its columns, above all. */
const rowSize = 600;
const sizeOf = (table: SQLiteTable) =>
  sql`${sql.join(Object.values(getTableColumns(table)).map(bytesOf), sql` + `)} + ${rowSize}`;

type List<Row> = {
  /** The table that the list goes by, with what a row of it takes in bytes, where that is more than its own. */
  of: SQLiteTable & { id: SQLiteColumn };
  size?: SQL;
  condition: SQL;
  order: SQL;
  /** What is read of the rows that a condition allows. */
  rows: (condition: SQL) => Built & { _: { result: Row[] } };
  tell: (row: Row) => Exported;
};

/** A list of more rows is read while it is sent, whatever they take: counting them is cheaper than measuring them. */
const few = 200;

/** How to read a list of the account `me`: in one trip where it is short and fits into one part, else while it is sent. */
function reading<Row>(listOf: (me: Placeholder) => List<Row>) {
  const firstOf = statement<{ me: string }>()(({ me }) => {
    const { of, condition } = listOf(me);
    return orm.select({ id: of.id }).from(of).where(condition).limit(1);
  });
  const wholeOf = statement<{ me: string }>()(({ me }) => {
    const { of, size = sizeOf(of), condition, rows } = listOf(me);
    const isShort = sql`(SELECT count(*) FROM (SELECT 1 FROM ${of} WHERE ${condition} LIMIT ${few + 1})) <= ${few}`;
    const total = sql`(SELECT total(${size}) FROM ${of} WHERE ${condition})`;
    return rows(sql`${condition} AND iif(${isShort}, ${total} < ${partSize}, 0)`);
  });
  const partsOf = statement<{ me: string }>()(({ me }) => {
    const { of, size = sizeOf(of), condition, order } = listOf(me);
    return selectParts(of, { id: of.id, size, condition, order });
  });
  const partOf = statement<{ me: string; ids: string }>()(({ me, ids }) => {
    const { of, condition, rows } = listOf(me);
    return rows(sql`${condition} AND ${isOfPart(of.id, ids)}`);
  });
  const { tell } = listOf(sql.placeholder('me'));
  return async (db: Db, me: string): Promise<Exported[] | Parts<Exported>> => {
    const [first, whole] = await db.run(firstOf({ me }), wholeOf({ me }));
    if (whole.length > 0 || first.length === 0) return whole.map(tell);
    const parts = async () => (await db.run(partsOf({ me })))[0];
    return partsBy(parts, async ({ ids }) => {
      const [some] = await db.run(partOf({ me, ids }));
      return some.map(tell);
    });
  };
}

const isOfSlot = sql`${bookings.slotId} = ${slots.id}`;
/** What a slot takes with its bookings. */
const slotSize = sql`${sizeOf(slots)} + (SELECT total(${sizeOf(bookings)}) FROM bookings WHERE ${isOfSlot})`;
const inOrder = sql`${invitations.partyId}, ${invitations.invitee}`;

/** The lists that can be large, in the order in which they are told. */
const lists = {
  sessions: reading((me) => ({
    of: sessions,
    condition: eq(sessions.accountId, me),
    order: sql`${sessions.createdAt} DESC, ${sessions.id}`,
    rows: (condition) => orm.select().from(sessions).where(condition).orderBy(desc(sessions.createdAt), sessions.id),
    tell: exported,
  })),
  booked: reading((me) => ({
    of: slots,
    size: slotSize,
    condition: sql`${slots.id} IN (SELECT slot_id FROM bookings WHERE booker_id = ${me})`,
    order: sql`${slots.startsAt}, ${slots.id}`,
    rows: (condition) =>
      orm
        .select({ ...ofSlot, providerName: provider.displayName, own: nested(ofOwnBooking, 'own') })
        .from(bookings)
        .innerJoin(slots, eq(slots.id, bookings.slotId))
        .innerJoin(provider, eq(provider.id, slots.providerId))
        .where(and(eq(bookings.bookerId, me), condition))
        .orderBy(slots.startsAt, slots.id, bookings.number),
    tell: nestedRow,
  })),
  published: reading((me) => ({
    of: slots,
    size: slotSize,
    condition: eq(slots.providerId, me),
    order: sql`${slots.startsAt}, ${slots.id}`,
    rows: (condition) =>
      orm
        .select({ ...ofSlot, bookerName: accounts.displayName, own: nested(ofBooking, 'own') })
        .from(slots)
        .leftJoin(bookings, eq(bookings.slotId, slots.id))
        .leftJoin(accounts, eq(accounts.id, bookings.bookerId))
        .where(condition)
        .orderBy(slots.startsAt, slots.id, bookings.number),
    tell: nestedRow,
  })),
  templates: reading((me) => ({
    of: templates,
    condition: eq(templates.providerId, me),
    order: sql`${templates.createdAt}, ${templates.id}`,
    rows: (condition) => orm.select().from(templates).where(condition).orderBy(templates.createdAt, templates.id),
    tell: exported,
  })),
  hosted: reading((me) => ({
    of: parties,
    condition: eq(parties.providerId, me),
    order: sql`${parties.startsAt}, ${parties.id}`,
    rows: (condition) => orm.select().from(parties).where(condition).orderBy(parties.startsAt, parties.id),
    tell: exported,
  })),
  invited: reading((me) => ({
    of: invitations,
    condition: sql`${invitations.partyId} IN (SELECT id FROM parties WHERE provider_id = ${me})`,
    order: inOrder,
    rows: (condition) =>
      orm
        .select({ ...ofInvitation, answers: answersForHost.mapWith(invitations.answers).as('answers_for_host') })
        .from(invitations)
        .where(condition)
        .orderBy(inOrder),
    tell: exported,
  })),
  answered: reading((me) => ({
    of: invitations,
    condition: eq(invitations.accountId, me),
    order: inOrder,
    rows: (condition) =>
      orm
        .select({ ...ofInvitation, title: parties.title, startsAt: parties.startsAt, endsAt: parties.endsAt })
        .from(invitations)
        .innerJoin(parties, eq(parties.id, invitations.partyId))
        .where(condition)
        .orderBy(inOrder),
    tell: exported,
  })),
  messages: reading((me) => ({
    of: messages,
    condition: eq(messages.accountId, me),
    order: sql`${messages.createdAt} DESC, ${messages.id}`,
    rows: (condition) => orm.select().from(messages).where(condition).orderBy(desc(messages.createdAt), messages.id),
    tell: exported,
  })),
};

const accountOf = statement<{ me: string }>()(({ me }) =>
  orm
    .select({
      ...ofAccount,
      city: cities.name,
      // That it is on, never of what its codes are made.
      hasSecondFactor: sql<boolean>`${isFactorOn(me)}`.mapWith(Boolean).as('has_second_factor'),
    })
    .from(accounts)
    .leftJoin(cities, eq(cities.folded, accounts.city))
    .where(eq(accounts.id, me)),
);
/** One row at most, no larger than a call may be. */
const hoursOf = statement<{ me: string }>()(({ me }) => orm.select().from(hours).where(eq(hours.providerId, me)));

/**
 * Everything that the product has about the actor: what they typed, what they published, booked and answered, what they
 * were told. Of others there is what the actor sees on their screens: names, and the answers given to them.
 * @throws DomainError unauthenticated
 */
export async function exportAccount(db: Db, { accountId: me }: Actor, now: Instant): Promise<Export> {
  const [[[account], ownHours], ...read] = await Promise.all([
    db.run(accountOf({ me }), hoursOf({ me })),
    ...Object.entries(lists).map(async ([name, read]) => [name, await read(db, me)] as const),
  ]);
  if (!account) throw notLoggedIn();
  return {
    exportedAt: machineText(now),
    account: exported(account),
    hours: ownHours.map(exported),
    ...(Object.fromEntries(read) as Record<keyof typeof lists, Exported[] | Parts<Exported>>),
  };
}
