import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
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
import { type Built, orm } from '../../../db/statement';
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

/** Reads a list: in one trip where it fits into one part, else while it is sent. */
async function readList<Row>(
  db: Db,
  { of, size = sizeOf(of), condition, order, rows, tell }: List<Row>,
): Promise<Exported[] | Parts<Exported>> {
  const total = sql`(SELECT total(${size}) FROM ${of} WHERE ${condition})`;
  const [parts, few] = await db.run(
    selectParts(of, { id: of.id, size, condition, order }),
    rows(sql`${condition} AND ${total} < ${partSize}`),
  );
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) < partSize) return few.map(tell);
  return partsBy(parts, async ({ ids }) => {
    const [some] = await db.run(rows(sql`${condition} AND ${isOfPart(of.id, ids)}`));
    return some.map(tell);
  });
}

const isOfSlot = sql`${bookings.slotId} = ${slots.id}`;
/** What a slot takes with its bookings. */
const slotSize = sql`${sizeOf(slots)} + (SELECT total(${sizeOf(bookings)}) FROM bookings WHERE ${isOfSlot})`;
const inOrder = sql`${invitations.partyId}, ${invitations.invitee}`;

/** The lists that can be large, in the order in which they are told. */
const readLists = (db: Db, me: string) =>
  Promise.all([
    readList(db, {
      of: sessions,
      condition: eq(sessions.accountId, me),
      order: sql`${sessions.createdAt} DESC, ${sessions.id}`,
      rows: (condition) => orm.select().from(sessions).where(condition).orderBy(desc(sessions.createdAt), sessions.id),
      tell: exported,
    }),
    readList(db, {
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
    }),
    readList(db, {
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
    }),
    readList(db, {
      of: templates,
      condition: eq(templates.providerId, me),
      order: sql`${templates.createdAt}, ${templates.id}`,
      rows: (condition) => orm.select().from(templates).where(condition).orderBy(templates.createdAt, templates.id),
      tell: exported,
    }),
    readList(db, {
      of: parties,
      condition: eq(parties.providerId, me),
      order: sql`${parties.startsAt}, ${parties.id}`,
      rows: (condition) => orm.select().from(parties).where(condition).orderBy(parties.startsAt, parties.id),
      tell: exported,
    }),
    readList(db, {
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
    }),
    readList(db, {
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
    }),
    readList(db, {
      of: messages,
      condition: eq(messages.accountId, me),
      order: sql`${messages.createdAt} DESC, ${messages.id}`,
      rows: (condition) => orm.select().from(messages).where(condition).orderBy(desc(messages.createdAt), messages.id),
      tell: exported,
    }),
  ]);

/**
 * Everything that the product has about the actor: what they typed, what they published, booked and answered, what they
 * were told. Of others there is what the actor sees on their screens: names, and the answers given to them.
 * @throws DomainError unauthenticated
 */
export async function exportAccount(db: Db, { accountId: me }: Actor, now: Instant): Promise<Export> {
  const [[[account], ownHours], [ownSessions, booked, published, ownTemplates, hosted, invited, answered, told]] =
    await Promise.all([
      db.run(
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
        // One row at most, no larger than a call may be.
        orm.select().from(hours).where(eq(hours.providerId, me)),
      ),
      readLists(db, me),
    ]);
  if (!account) throw notLoggedIn();
  return {
    exportedAt: machineText(now),
    account: exported(account),
    sessions: ownSessions,
    booked,
    published,
    hours: ownHours.map(exported),
    templates: ownTemplates,
    hosted,
    invited,
    answered,
    messages: told,
  };
}
