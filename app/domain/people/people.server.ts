import { and, asc, desc, eq, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, type SQLiteSelect } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, people } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isBooked, wasBooked } from '../../../db/states';
import { addressAsSent, digitsOf, type Page, pageOf } from '../input/fields';
import { fold, wordsOf } from '../input/fold';
import { pageSize } from '../input/limits';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { idEndOf, referenceFrom } from '../services/references';
import type { Parts } from '../streamed-list';
import type { Instant, LocalDate } from '../time/clock';
import type { Attendance, AttendanceCounts } from './attendance-words';
import { aliasOf } from './card-of.server';
import { bookingsOnCards, isOnCard } from './cards.server';
import { guestLinkSourceOf, languageOfClient, linkSourceOf } from './client-columns.server';
import type { Card, ListedCard, ShownCard, WholeCard } from './people';
import { aboutBooking, type TextAbout } from './texts.server';

// A provider's clients. No provider sees another's.

export const cardColumns = {
  id: people.id,
  name: sql<string>`coalesce(${people.name}, ${accounts.displayName}, '')`
    .mapWith(accounts.displayName)
    .as('person_name'),
  username: accounts.username,
  email: sql<string | null>`${people.email}`.as('person_email'),
  phone: people.phone,
  seen: people.seen,
  excused: people.excused,
  missed: people.missed,
};

const nearest = (now: SQLWrapper, isComing: boolean, shown = sql`starts_at`): SQL => sql`(
  SELECT ${shown} FROM bookings_on_cards AS bookings WHERE provider_id = ${people.providerId} AND card_id = ${people.id} AND ${isBooked()}
    AND starts_at ${sql.raw(isComing ? '>' : '<=')} ${now} ORDER BY starts_at ${sql.raw(isComing ? '' : 'DESC')} LIMIT 1)`;
const listedColumns = (now: SQLWrapper) => ({
  ...cardColumns,
  next: sql<Instant | null>`${nearest(now, true)}`.as('next_at'),
  last: sql<Instant | null>`${nearest(now, false)}`.as('last_at'),
});
const shownColumns = (now: SQLWrapper) => ({ ...listedColumns(now), note: people.note });
const wholeColumns = (now: SQLWrapper) => ({
  ...shownColumns(now),
  booked: sql<number>`(WITH booked AS MATERIALIZED (SELECT 1 FROM bookings_on_cards
    WHERE provider_id = ${people.providerId} AND card_id = ${people.id} AND ${isBooked()}) SELECT count(*) FROM booked)`.as(
    'booked',
  ),
});

const latestService = sql<string | null>`(
  SELECT service_id FROM bookings_on_cards WHERE provider_id = ${people.providerId} AND card_id = ${people.id} AND ${isBooked()}
    ORDER BY starts_at DESC LIMIT 1)`.as('latest_service');

type Searched = { words: string; q: string; digits: string; idEnd: string };
type PlaceholdersOf<Values> = { [Name in keyof Values]: Placeholder };

/** SQL: people with a booking that has this reference. Its index finds the few bookings with it. */
const withReference = ({ me, idEnd }: PlaceholdersOf<Pick<Search, 'me' | 'idEnd'>>) =>
  sql`SELECT paying.person_id FROM bookings AS paying INDEXED BY bookings_by_reference WHERE ${ownedBy(me, 'paying')}
    AND paying.deposit IS NOT NULL AND substr(coalesce(paying.calendar_id, paying.id), -8) = ${idEnd} AND ${wasBooked('paying')}`;

// The sort key begins with the name without accents.
const isFound = ({
  me,
  words,
  q,
  digits,
  idEnd,
}: PlaceholdersOf<Searched & { me: string }>) => sql`(NOT EXISTS (SELECT 1 FROM json_each(${words})
    WHERE instr(${people.nameSortKey}, value) = 0 AND ifnull(instr(${people.emailFolded}, value), 0) = 0)
  OR instr(${people.emailFolded}, ${q}) > 0 OR ${digits} <> '' AND instr(${people.phoneDigits}, ${digits}) > 0
  OR ${idEnd} <> '' AND ${people.id} IN (${withReference({ me, idEnd })}))`;

const searched = (q: string): Searched => ({
  words: JSON.stringify(wordsOf(q)),
  // A whole address is looked for as it is stored.
  q: addressAsSent(q)?.toLowerCase() ?? fold(q.trim()),
  // The digits, if the text can be a phone number.
  digits: (/^[\d\s+\-()/.]{3,}$/.test(q.trim()) && digitsOf(q)) || '',
  idEnd: idEndOf(q) ?? '',
});

type Search = Searched & { me: string; now: Instant; skip: number };

const isListed = (isSearch: boolean, search: PlaceholdersOf<Searched & { me: string }>) =>
  and(ownedBy(search.me, people), isSearch ? isFound(search) : undefined);

/** The page of those cards that are the provider's, by name. */
const byName = <Cards extends SQLiteSelect>(cards: Cards, isSearch: boolean, search: PlaceholdersOf<Search>) =>
  cards
    .where(isListed(isSearch, search))
    .orderBy(asc(people.nameSortKey), asc(people.id))
    .limit(pageSize + 1)
    .offset(search.skip);

const listed = statementBy<{ isSearch: boolean; isToBook: boolean }, Search>()(({ isSearch, isToBook }, search) => {
  const columns = {
    ...listedColumns(search.now),
    latestService: isToBook ? latestService : sql<null>`NULL`.as('latest_service'),
  };
  const cards = orm.select(columns).from(people).leftJoin(accounts, eq(accounts.id, people.id));
  return byName(cards.$dynamic(), isSearch, search);
});

type Next = Pick<Visit, 'id' | 'startsAt' | 'timeZone'> & {
  lang: string | null;
  linkSource: string | null;
  isOwn?: boolean;
};

/** What a text to a client is about: their next appointment, or none. */
function aboutPerson({ phone, lang }: { phone: string | null; lang: string | null }, next: Next | null = null) {
  const about = next && aboutBooking(next, { ...next, lang: next.lang ?? lang }, phone);
  if (about) return next.isOwn === false ? { ...about, path: undefined } : about;
  return phone === null ? null : { lang };
}

// For whom the provider has booked from the card.
const guest = alias(accounts, 'guest');

type NextBooking = [id: string, startsAt: Instant, timeZone: string, linkSource: string | null, bookerId: string];

const listedToText = statementBy<{ isSearch: boolean }, Search>()(({ isSearch }, search) => {
  const { next: _, ...columns } = listedColumns(search.now);
  // A view of two parts is read by its indexes only if it is sorted by a column that is selected.
  const nearestRow = nearest(search.now, true, sql`starts_at, id, time_zone, link_seed, calendar_id, booker_id`);
  const nextBooking = sql`(SELECT json_array(id, starts_at, time_zone, ${linkSourceOf}, booker_id) FROM ${nearestRow} AS bookings)`;
  const cards = orm
    .select({
      ...columns,
      lang: sql<string | null>`coalesce(${languageOfClient(accounts)}, ${languageOfClient(guest)})`.as('client_lang'),
      guestId: sql<string | null>`iif(${guest.username} IS NULL, ${guest.id}, NULL)`.as('guest_id'),
      nextBooking: sql<NextBooking | null>`${nextBooking}`
        .mapWith((stored: string): NextBooking => JSON.parse(stored))
        .as('next_booking'),
    })
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .leftJoin(guest, eq(guest.id, people.bookerId));
  return byName(cards.$dynamic(), isSearch, search);
});

const listedWhole = statementBy<{ isSearch: boolean }, Search>()(({ isSearch }, search) => {
  const cards = orm.select(wholeColumns(search.now)).from(people).leftJoin(accounts, eq(accounts.id, people.id));
  return byName(cards.$dynamic(), isSearch, search);
});

/**
 * `q` is parts of a name in any order, a part of an e-mail address or a phone number, or the reference of a deposit; case and
 * accents don't count.
 */
type Filter = { q?: string; page: number };
const searchOf = ({ accountId: me }: Actor, { q = '', page }: Filter, now: Instant) => {
  const search = searched(q);
  return { isSearch: search.words !== '[]', values: { me, ...search, now, skip: page * pageSize } };
};

/** A card from a list to book one from, with the service of their latest appointment. */
export type CardToBook = ListedCard & { latestService: string | null };

/**
 * Lists the actor's people by name. A search reads a row for each of them.
 * @param isToBook reads `latestService` too; it is null in other lists
 */
export async function listPeople(
  db: Db,
  actor: Actor,
  { isToBook = false, ...filter }: Filter & { isToBook?: boolean },
  now: Instant,
): Promise<Page<CardToBook>> {
  const { isSearch, values } = searchOf(actor, filter, now);
  const [rows] = await db.run(listed({ isSearch, isToBook }, values));
  return pageOf(rows);
}

type Guests = { id: string; username: string | null; guestId: string | null };

/** The next appointment of a card. Its link is a guest's: of whoever else is on the card we read no account here. */
function nextOf({ id: cardId, username, guestId }: Guests, found: NextBooking | null): Next | null {
  if (!found) return null;
  const [id, startsAt, timeZone, linkSource, bookerId] = found;
  const isOwn = bookerId === cardId;
  const isGuest = bookerId === guestId || (isOwn && username === null);
  return { id, startsAt, timeZone, lang: null, linkSource: isGuest ? linkSource : null, isOwn };
}

/** A card from a list, and what a text to its client is about; null without a number. */
type CardToText = ListedCard & { about: TextAbout | null };

/** Lists people as listPeople does, for a page with links to text them. */
export async function listPeopleToText(db: Db, actor: Actor, filter: Filter, now: Instant): Promise<Page<CardToText>> {
  const { isSearch, values } = searchOf(actor, filter, now);
  const [rows] = await db.run(listedToText({ isSearch }, values));
  return pageOf(
    rows.map(({ lang, guestId, nextBooking, ...card }) => ({
      ...card,
      next: nextBooking?.[1] ?? null,
      about: aboutPerson({ phone: card.phone, lang }, nextOf({ ...card, guestId }, nextBooking)),
    })),
  );
}

/** Lists people with notes and the number of appointments, for which it reads all their appointments. */
export async function listWholePeople(db: Db, actor: Actor, filter: Filter, now: Instant): Promise<Page<WholeCard>> {
  const { isSearch, values } = searchOf(actor, filter, now);
  const [rows] = await db.run(listedWhole({ isSearch }, values));
  return pageOf(rows);
}

export type Visit = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  name: string; // as given with this booking
  service: string | null;
  attendance: Attendance | null;
  deposit: string | null;
  reference: string | null; // of the deposit
  paid: boolean;
  privateNote: string | null;
};

type One = { me: string; id: string; now: Instant };

/** Selects a card by its id, or by the id of a card that was merged into it. */
export const selectCard = statement<One>()(({ me, id, now }) =>
  orm
    .select(shownColumns(now))
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .where(and(ownedBy(me, people), eq(people.id, aliasOf(me, id)))),
);

const selectCardToText = statement<One>()(({ me, id, now }) =>
  orm
    .select({ ...shownColumns(now), lang: languageOfClient(accounts).as('client_lang') })
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .where(and(ownedBy(me, people), eq(people.id, aliasOf(me, id)))),
);

/** Selects a card and counts all its appointments. */
export const selectWholeCard = statement<One>()(({ me, id, now }) =>
  orm
    .select(wholeColumns(now))
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .where(and(ownedBy(me, people), eq(people.id, aliasOf(me, id)))),
);

const visits = statementBy<{ isPast: boolean }, { me: string; id: string; now: Instant; skip: number }>()(
  ({ isPast }, { me, id, now, skip }) =>
    orm
      .select({
        id: sql<string>`${bookings.id}`.as('booking_id'),
        startsAt: bookings.startsAt,
        endsAt: bookings.endsAt,
        date: bookings.localDate,
        timeZone: bookings.timeZone,
        name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('booker_name'),
        service: bookings.serviceName,
        attendance: bookings.attendance,
        deposit: bookings.deposit,
        reference: sql<
          string | null
        >`iif(${bookings.deposit} IS NULL, NULL, coalesce(${bookings.calendarId}, ${bookings.id}))`
          .mapWith((entryId: string) => referenceFrom(entryId))
          .as('entry_id'),
        paid: bookings.paid,
        privateNote: bookings.privateNote,
        lang: languageOfClient(accounts).as('client_lang'),
        linkSource: guestLinkSourceOf(accounts).as('guest_link'),
      })
      .from(bookingsOnCards)
      .innerJoin(accounts, eq(accounts.id, bookings.bookerId))
      .where(
        and(
          isOnCard(me, aliasOf(me, id)),
          isBooked(bookings),
          isPast ? sql`${bookings.startsAt} <= ${now}` : sql`${bookings.startsAt} > ${now}`,
        ),
      )
      .orderBy(isPast ? desc(bookings.startsAt) : asc(bookings.startsAt))
      .limit(pageSize + 1)
      .offset(skip),
);

const latestVisit = statement<{ me: string; id: string }>()(({ me, id }) =>
  orm
    .select({
      id: sql<string>`${bookings.id}`.as('booking_id'),
      serviceId: bookings.serviceId,
      startsAt: bookings.startsAt,
    })
    .from(bookingsOnCards)
    .where(and(isOnCard(me, aliasOf(me, id)), isBooked(bookings)))
    .orderBy(desc(bookings.startsAt))
    .limit(1),
);

const mostAlike = 5;

// Each part has its own index, and reads a few rows.
const similarPeople = statement<{ me: string; id: string }>()(({ me, id }) =>
  orm
    .select(cardColumns)
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .where(
      and(
        ownedBy(me, people),
        sql`${people.id} IN (
          SELECT other.id FROM people AS one CROSS JOIN people AS other ON other.provider_id = one.provider_id
              AND other.name_sort_key = one.name_sort_key
            WHERE ${ownedBy(me, 'one')} AND one.id = ${aliasOf(me, id)} AND one.name_sort_key <> '' AND other.id <> one.id
          UNION SELECT other.id FROM people AS one CROSS JOIN people AS other ON other.provider_id = one.provider_id
              AND other.email_folded = one.email_folded
            WHERE ${ownedBy(me, 'one')} AND one.id = ${aliasOf(me, id)} AND other.id <> one.id
          UNION SELECT other.id FROM people AS one CROSS JOIN people AS other ON other.provider_id = one.provider_id
              AND other.phone_digits = one.phone_digits
            WHERE ${ownedBy(me, 'one')} AND one.id = ${aliasOf(me, id)} AND other.id <> one.id
          LIMIT ${sql.raw(String(mostAlike))})`,
      ),
    )
    .orderBy(asc(people.id)),
);

type VisitRow = Visit & { lang: string | null; linkSource: string | null };
const visitOf = ({ lang: _, linkSource: __, ...visit }: VisitRow): Visit => visit;

/**
 * Reads a client: a page of past appointments, the next twenty, the very last, and other cards with the same name,
 * e-mail address or phone number.
 * @throws DomainError not_found
 */
export async function getPerson(db: Db, actor: Actor, id: string, page: number, now: Instant) {
  const values = { me: actor.accountId, id, now };
  const { card, coming, past, latest, others } = await db.run({
    card: selectCardToText(values),
    coming: visits({ isPast: false }, { ...values, skip: 0 }),
    past: visits({ isPast: true }, { ...values, skip: page * pageSize }),
    latest: latestVisit({ me: actor.accountId, id }),
    others: similarPeople({ me: actor.accountId, id }),
  });
  const [found] = card;
  if (!found) throw notFound('person');
  const { lang, ...person } = found;
  const [next] = coming;
  return {
    person: { ...(person satisfies ShownCard), about: aboutPerson({ phone: person.phone, lang }, next) },
    coming: pageOf(coming.map(visitOf)),
    past: pageOf(past.map(visitOf)),
    latest: latest[0] ?? null,
    alike: others satisfies Card[],
  };
}

/** Reads a card. @throws DomainError not_found */
export async function getCard(db: Db, actor: Actor, id: string, now: Instant): Promise<ShownCard> {
  const [[card]] = await db.run(selectCard({ me: actor.accountId, id, now }));
  if (!card) throw notFound('person');
  return card;
}

const ofFile = 500;

const afterCard = statement<{ me: string; name: string; id: string }>()(({ me, name, id }) =>
  orm
    .select({ ...cardColumns, note: people.note, nameSortKey: people.nameSortKey })
    .from(people)
    .leftJoin(accounts, eq(accounts.id, people.id))
    .where(and(ownedBy(me, people), sql`(${people.nameSortKey}, ${people.id}) > (${name}, ${id})`))
    .orderBy(asc(people.nameSortKey), asc(people.id))
    .limit(ofFile),
);

/** Reads the actor's people by name, some hundreds at a time, while they are sent. */
export const peopleInParts = (db: Db, { accountId: me }: Actor): Parts<Card & { note: string | null }> => ({
  async *[Symbol.asyncIterator]() {
    for (let from = { name: '', id: '' }; ; ) {
      const [rows] = await db.run(afterCard({ me, ...from }));
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < ofFile) return;
      from = { name: last.nameSortKey, id: last.id };
    }
  },
});

/** Reads a card with the number of its appointments. @throws DomainError not_found */
export async function getWholeCard(db: Db, actor: Actor, id: string, now: Instant): Promise<WholeCard> {
  const [[card]] = await db.run(selectWholeCard({ me: actor.accountId, id, now }));
  if (!card) throw notFound('person');
  return card;
}

const ofBooking = statement<{ me: string; booking: string }>()(({ me, booking }) =>
  orm
    .select({
      id: people.id,
      phone: people.phone,
      seen: people.seen,
      excused: people.excused,
      missed: people.missed,
    })
    .from(people)
    .where(
      and(
        ownedBy(me, people),
        sql`${people.id} = (SELECT ${bookings.personId} FROM ${bookings} WHERE ${hasId(bookings, booking)})`,
      ),
    ),
);

/** A client's card as the page of a booking shows it. */
export type Record = AttendanceCounts & Pick<Card, 'id' | 'phone'>;

/**
 * Finds the card for a booking, and how often the client came to the actor. Undefined if there is none, or the booking
 * is another provider's.
 */
export async function findRecord(db: Db, actor: Actor, booking: string): Promise<Record | undefined> {
  const [[found]] = await db.run(ofBooking({ me: actor.accountId, booking }));
  return found;
}
