import { and, asc, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { RuleBroken } from '../../../db/errors';
import { hasId, providerIn, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Appointment } from '../bookings/appointments';
import { appointment, selectBookings } from '../bookings/appointments.server';
import { hasNoSeat } from '../bookings/claim.server';
import {
  columnsOfService,
  columnsOfSlot,
  questionsOf,
  slotWithService,
  type Unfit,
  unfit,
} from '../bookings/claimable.server';
import { type Booker, hasAccess, noLongerAllowed, selectAccess } from '../bookings/link-holders.server';
import { type BrokenRule, brokenRule, countOfDay } from '../bookings/rules.server';
import { conflict, DomainError, type Fault, invalid, notFound } from '../errors';
import { noEmailWords, noPhoneWords } from '../guests/guests';
import type { Links } from '../links.server';
import { countTry, type Origin, type RateLimit, refuseTooMany } from '../login/throttles.server';
import { accountToBook, readCardToBook } from '../people/book-for.server';
import { insertBooker } from '../people/booker.server';
import { aliasOf, cardOf } from '../people/card-of.server';
import { checkAnswers } from '../templates/answers';
import { findTemplateOfSlot } from '../templates/templates.server';
import { dateWords, hour, type Instant, type LocalDate } from '../time/clock';
import { endHolds } from '../waitlist/holds.server';
import { fitsFor } from './fitting.server';
import { tellOfSeveral } from './message.server';
import type { SeriesRequest } from './series';

// One statement inserts all bookings of a series, or none. The triggers of a booking do the rest for each.

type Values = {
  /** A JSON list of slots, with the seed of each link, and the hash of each code if a provider books. */
  wanted: string;
  provider: string; // the provider of the first slot
  people: number;
  service: string;
  accountId: string;
  personId: string;
  now: Instant;
  series: string;
  act: string;
  answers: string;
  answeredAt: Instant | null;
  asked: string | null;
  phone: string | null;
  /** The booking whose link the client has. Mail goes to the address of that booking. */
  linked: string;
  bucket: string;
  limit: number;
};
type Shape = { isForSomeone: boolean; isService: boolean };
type Placeholders = { [Name in keyof Values]: SQL };

const id = sql`(wanted.value ->> 0)`;
const provider = ({ provider }: Placeholders) => provider;

/** SQL: the client has booked this slot already. The first of a series is often an existing appointment. */
const isTheirs = (values: Placeholders, { isForSomeone }: Shape) => sql`(own.provider_id = ${providerOf(id)}
  AND own.starts_at = ${startOf(id)} AND (own.id = ${id} OR own.slot_id = ${id})
  AND ${isForSomeone ? sql`own.person_id = ${values.personId}` : sql`own.booker_id = ${values.accountId}`})`;

const ownOf = (values: Placeholders, shape: Shape) =>
  sql`json_each(${values.wanted}) AS wanted CROSS JOIN bookings AS own ON ${isTheirs(values, shape)}`;

const freeOf = (values: Placeholders, shape: Shape) => {
  const service = shape.isService ? values.service : null;
  return sql`FROM accounts AS provider CROSS JOIN json_each(${values.wanted}) AS wanted CROSS JOIN ${slotWithService(service)}
    WHERE provider.id = ${provider(values)} AND ${hasId(slots, id)} AND slots.provider_id = provider.id
      AND ${fitsFor(values, { isForSomeone: shape.isForSomeone, service })}
      AND ${shape.isForSomeone ? sql`(slots.seats = 1 OR NOT EXISTS (SELECT 1 FROM bookings AS own WHERE ${isTheirs(values, shape)} AND own.status = 1))` : sql`true`}`;
};

const countOwn = (values: Placeholders, shape: Shape) =>
  sql`(SELECT count(DISTINCT wanted.key) FROM ${ownOf(values, shape)} AND own.status = 1)`;

/** SQL: each slot is free or already booked by the client. */
const areAllFree = (values: Placeholders, shape: Shape) => sql`json_array_length(${values.wanted}) =
  (SELECT count(*) ${freeOf(values, shape)}) + ${countOwn(values, shape)}`;

/** SQL: with the whole series the client has no more coming appointments than the provider in `ruler` allows. */
const isWithinPerson = (values: Placeholders, shape: Shape) =>
  sql`(ruler.per_person IS NULL OR ruler.per_person >= json_array_length(${values.wanted}) - ${countOwn(values, shape)} + (
    SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = ${values.accountId} AND mine.starts_at > ${values.now}
      AND mine.status = 1 AND mine.provider_id = ruler.id))`;

const dayOfSlots = {
  provider: sql`ruler.id`,
  date: sql`slots.local_date`,
  from: sql`min(slots.starts_at)`,
  until: sql`max(slots.starts_at)`,
};

/** SQL: with the whole series no day has more appointments than the provider in `ruler` allows. */
const isWithinDays = (values: Placeholders) => sql`(ruler.per_day IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(${values.wanted}) AS wanted CROSS JOIN slots ON ${hasId(slots, id)}
    WHERE slots.state = 0 AND slots.taken = 0 GROUP BY slots.local_date
    HAVING count(*) > 1 AND count(*) + ${countOfDay(dayOfSlots)} > ruler.per_day))`;

const isWithinLimits = (
  values: Placeholders,
  shape: Shape,
) => sql`EXISTS (SELECT 1 FROM accounts AS ruler WHERE ruler.id = ${provider(values)}
  AND ${isWithinPerson(values, shape)} AND ${isWithinDays(values)})`;

/** SQL: the phone number from this form, or from a booking that the client has already. */
const phoneOf = (values: Placeholders, shape: Shape) =>
  sql`coalesce(${values.phone}, (SELECT own.phone FROM ${ownOf(values, shape)} AND own.status = 1 AND own.phone IS NOT NULL LIMIT 1))`;

/** SQL: the provider's rules let this account book, and the contact that they ask for is there. */
const mayBook = (values: Placeholders, shape: Shape) => sql`EXISTS (
  SELECT 1 FROM accounts AS booker CROSS JOIN accounts AS ruler ON ruler.id = ${provider(values)}
  WHERE booker.id = ${values.accountId} AND (ruler.ask_phone <> 'required' OR ${phoneOf(values, shape)} IS NOT NULL)
    AND (booker.username IS NOT NULL OR (ruler.open_to = 'anyone' AND (ruler.ask_email <> 'required' OR booker.email IS NOT NULL)
      AND coalesce((SELECT tries FROM throttles WHERE bucket = ${values.bucket}), 0) <= ${values.limit})))`;

/** SQL: the series of a booking that the client has already, or a new series. */
const seriesOf = (values: Placeholders, shape: Shape) =>
  sql`coalesce((SELECT own.series_id FROM ${ownOf(values, shape)} AND own.status = 1 AND own.series_id IS NOT NULL LIMIT 1), ${values.series})`;

const linkedColumn = (values: Placeholders, column: 'email' | 'email_hash') =>
  sql`(SELECT linked.${sql.identifier(column)} FROM bookings AS linked WHERE linked.provider_id = ${providerOf(values.linked)}
    AND linked.starts_at = ${startOf(values.linked)} AND linked.id = ${values.linked})`;

const claim = (values: Placeholders, shape: Shape, booker: Booker, condition: SQL) => {
  const questions = questionsOf(shape);
  const isAsked = sql`(${values.asked} IS NOT NULL AND ${questions} IS ${values.asked})`;
  const card = cardOf(provider(values), values.accountId);
  return insertFrom(
    bookings,
    {
      ...columnsOfSlot,
      ...(shape.isService && columnsOfService),
      status: 1,
      people: values.people,
      bookerId: values.accountId,
      personId: shape.isForSomeone ? sql`coalesce(${aliasOf(provider(values), values.personId)}, ${card})` : card,
      bookedAt: values.now,
      answers: sql`iif(${isAsked}, ${values.answers}, '[]')`,
      answeredAt: sql`iif(${isAsked}, ${values.answeredAt}, NULL)`,
      linkSeed: sql`wanted.value ->> 1`,
      claimHash: sql`wanted.value ->> 2`,
      phone: shape.isForSomeone ? values.phone : sql`iif(provider.ask_phone = 'no', NULL, ${phoneOf(values, shape)})`,
      cancelUntil: sql`provider.cancel_until`,
      seriesId: seriesOf(values, shape),
      toldWith: values.act,
      ...('linkSeed' in booker && {
        email: linkedColumn(values, 'email'),
        emailHash: linkedColumn(values, 'email_hash'),
      }),
    },
    sql`${freeOf(values, shape)} AND ${condition} ORDER BY slots.starts_at`,
  );
};

// How many dates one network may try in an hour: three years of weeks.
const guestSeriesLimit = (address: string) =>
  ({ bucket: `guest-series:${address}`, limit: 160, window: hour }) satisfies RateLimit;

// The answers for a series and the template that they belong to. For a slot with another template, the client answers
// later. Faults are told only if the times themselves could be booked.
type Answered = { answers: string; answeredAt: Instant | null; asked: string | null; faults: Fault[] };

async function checkSeriesAnswers(db: Db, { ids, service, formData }: SeriesRequest, now: Instant): Promise<Answered> {
  const [first = ''] = ids;
  if (!formData) return { answers: '[]', answeredAt: null, asked: null, faults: [] };
  const template = await findTemplateOfSlot(db, first, service);
  const { answers, faults } = checkAnswers(template?.questions ?? [], formData);
  return {
    answers: JSON.stringify(answers),
    answeredAt: template ? now : null,
    asked: template?.id ?? null,
    faults,
  };
}

type SeriesWriting = { links: Links; key: string; now: Instant; origin?: Origin };

/**
 * Books exactly these slots, or none, for the actor or a provider's client. If the client has booked some already,
 * those join the series. A repeat returns the same.
 * @returns all appointments of the series, by start
 * @throws DomainError conflict (which names the taken dates, or the limit), not_found, forbidden, invalid, too_many,
 * unauthenticated
 */
export async function bookSeries(
  db: Db,
  booker: Booker,
  request: SeriesRequest,
  { links, key, now, origin = null }: SeriesWriting,
): Promise<Appointment[]> {
  const { ids, service, people, personId } = request;
  const [first = ''] = ids;
  const actor = 'role' in booker ? booker : null;
  const isProvider = actor?.role === 'Provider';
  if (isProvider && personId === null) throw invalid('personId', 'Say for which of your people.');
  if (!isProvider && personId !== null) throw new DomainError('forbidden', 'Only a provider books for somebody else.');
  const [{ faults, ...answered }, recipient] = await Promise.all([
    checkSeriesAnswers(db, request, now),
    actor && personId !== null ? readCardToBook(db, actor, personId, now) : undefined,
  ]);
  const wish = { id: first, key, note: null, phone: request.phone, submitted: null };
  const walkIn = actor && recipient ? accountToBook(links, actor, recipient, wish) : undefined;
  const shape = { isForSomeone: walkIn !== undefined, isService: service !== null };
  const rateLimit = !isProvider && origin && (actor?.isGuest ?? true) ? guestSeriesLimit(origin.address) : undefined;
  const slots = ids.map((id) => {
    const { seed } = links.make();
    return [id, seed, walkIn ? links.codeHashOf(seed) : null];
  });
  const values: Values = {
    wanted: JSON.stringify(slots),
    provider: providerIn(first),
    people,
    service: service ?? '',
    accountId: walkIn?.newcomer.id ?? booker.accountId,
    personId: recipient?.card.id ?? '',
    now,
    series: links.guestIdOf('series', booker.accountId, key),
    act: links.guestIdOf('act', booker.accountId, key, String(now)),
    ...answered,
    phone: walkIn?.phone ?? request.phone,
    linked: 'bookingId' in booker ? booker.bookingId : '',
    bucket: rateLimit?.bucket ?? '',
    limit: rateLimit?.limit ?? 0,
  };
  const placeholders = Object.fromEntries(
    // D1 allows a statement a hundred bound values, so numbers become part of the text.
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? sql.raw(String(value)) : sql`${value}`,
    ]),
  ) as unknown as Placeholders;
  const allowed = 'bookingId' in booker ? booker.bookingId : '';
  const condition = and(
    faults.length > 0 ? sql`false` : undefined,
    areAllFree(placeholders, shape),
    shape.isForSomeone
      ? sql`${provider(placeholders)} = ${booker.accountId}`
      : and(isWithinLimits(placeholders, shape), mayBook(placeholders, shape)),
    hasAccess(booker, allowed, now),
  ) as SQL;
  const isComplete = sql`${ids.length} = ${countOwn(placeholders, shape)}`;
  const batch = db.run({
    counted: rateLimit && countTry(rateLimit, now, sql`true`, ids.length),
    overdue: endHolds(now),
    ...(actor && walkIn && insertBooker(actor, walkIn.newcomer, walkIn.card, condition, now)),
    claimed: claim(placeholders, shape, booker, condition),
    // Earlier bookings join the new ones. If nothing new was booked, nothing more is needed.
    joined: orm.run(sql`UPDATE bookings SET series_id = ${seriesOf(placeholders, shape)}
      WHERE (provider_id, starts_at, id) IN (SELECT own.provider_id, own.starts_at, own.id FROM ${ownOf(placeholders, shape)}
          AND own.status = 1 AND own.series_id IS NULL)
        AND CASE WHEN bookings.series_id IS NULL THEN ${hasAccess(booker, allowed, now)} AND ${isComplete} END`),
    told: tellOfSeveral('booked', sql`${provider(placeholders)}`, values.accountId, values.act),
    rows: selectBookings()
      .innerJoin(
        sql`json_each(${values.wanted}) AS wanted`,
        sql`${bookings.providerId} = ${providerOf(id)}
        AND ${bookings.startsAt} = ${startOf(id)} AND (${bookings.id} = ${id} OR ${bookings.slotId} = ${id})`,
      )
      .where(
        and(
          shape.isForSomeone
            ? sql`${bookings.personId} = ${values.personId}`
            : sql`${bookings.bookerId} = ${values.accountId}`,
          sql`(${bookings.status} = 1 OR ${bookings.status} = 2 AND ${bookings.seriesId} = ${values.series})`,
        ),
      )
      .orderBy(asc(bookings.startsAt)),
    allowed: selectAccess(booker, allowed, now),
  });
  const {
    counted,
    rows: bookedRows,
    allowed: access,
  } = await batch.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'slot_not_open') throw overlapping();
    throw error;
  });
  if (rateLimit) refuseTooMany([rateLimit], counted ?? [], now);
  if (!access[0]?.may) throw noLongerAllowed(booker);
  const rows = [...new Map(bookedRows.map((row) => [row.slotId, row])).values()];
  const [row] = rows;
  if (
    row &&
    rows.length === ids.length &&
    rows.every(({ seriesId }) => seriesId !== null && seriesId === row.seriesId)
  ) {
    return rows.map((row) => {
      const own = appointment(row, booker.accountId);
      // The provider sees the links once, just after they were made.
      return isProvider && row.bookedAt === now ? { ...own, linkSeed: row.linkSeed } : own;
    });
  }
  throw await refusalOf(db, {
    ids,
    me: booker.accountId,
    shape,
    placeholders,
    isGuest: actor?.isGuest ?? !actor,
    faults,
  });
}

// Times may overlap, because a service may be longer than a slot.
const overlapping = () => conflict('Two of these times overlap. Nothing was booked.');

const refusalFacts = (values: Placeholders, shape: Shape) => {
  const service = shape.isService ? values.service : null;
  const { accountId, now } = values;
  return orm
    .select({
      providerId: sql<string>`ruler.id`.as('ruler_id'),
      providerName: sql<string>`ruler.display_name`.as('ruler_name'),
      role: sql<string>`ruler.role`.as('role'),
      openTo: sql<string>`ruler.open_to`.as('open_to'),
      askEmail: sql<string>`ruler.ask_email`.as('ask_email'),
      askPhone: sql<string>`ruler.ask_phone`.as('ask_phone'),
      perPerson: sql<number | null>`ruler.per_person`.as('per_person'),
      perDay: sql<number | null>`ruler.per_day`.as('per_day'),
      timeZone: sql<string>`ruler.time_zone`.as('zone'),
      startsAt: sql<Instant>`${startOf(id)}`.as('wanted_start'),
      date: sql<LocalDate>`coalesce(slots.local_date, (SELECT gone.local_date FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(id)} AND gone.starts_at = ${startOf(id)} LIMIT 1),
        date(${startOf(id)} / 1000, 'unixepoch'))`.as('wanted_date'),
      isFree: sql<number>`slots.id IS NOT NULL AND slots.state = 0 AND slots.starts_at > ${now}
        AND slots.taken + ${values.people} <= slots.seats AND ${hasNoSeat(accountId)}`.as('is_free'),
      isOwn: sql<number>`EXISTS (SELECT 1 FROM bookings AS own WHERE ${isTheirs(values, shape)} AND own.status = 1)`.as(
        'is_own',
      ),
      isKnown: sql<number>`slots.id IS NOT NULL OR EXISTS (SELECT 1 FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(id)} AND gone.starts_at = ${startOf(id)} AND gone.id = ${id})`.as(
        'is_known',
      ),
      rule: sql<BrokenRule | null>`iif(slots.state = 0, ${brokenRule(sql`ruler`, { accountId, now })}, NULL)`.as(
        'broken_rule',
      ),
      unfit: sql<Unfit | null>`iif(slots.state = 0, ${unfit(service)}, NULL)`.as('unfit'),
      isWithinPerson: sql<number>`${isWithinPerson(values, shape)}`.as('is_within_person'),
      isWithinDays: sql<number>`${isWithinDays(values)}`.as('is_within_days'),
      hasPhone: sql<number>`${phoneOf(values, shape)} IS NOT NULL`.as('has_phone'),
      hasEmail: sql<number>`EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = ${accountId}
        AND (booker.username IS NOT NULL OR booker.email IS NOT NULL))`.as('has_email'),
    })
    .from(
      sql`json_each(${values.wanted}) AS wanted LEFT JOIN accounts AS ruler ON ruler.id = ${providerOf(id)}
        LEFT JOIN slots ON ${hasId(slots, id)}
        LEFT JOIN services AS service ON service.provider_id = slots.provider_id
          AND service.id = ${service === null ? sql`slots.service_id` : sql`coalesce(slots.service_id, ${service})`}`,
    );
};

const listWords = (words: string[]) =>
  words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join('; ')}; and ${words.at(-1)}`;

/**
 * The error that names all taken dates, or the limit that the series would exceed, or else all that is missing or wrong
 * in what the client gave.
 * @param faults those of the answers
 */
async function refusalOf(
  db: Db,
  {
    ids,
    me,
    shape,
    placeholders,
    isGuest,
    faults,
  }: { ids: string[]; me: string; shape: Shape; placeholders: Placeholders; isGuest: boolean; faults: Fault[] },
): Promise<DomainError> {
  const { rows } = await db.run({ rows: refusalFacts(placeholders, shape) });
  const [first] = rows;
  if (!first || rows.some(({ role }) => role !== 'Provider') || rows.every(({ isKnown }) => !isKnown)) {
    return notFound('appointment');
  }
  if (rows.some(({ providerId }) => providerId !== first.providerId)) {
    return invalid('ids', 'A series is with one provider.');
  }
  const { providerName, openTo, perPerson, perDay } = first;
  if (shape.isForSomeone && first.providerId !== me) return notFound('appointment');
  if (!shape.isForSomeone && isGuest && openTo === 'accounts') {
    return new DomainError(
      'forbidden',
      `${providerName} takes bookings of people with an account only. Log in, or register.`,
    );
  }
  const unavailable = rows.filter(
    (row) => !row.isOwn && (!row.isFree || row.unfit !== null || isRuledOut(row.rule, shape)),
  );
  if (unavailable.length > 0) {
    const words = listWords(unavailable.map(({ date }) => dateWords(date).full));
    return conflict(
      `${unavailable.length === 1 ? 'This date is' : 'These dates are'} not free any more: ${words}. Nothing was booked. Please look at the dates again.`,
    );
  }
  if (!shape.isForSomeone) {
    if (!first.isWithinPerson) {
      return conflict(
        `You can have at most ${perPerson} coming ${perPerson === 1 ? 'appointment' : 'appointments'} with ${providerName}, and these are ${ids.length}. Nothing was booked.`,
      );
    }
    if (!first.isWithinDays)
      return conflict(`${providerName} takes at most ${perDay} appointments a day. Nothing was booked.`);
  }
  const allFaults = shape.isForSomeone ? faults : [...missingContact(first), ...faults];
  if (allFaults.length > 0) return new DomainError('invalid', allFaults);
  return conflict('These times were not free at that moment. Nothing was booked. Please try again.');
}

type AskedContact = Pick<
  Awaited<ReturnType<typeof refusalFacts>>[number],
  'askPhone' | 'hasPhone' | 'askEmail' | 'hasEmail'
>;

const missingContact = ({ askPhone, hasPhone, askEmail, hasEmail }: AskedContact): Fault[] => [
  ...(askEmail === 'required' && !hasEmail ? [{ field: 'email', message: noEmailWords }] : []),
  ...(askPhone === 'required' && !hasPhone ? [{ field: 'phone', message: noPhoneWords }] : []),
];

// The limit of appointments for one person has an error of its own.
const isRuledOut = (rule: BrokenRule | null, { isForSomeone }: Shape) =>
  !isForSomeone && rule !== null && rule !== 'perPerson';
