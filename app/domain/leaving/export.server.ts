import { desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import {
  accounts,
  bookings,
  busyFeeds,
  busyTimes,
  cities,
  colleagues,
  formerColleagues,
  hours,
  invitations,
  messages,
  parties,
  people,
  personAliases,
  services,
  sessions,
  slots,
  standingTimes,
  templates,
  webhooks,
  wishes,
} from '../../../db/schema';
import { type Built, orm, statement } from '../../../db/statement';
import { bytesOf, isOfPart, partSize, selectParts, sumOf } from '../../../db/streamed-list';
import { notLoggedIn } from '../errors';
import { isFactorOn } from '../login/proofs.server';
import { answersForHost } from '../parties/invitations.server';
import type { Actor } from '../profile/accounts';
import { nameOfShop } from '../shop/in-shop.server';
import { type Parts, partsBy } from '../streamed-list';
import { type Instant, machineText } from '../time/clock';
import { inEnglish } from '../words/english';

/** Column names with values; instants as ISO 8601. */
type ExportedRow = Record<string, unknown>;

export type Export = {
  exportedAt: string;
  account: ExportedRow;
  shop: ExportedRow | null;
  formerShops: ExportedRow[];
  hours: ExportedRow[];
  otherCalendars: ExportedRow[];
  busyTimes: ExportedRow[];
  webhooks: ExportedRow[];
  services: ExportedRow[];
} & Record<
  | 'sessions'
  | 'people'
  | 'mergedCards'
  | 'booked'
  | 'published'
  | 'appointments'
  | 'templates'
  | 'hosted'
  | 'invited'
  | 'answered'
  | 'standingTimes'
  | 'keptTimes'
  | 'waitsFor'
  | 'waiting'
  | 'messages',
  ExportedRow[] | Parts<ExportedRow>
>;

/** Keeps all columns but the named ones, so that a new column can't be forgotten. */
function without<Columns extends object, Name extends keyof Columns>(columns: Columns, ...names: Name[]) {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !(names as string[]).includes(name))) as Omit<
    Columns,
    Name
  >;
}

// Hashes, seeds and seals are secrets or come from them; folded texts and sort keys repeat what is exported.
const accountColumns = without(
  getTableColumns(accounts),
  'passwordHash',
  'emailHash',
  'emailBy',
  'usernameFolded',
  'displayPlain',
  'displaySortKey',
  'houseRules',
);
const bookingColumns = without(getTableColumns(bookings), 'linkSeed', 'codeHash', 'emailHash');
const ownBookingColumns = without(bookingColumns, 'privateNote', 'bookerId', 'personId', 'attendance');
const invitationColumns = without(
  getTableColumns(invitations),
  'linkHash',
  'nameSortKey',
  'invitee',
  'emailHash',
  'withheldMail',
);
const slotColumns = without(getTableColumns(slots), 'publication');
const cardColumns = without(getTableColumns(people), 'nameSortKey', 'emailFolded', 'phoneDigits');
const aliasColumns = without(getTableColumns(personAliases), 'phoneDigits');
const messageColumns = without(getTableColumns(messages), 'emailHash', 'isLimited');
const serviceColumns = without(getTableColumns(services), 'nameFolded');
const busyFeedColumns = without(getTableColumns(busyFeeds), 'sealed', 'etag', 'digest');
const webhookColumns = without(getTableColumns(webhooks), 'url', 'secret', 'lastNumber');
const wishColumns = without(getTableColumns(wishes), 'linkSeed', 'askedBy', 'lastAt', 'clock', 'readerClock');
// These columns belong to the provider: the card, and the dates that could not be booked.
const standingColumns = without(getTableColumns(standingTimes), 'personId', 'bookerId', 'missed');
const waitingColumns = without(wishColumns, 'phone', 'passed', 'letPass', 'insteadOf');

const isInstant = (name: string, value: unknown): value is Instant => /At$/.test(name) && typeof value === 'number';

function exportRow(row: object): ExportedRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isInstant(name, value) ? machineText(value) : value]),
  );
}

const provider = alias(accounts, 'provider');

/** How many bytes the column names of a row take. */
const rowSize = 600;
const sizeOf = (table: SQLiteTable) => sql`${sumOf(Object.values(getTableColumns(table)).map(bytesOf))} + ${rowSize}`;

type List<Row> = {
  table: SQLiteTable & { id: SQLiteColumn };
  condition: SQL;
  order: SQL;
  rows: (condition: SQL) => Built & { _: { result: Row[] } };
  toRow: (row: Row) => ExportedRow;
};

/** A longer list is streamed, whatever its size: counting rows is cheaper than measuring them. */
const shortList = 200;

/** Reads a short list in one round trip, and a long one in parts while it is sent. */
function listReader<Row>(listOf: (me: Placeholder) => List<Row>) {
  const selectFirst = statement<{ me: string }>()(({ me }) => {
    const { table, condition } = listOf(me);
    return orm.select({ id: table.id }).from(table).where(condition).limit(1);
  });
  const selectWhole = statement<{ me: string }>()(({ me }) => {
    const { table, condition, rows } = listOf(me);
    const isShort = sql`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${condition} LIMIT ${shortList + 1})) <= ${shortList}`;
    const total = sql`(SELECT total(${sizeOf(table)}) FROM ${table} WHERE ${condition})`;
    return rows(sql`${condition} AND iif(${isShort}, ${total} < ${partSize}, 0)`);
  });
  const selectIds = statement<{ me: string }>()(({ me }) => {
    const { table, condition, order } = listOf(me);
    return selectParts(table, { id: table.id, size: sizeOf(table), condition, order });
  });
  const selectPart = statement<{ me: string; ids: string }>()(({ me, ids }) => {
    const { table, condition, rows } = listOf(me);
    return rows(sql`${condition} AND ${isOfPart(table.id, ids)}`);
  });
  const { toRow } = listOf(sql.placeholder('me'));
  return async (db: Db, me: string): Promise<ExportedRow[] | Parts<ExportedRow>> => {
    const [first, whole] = await db.run(selectFirst({ me }), selectWhole({ me }));
    if (whole.length > 0 || first.length === 0) return whole.map(toRow);
    const parts = async () => (await db.run(selectIds({ me })))[0];
    return partsBy(parts, async ({ ids }) => {
      const [rows] = await db.run(selectPart({ me, ids }));
      return rows.map(toRow);
    });
  };
}

const byParty = sql`${invitations.partyId}, ${invitations.invitee}`;
const byTime = sql`${bookings.startsAt}, ${bookings.id}`;

const lists = {
  sessions: listReader((me) => ({
    table: sessions,
    condition: eq(sessions.accountId, me),
    order: sql`${sessions.createdAt} DESC, ${sessions.id}`,
    rows: (condition) => orm.select().from(sessions).where(condition).orderBy(desc(sessions.createdAt), sessions.id),
    toRow: exportRow,
  })),
  people: listReader((me) => ({
    table: people,
    condition: eq(people.providerId, me),
    order: sql`${people.nameSortKey}, ${people.id}`,
    rows: (condition) =>
      orm
        .select({
          ...cardColumns,
          accountName: sql<string | null>`${accounts.displayName}`.mapWith(accounts.displayName).as('account_name'),
        })
        .from(people)
        .leftJoin(accounts, eq(accounts.id, people.id))
        .where(condition)
        .orderBy(people.nameSortKey, people.id),
    toRow: exportRow,
  })),
  mergedCards: listReader((me) => ({
    table: personAliases,
    condition: eq(personAliases.providerId, me),
    order: sql`${personAliases.personId}, ${personAliases.id}`,
    rows: (condition) =>
      orm.select(aliasColumns).from(personAliases).where(condition).orderBy(personAliases.personId, personAliases.id),
    toRow: exportRow,
  })),
  booked: listReader((me) => ({
    table: bookings,
    condition: eq(bookings.bookerId, me),
    order: byTime,
    rows: (condition) =>
      orm
        .select({ ...ownBookingColumns, providerName: provider.displayName, shopName: nameOfShop.as('shop_name') })
        .from(bookings)
        .innerJoin(provider, eq(provider.id, bookings.providerId))
        .where(condition)
        .orderBy(byTime),
    toRow: exportRow,
  })),
  published: listReader((me) => ({
    table: slots,
    condition: eq(slots.providerId, me),
    order: sql`${slots.startsAt}`,
    rows: (condition) => orm.select(slotColumns).from(slots).where(condition).orderBy(slots.startsAt),
    toRow: exportRow,
  })),
  appointments: listReader((me) => ({
    table: bookings,
    condition: eq(bookings.providerId, me),
    order: byTime,
    rows: (condition) =>
      orm
        .select({ ...bookingColumns, bookerName: accounts.displayName })
        .from(bookings)
        .innerJoin(accounts, eq(accounts.id, bookings.bookerId))
        .where(condition)
        .orderBy(byTime),
    toRow: exportRow,
  })),
  templates: listReader((me) => ({
    table: templates,
    condition: eq(templates.providerId, me),
    order: sql`${templates.createdAt}, ${templates.id}`,
    rows: (condition) => orm.select().from(templates).where(condition).orderBy(templates.createdAt, templates.id),
    toRow: exportRow,
  })),
  hosted: listReader((me) => ({
    table: parties,
    condition: eq(parties.providerId, me),
    order: sql`${parties.startsAt}, ${parties.id}`,
    rows: (condition) => orm.select().from(parties).where(condition).orderBy(parties.startsAt, parties.id),
    toRow: exportRow,
  })),
  invited: listReader((me) => ({
    table: invitations,
    condition: sql`${invitations.partyId} IN (SELECT id FROM parties WHERE provider_id = ${me})`,
    order: byParty,
    rows: (condition) =>
      orm
        .select({ ...invitationColumns, answers: answersForHost.mapWith(invitations.answers).as('answers_for_host') })
        .from(invitations)
        .where(condition)
        .orderBy(byParty),
    toRow: exportRow,
  })),
  answered: listReader((me) => ({
    table: invitations,
    condition: eq(invitations.accountId, me),
    order: byParty,
    rows: (condition) =>
      orm
        .select({ ...invitationColumns, title: parties.title, startsAt: parties.startsAt, endsAt: parties.endsAt })
        .from(invitations)
        .innerJoin(parties, eq(parties.id, invitations.partyId))
        .where(condition)
        .orderBy(byParty),
    toRow: exportRow,
  })),
  standingTimes: listReader((me) => ({
    table: standingTimes,
    condition: eq(standingTimes.bookerId, me),
    order: sql`${standingTimes.providerId}, ${standingTimes.id}`,
    rows: (condition) =>
      orm
        .select({ ...standingColumns, providerName: provider.displayName })
        .from(standingTimes)
        .innerJoin(provider, eq(provider.id, standingTimes.providerId))
        .where(condition)
        .orderBy(standingTimes.providerId, standingTimes.id),
    toRow: exportRow,
  })),
  keptTimes: listReader((me) => ({
    table: standingTimes,
    condition: eq(standingTimes.providerId, me),
    order: sql`${standingTimes.id}`,
    rows: (condition) => orm.select().from(standingTimes).where(condition).orderBy(standingTimes.id),
    toRow: exportRow,
  })),
  waitsFor: listReader((me) => ({
    table: wishes,
    condition: eq(wishes.accountId, me),
    order: sql`${wishes.askedAt}, ${wishes.id}`,
    rows: (condition) =>
      orm
        .select({ ...wishColumns, providerName: provider.displayName })
        .from(wishes)
        .innerJoin(provider, eq(provider.id, wishes.providerId))
        .where(condition)
        .orderBy(wishes.askedAt, wishes.id),
    toRow: exportRow,
  })),
  waiting: listReader((me) => ({
    table: wishes,
    condition: eq(wishes.providerId, me),
    order: sql`${wishes.askedAt}, ${wishes.id}`,
    rows: (condition) =>
      orm
        .select({ ...waitingColumns, waiterName: accounts.displayName })
        .from(wishes)
        .innerJoin(accounts, eq(accounts.id, wishes.accountId))
        .where(condition)
        .orderBy(wishes.askedAt, wishes.id),
    toRow: exportRow,
  })),
  messages: listReader((me) => ({
    table: messages,
    condition: eq(messages.accountId, me),
    order: sql`${messages.createdAt} DESC, ${messages.id}`,
    rows: (condition) =>
      orm.select(messageColumns).from(messages).where(condition).orderBy(desc(messages.createdAt), messages.id),
    toRow: exportRow,
  })),
};

const selectAccount = statement<{ me: string }>()(({ me }) =>
  orm
    .select({
      ...accountColumns,
      city: cities.name,
      // Only whether there is one, never the secret.
      hasSecondFactor: sql<boolean>`${isFactorOn(me)}`.mapWith(Boolean).as('has_second_factor'),
    })
    .from(accounts)
    .leftJoin(cities, eq(cities.folded, accounts.city))
    .where(eq(accounts.id, me)),
);
const selectShop = statement<{ me: string }>()(({ me }) =>
  orm
    .select({
      username: accounts.username,
      name: accounts.displayName,
      role: colleagues.role,
      takesAppointments: colleagues.takes,
      joinedAt: colleagues.joinedAt,
      ownRules: colleagues.ownRules,
    })
    .from(colleagues)
    .innerJoin(accounts, eq(accounts.id, colleagues.shopId))
    .where(eq(colleagues.accountId, me)),
);
const selectFormerShops = statement<{ me: string }>()(({ me }) =>
  orm
    .select({ username: accounts.username, name: accounts.displayName, leftAt: formerColleagues.leftAt })
    .from(formerColleagues)
    .innerJoin(accounts, eq(accounts.id, formerColleagues.shopId))
    .where(eq(formerColleagues.accountId, me))
    .orderBy(formerColleagues.leftAt),
);
/** One row, which is no larger than the input of a call may be. */
const selectHours = statement<{ me: string }>()(({ me }) => orm.select().from(hours).where(eq(hours.providerId, me)));
const selectBusyFeeds = statement<{ me: string }>()(({ me }) =>
  orm.select(busyFeedColumns).from(busyFeeds).where(eq(busyFeeds.providerId, me)).orderBy(busyFeeds.place),
);
const selectWebhooks = statement<{ me: string }>()(({ me }) =>
  orm.select(webhookColumns).from(webhooks).where(eq(webhooks.providerId, me)).orderBy(webhooks.madeAt),
);
/** Each calendar has at most a thousand. */
const selectBusyTimes = statement<{ me: string }>()(({ me }) =>
  orm.select().from(busyTimes).where(eq(busyTimes.providerId, me)).orderBy(busyTimes.startsAt),
);
const selectServices = statement<{ me: string }>()(({ me }) =>
  orm.select(serviceColumns).from(services).where(eq(services.providerId, me)).orderBy(services.place),
);

/**
 * Exports all data of the actor's account. About other people it has only what the actor's screens show.
 * @throws DomainError unauthenticated
 */
export async function exportAccount(db: Db, { accountId: me }: Actor, now: Instant): Promise<Export> {
  const [base, ...longLists] = await Promise.all([
    db.run({
      account: selectAccount({ me }),
      shop: selectShop({ me }),
      formerShops: selectFormerShops({ me }),
      hours: selectHours({ me }),
      otherCalendars: selectBusyFeeds({ me }),
      busyTimes: selectBusyTimes({ me }),
      services: selectServices({ me }),
      webhooks: selectWebhooks({ me }),
    }),
    ...Object.entries(lists).map(async ([name, read]) => [name, await read(db, me)] as const),
  ]);
  const [account] = base.account;
  if (!account) throw notLoggedIn();
  return {
    exportedAt: machineText(now),
    account: exportRow(account),
    shop: base.shop[0] ? exportRow(base.shop[0]) : null,
    formerShops: base.formerShops.map(exportRow),
    hours: base.hours.map(exportRow),
    otherCalendars: base.otherCalendars.map((row) => exportRow({ ...row, doubts: row.doubts.map(inEnglish) })),
    busyTimes: base.busyTimes.map(exportRow),
    services: base.services.map(exportRow),
    webhooks: base.webhooks.map(exportRow),
    ...(Object.fromEntries(longLists) as Record<keyof typeof lists, ExportedRow[] | Parts<ExportedRow>>),
  };
}
