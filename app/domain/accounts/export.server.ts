import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
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
import { orm } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import { answersForHost } from '../parties/invitations.server';
import { type Instant, machineText } from '../time/clock';
import type { Actor } from './accounts';
import { isFactorOn } from './proofs.server';

/** A row as the export has it: each column under its name, instants as ISO 8601. */
type Exported = Record<string, unknown>;

/** Everything about one account. */
export type Export = { exportedAt: string; account: Exported } & Record<
  'sessions' | 'booked' | 'published' | 'hours' | 'templates' | 'hosted' | 'invited' | 'answered' | 'messages',
  Exported[]
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

/**
 * Everything that the product has about the actor: what they typed, what they published, booked and answered, what they
 * were told. Of others there is what the actor sees on their screens: names, and the answers given to them.
 * @throws DomainError unauthenticated
 */
export async function exportAccount(db: Db, { accountId: me }: Actor, now: Instant): Promise<Export> {
  const mySlots = eq(slots.providerId, me);
  const [[account], ownSessions, booked, published, ownHours, ownTemplates, hosted, invited, answered, told] =
    await db.run(
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
      orm.select().from(sessions).where(eq(sessions.accountId, me)).orderBy(desc(sessions.createdAt)),
      orm
        .select({ ...ofSlot, providerName: provider.displayName, own: nested(ofOwnBooking, 'own') })
        .from(bookings)
        .innerJoin(slots, eq(slots.id, bookings.slotId))
        .innerJoin(provider, eq(provider.id, slots.providerId))
        .where(eq(bookings.bookerId, me))
        .orderBy(bookings.startsAt),
      orm
        .select({ ...ofSlot, bookerName: accounts.displayName, own: nested(ofBooking, 'own') })
        .from(slots)
        .leftJoin(bookings, eq(bookings.slotId, slots.id))
        .leftJoin(accounts, eq(accounts.id, bookings.bookerId))
        .where(mySlots)
        .orderBy(slots.startsAt),
      orm.select().from(hours).where(eq(hours.providerId, me)),
      orm.select().from(templates).where(eq(templates.providerId, me)).orderBy(templates.createdAt),
      orm.select().from(parties).where(eq(parties.providerId, me)).orderBy(parties.startsAt),
      orm
        .select({ ...ofInvitation, answers: answersForHost.mapWith(invitations.answers).as('answers_for_host') })
        .from(invitations)
        .where(
          inArray(invitations.partyId, orm.select({ id: parties.id }).from(parties).where(eq(parties.providerId, me))),
        ),
      orm
        .select({ ...ofInvitation, title: parties.title, startsAt: parties.startsAt, endsAt: parties.endsAt })
        .from(invitations)
        .innerJoin(parties, eq(parties.id, invitations.partyId))
        .where(eq(invitations.accountId, me)),
      orm.select().from(messages).where(eq(messages.accountId, me)).orderBy(desc(messages.createdAt)),
    );
  if (!account) throw notLoggedIn();
  return {
    exportedAt: machineText(now),
    account: exported(account),
    sessions: ownSessions.map(exported),
    booked: booked.map(nestedRow),
    published: published.map(nestedRow),
    hours: ownHours.map(exported),
    templates: ownTemplates.map(exported),
    hosted: hosted.map(exported),
    invited: invited.map(exported),
    answered: answered.map(exported),
    messages: told.map(exported),
  };
}
