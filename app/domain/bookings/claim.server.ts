import { asc, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { bookingStatus, hasEnded, isBooked, isNotBusy, isOpen } from '../../../db/states';
import { aliasOf, cardOf } from '../people/card-of.server';
import type { Rules } from '../profile/rules';
import type { Where } from '../services/where';
import { hasAddressNeeded, hasWhatItNeeds } from '../services/where.server';
import { type LocalDate, minute } from '../time/clock';
import { busyIn, endOfFirst, isInTheWay, isOver, isTaken, makeSlots } from './any-time.server';
import { selectBookings } from './appointments.server';
import {
  type AnyTime,
  asked,
  type Claim,
  type ReadyClaim,
  rowOf,
  type Shape,
  type Values,
} from './claim-request.server';
import { columnsOfService, columnsOfSlot, placeKindOf, questionsOf, slotWithService, whyNot } from './claimable.server';
import { hasAccess } from './link-owners.server';
import type { WhyNot } from './refusals';
import { countOfDay, countOfPerson, isCountedClass, shopOf } from './rules.server';
import { shareOfDay, takesIn, turnOf } from './turn.server';
import { isOutsideOfHours } from './within-hours.server';

// A claim books times of one provider for one person: one time or a series, all of them or none. One statement inserts the
// bookings if `isGranted`, and triggers take the slots. If two people claim a time at once, the constraint on the slot's
// seats refuses the second.

const [accountId, personId, now] = [asked('accountId'), asked('personId'), asked('now')];
const id = sql`(wanted.value ->> 0)`;
const wanted = sql`json_each(${asked('wanted')}) AS wanted`;
const provider = sql`provider`;

/** SQL: the person has this wanted time already, as `own`. The first of a series is often an existing appointment. */
const isTheirs = ({
  isForSomeone,
}: Shape) => sql`(own.provider_id = ${providerOf(id)} AND own.starts_at = ${startOf(id)}
  AND (own.id = ${id} OR own.slot_id = ${id}) AND ${isBooked('own')}
  AND ${isForSomeone ? sql`(own.person_id = ${personId} OR own.booker_id = ${accountId})` : sql`own.booker_id = ${accountId}`})`;
const own = (shape: Shape) => sql`${wanted} CROSS JOIN bookings AS own ON ${isTheirs(shape)}`;
const countOwn = (shape: Shape) => sql`(SELECT count(DISTINCT wanted.key) FROM ${own(shape)})`;
const firstOfOwn = (shape: Shape, column: 'phone' | 'series_id' | 'place', isMeant = sql`true`) =>
  sql`(SELECT own.${sql.identifier(column)} FROM ${own(shape)} AND own.${sql.identifier(column)} IS NOT NULL AND ${isMeant} LIMIT 1)`;

const slotsOf = (shape: Shape) => sql`${wanted}
  CROSS JOIN ${slotWithService(serviceOf(shape))} CROSS JOIN accounts AS provider ON provider.id = slots.provider_id`;

const askingOf = ({ isForSomeone, isSeries }: Shape) => ({
  people: asked('people'),
  now,
  accountId,
  provider,
  isBound: !isForSomeone,
  ...(isForSomeone && { personId }),
  ...(!isSeries && { terms: asked('terms') }),
});
const serviceOf = ({ isService }: Shape) => (isService ? asked('service') : null);

const at = (name: keyof AnyTime) => sql`(${asked('at')} ->> ${sql.raw(`'${name}'`)})`;
const minutesOf = ({ isService }: Shape) => (isService ? sql`service.minutes` : at('minutes'));
const inMinutes = sql.raw(String(minute));

/** SQL: the time that is asked for, published or not. */
const stretchOf = (shape: Shape) => {
  const end = sql`(${at('startsAt')} + ${minutesOf(shape)} * ${inMinutes})`;
  return {
    provider: asked('provider'),
    start: at('startsAt'),
    end,
    takenUntil: shape.isService ? sql`(${end} + service.gap * ${inMinutes})` : end,
    date: at('date'),
    from: at('from'),
    until: sql`(${at('from')} + ${minutesOf(shape)})`,
  };
};

/** SQL: nothing is against the time that is asked for, but what the provider knows of. */
const isGrantableAtAnyTime = (shape: Shape) => {
  const stretch = stretchOf(shape);
  const fits = sql`service.seats = 1 AND coalesce(${at('minutes')} = service.minutes, 1)`;
  return sql`${shape.isService ? fits : sql`true`} AND ${stretch.end} > ${now}
    AND (SELECT time_zone FROM accounts WHERE id = ${asked('provider')}) = ${at('zone')}
    AND ${areAnswered(shape)} AND ${isReachable(shape)} AND NOT ${isTaken(stretch)} AND (${at('isOver')} OR NOT ${isOver(stretch)})`;
};

/** SQL: the address from this form, or of a booking of the series that the person has already. */
const placeOf = (shape: Shape) =>
  shape.isSeries
    ? sql`coalesce(${asked('place')}, ${firstOfOwn(shape, 'place', sql`own.place_kind = 'theirs'`)})`
    : asked('place');
const ownPhone = (shape: Shape) =>
  shape.isSeries ? sql`coalesce(${asked('phone')}, ${firstOfOwn(shape, 'phone')})` : asked('phone');

/** SQL: the person has given what is needed where it takes place. */
const isReachable = (shape: Shape) => {
  const kind = shape.isAnyTime && !shape.isService ? sql`NULL` : placeKindOf(shape);
  const given = { kind, phone: ownPhone(shape), address: placeOf(shape) };
  return shape.isForSomeone ? hasAddressNeeded(given) : hasWhatItNeeds(given);
};

/** SQL: this slot is wanted, and they can have it. */
const isFree = (shape: Shape) =>
  shape.isAnyTime
    ? sql`${hasId(slots, id)} AND ${isOpen('slots')} AND ${isGrantableAtAnyTime(shape)}`
    : sql`${hasId(slots, id)} AND ${isReachable(shape)} AND ${whyNot(askingOf(shape), serviceOf(shape))} IS NULL`;

/** SQL: the number from this form, or of a booking that the person has already. */
const phoneOf = (shape: Shape) => (shape.isSeries ? sql`coalesce(${asked('phone')}, asked.own_phone)` : asked('phone'));

/**
 * SQL: a guest needs a provider who takes guests, and a network that has not booked too often. Both they and people with
 * an account give what the provider asks for.
 * @see whyNotGranted, which says why not, and refusalOfSeries, of a series
 */
const mayBook = (shape: Shape) => sql`((provider.ask_phone <> 'required' OR ${phoneOf(shape)} IS NOT NULL) AND (
  EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = ${accountId} AND booker.username IS NOT NULL)
  OR provider.open_to = 'anyone'
    AND coalesce((SELECT tries FROM throttles WHERE bucket = ${asked('tryBucket')}), 0) <= ${asked('tryLimit')}
    AND (provider.ask_email <> 'required'
      OR coalesce(${asked('email')}, (SELECT email FROM accounts AS booker WHERE booker.id = ${accountId})) IS NOT NULL)
    AND (provider.ask_email <> 'no' OR ${asked('email')} IS NULL OR NOT ${asked('isUnseen')})))`;

/** SQL: the template of the time that is asked for. At any time only a service has questions. */
const questionsAt = (shape: Shape) =>
  shape.isAnyTime ? (shape.isService ? sql`service.template_id` : sql`NULL`) : questionsOf(shape);

/** SQL: the questions that are asked there are those that the person has answered, or may be answered later. */
const areAnswered = (shape: Shape) => sql`((${questionsAt(shape)} IS NULL OR NOT ${asked('requireAnswers')})
  AND (NOT ${asked('checksTemplate')} OR ${questionsAt(shape)} IS ${asked('askedTemplateId')}))`;

const daysOfSlots = {
  provider: sql`provider.id`,
  date: sql`near.local_date`,
  from: sql`min(near.starts_at)`,
  until: sql`max(near.starts_at)`,
};

/** SQL: with the whole series the person has no more coming appointments than the provider allows. */
const isWithinPerson = (shape: Shape) => sql`(provider.per_person IS NULL OR provider.per_person >=
  json_array_length(${asked('wanted')}) - ${countOwn(shape)} + ${countOfPerson(sql`provider.id`, { accountId, now })})`;

/** SQL: with the whole series no day has more appointments than the provider allows. */
const isWithinDays = () => sql`(provider.per_day IS NULL OR NOT EXISTS (
  SELECT 1 FROM ${wanted} CROSS JOIN slots AS near ON ${hasId(alias(slots, 'near'), id)}
  WHERE ${isOpen('near')} AND NOT ${isCountedClass('near')} GROUP BY near.local_date
  HAVING count(*) > 1 AND count(*) + ${countOfDay(daysOfSlots)} > provider.per_day))`;

const areAllFree = (shape: Shape) => sql`json_array_length(${asked('wanted')}) =
  (SELECT count(*) FROM ${slotsOf(shape)} WHERE ${isFree(shape)}) + ${countOwn(shape)}`;

/** SQL: as rowOf. The slot of a time that need not be published is the one that begins then. */
const rowOfAnyTime = (values: Values | Claim) =>
  rowOf(
    values,
    sql`json_set(${values.wanted}, '$[0][0]', (SELECT slots.id FROM slots
      WHERE slots.provider_id = ${values.provider} AND slots.starts_at = ${values.at} ->> 'startsAt'))`,
  );

/** SQL: the time at which somebody in the shop has the turn, of those who are free for what was asked; null if nobody is. */
const turnIn = (shape: Shape) =>
  turnOf({
    shop: asked('shop'),
    start: asked('start'),
    service: serviceOf(shape),
    accountId,
    // Nobody is chosen by hand here, so it is none who has something else then, whoever asks.
    condition: sql`${whyNot(askingOf(shape), serviceOf(shape))} IS NULL AND ${isReachable(shape)} AND ${areAnswered(shape)}
      AND ${shape.isForSomeone ? isNotBusy('slots') : mayBook(shape)}`,
  });

/** Whether the statement itself finds who has the turn. Who keeps a series is read before it. */
const isByTurn = ({ isAnyone, isSeries }: Shape) => isAnyone && !isSeries;

/** SQL: whoever is to keep the series takes appointments in the shop, and the person has none of its times with another there. */
const isKeptByOne = sql`EXISTS (SELECT 1 FROM accounts AS shop CROSS JOIN colleagues AS turn ON turn.shop_id = shop.id
  WHERE ${takesIn(asked('shop'))} AND turn.account_id = ${asked('provider')} AND NOT EXISTS (
    SELECT 1 FROM ${wanted} CROSS JOIN bookings AS mine ON mine.booker_id = ${accountId} AND ${isBooked('mine')}
      AND mine.starts_at = ${startOf(id)} WHERE mine.shop_id = shop.id AND mine.provider_id <> ${asked('provider')}))`;

/** SQL: the series can be booked as a whole. */
const isWholeFree = (shape: Shape) => {
  const isKept = shape.isAnyone ? sql`${areAllFree(shape)} AND ${isKeptByOne}` : areAllFree(shape);
  return shape.isForSomeone
    ? isKept
    : sql`(${isKept} AND EXISTS (SELECT 1 FROM accounts AS provider
        WHERE provider.id = ${asked('provider')} AND ${isWithinPerson(shape)} AND ${isWithinDays()}))`;
};

/**
 * SQL: as rowOf; of a series also whether it is free as a whole, and what it takes over from bookings that the person has
 * already. The LIMIT keeps SQLite from asking this again at each time.
 */
const rowToClaim = (shape: Shape, values: Values | Claim): SQL =>
  shape.isAnyTime
    ? rowOfAnyTime(values)
    : isByTurn(shape)
      ? sql`(SELECT asked.*, ${turnIn(shape)} AS turn_id FROM ${rowOf(values)} LIMIT 1) AS asked`
      : shape.isSeries
        ? sql`(SELECT asked.*, ${isWholeFree(shape)} AS is_whole_free, ${firstOfOwn(shape, 'phone')} AS own_phone,
        ${firstOfOwn(shape, 'series_id')} AS own_series FROM ${rowOf(values)} LIMIT 1) AS asked`
        : rowOf(values);

/** SQL: this wanted time is free for the person, and so is the rest of its series. */
function isGrantable(shape: Shape): SQL {
  // Whoever has the turn is free.
  if (isByTurn(shape)) return hasId(slots, sql`asked.turn_id`);
  const conditions = [
    isFree(shape),
    sql`provider.id = ${asked('provider')}`,
    shape.isForSomeone ? sql`provider.id = ${asked('actorId')}` : mayBook(shape),
    shape.isSeries ? sql`asked.is_whole_free` : areAnswered(shape),
  ];
  return sql.join(conditions, sql` AND `);
}

/** SQL: whoever claims is logged in, or has the link of a booking. */
const mayAsk = ({ isByLink, isByMember }: Shape) =>
  hasAccess(
    isByLink
      ? { linkSeed: asked('linkedSeed') }
      : {
          accountId: asked('actorId'),
          sessionId: asked('sessionId'),
          ...(isByMember && { memberId: asked('memberId') }),
        },
    asked('linkedId'),
    now,
  );

/**
 * SQL: the claim would be granted, whoever asks. The guest of a claim, or the account of a card, is made by the same
 * condition.
 */
export const wouldBeGranted = ({ shape, values }: { shape: Shape; values: Values | Claim }): SQL =>
  shape.isAnyTime
    ? sql`EXISTS (SELECT 1 FROM ${rowWithService({ shape, values })} WHERE ${isGrantableAtAnyTime(shape)}
        AND ${asked('provider')} = ${asked('actorId')})`
    : sql`EXISTS (SELECT 1 FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)} WHERE ${isGrantable(shape)})`;

/** SQL: a claim at any time as one row, with its service, before there is a slot for it. */
const rowWithService = ({ shape, values }: { shape: Shape; values: Values | Claim }) => sql`${rowOf(values)}
  LEFT JOIN services AS service ON service.provider_id = ${asked('provider')}
    AND service.id = ${shape.isService ? asked('service') : sql`NULL`}`;

const columnOfLinked = (column: 'email' | 'email_hash') =>
  sql`(SELECT linked.${sql.identifier(column)} FROM bookings AS linked WHERE ${hasId(alias(bookings, 'linked'), asked('linkedId'))})`;

/** SQL: the series of a booking that the person has already, or a new one. */
const seriesOf = sql`coalesce(asked.own_series, ${asked('series')})`;

const columnsOfAnyTime = (shape: Shape) => {
  const { end: endsAt, takenUntil } = stretchOf(shape);
  return { endsAt, takenUntil, templateId: questionsAt(shape) };
};

/** SQL: as shareOfDay, with how many dates there are. */
const turnOfSeries = sql`json_insert(${shareOfDay}, '$[2]', json_array_length(${asked('wanted')}))`;

function columnsOfClaim(shape: Shape) {
  const card = cardOf(sql`provider.id`, accountId);
  // A series asks the questions of its first time. Dates with other questions are answered later.
  const isAnswered = sql`(${asked('askedTemplateId')} IS NOT NULL AND ${questionsOf(shape)} IS ${asked('askedTemplateId')})`;
  const ifAnswered = (answer: SQL, none: SQL) =>
    shape.isSeries ? sql`iif(${isAnswered}, ${answer}, ${none})` : answer;
  return {
    ...columnsOfSlot,
    ...(shape.isService && columnsOfService),
    ...(shape.isAnyTime && columnsOfAnyTime(shape)),
    status: bookingStatus.booked,
    people: asked('people'),
    bookerId: accountId,
    personId: shape.isForSomeone ? sql`coalesce(${aliasOf(sql`provider.id`, personId)}, ${card})` : card,
    bookedAt: now,
    answers: ifAnswered(asked('answers'), sql`'[]'`),
    answeredAt: ifAnswered(asked('answeredAt'), sql`NULL`),
    linkSeed: sql`wanted.value ->> 1`,
    codeHash: sql`wanted.value ->> 2`,
    privateNote: asked('privateNote'),
    phone: shape.isForSomeone
      ? asked('phone')
      : sql`iif(provider.ask_phone = 'no' AND service.place_kind IS NOT 'phone', NULL, ${phoneOf(shape)})`,
    place: sql`iif(service.place_kind = 'theirs', ${placeOf(shape)}, ${columnsOfSlot.place})`,
    cancelUntil: sql`provider.cancel_until`,
    shopId: shopOf(sql`provider.id`),
    ...(shape.isAnyone && { turn: shape.isSeries ? turnOfSeries : shareOfDay }),
    // A member of the desk may have the turn themselves.
    ...(shape.isByMember && { actedBy: sql`nullif(${asked('memberId')}, provider.id)` }),
    ...(shape.isSeries && { seriesId: seriesOf, toldWith: asked('act') }),
    ...(shape.isByLink && { email: columnOfLinked('email'), emailHash: columnOfLinked('email_hash') }),
  };
}

const insertClaimed = statementBy<Shape, Claim>()((shape, values) => {
  const inserted = insertFrom(
    bookings,
    columnsOfClaim(shape),
    sql`FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)}
      WHERE ${isGrantable(shape)} AND ${mayAsk(shape)} ORDER BY slots.starts_at`,
  );
  // Nothing else says whose page has changed.
  return shape.isAnyone ? inserted.returning({ provider_id: bookings.providerId }) : inserted;
});

/** SQL: the bookings that the person has already join the series, if it is whole now. */
const joinOwn = statementBy<Shape, Claim>()((shape, values) =>
  orm.run(sql`UPDATE bookings SET series_id = (SELECT coalesce(${firstOfOwn(shape, 'series_id')}, ${asked('series')}) FROM ${rowOf(values)})
    WHERE (provider_id, starts_at, id) IN (SELECT own.provider_id, own.starts_at, own.id FROM ${rowOf(values)} CROSS JOIN ${own(shape)}
        AND own.series_id IS NULL
      WHERE ${mayAsk(shape)} AND json_array_length(${asked('wanted')}) = ${countOwn(shape)})`),
);

/** The bookings that stand now of what was claimed, by start: a series that is sent again finds those that it made. */
const bookedOfClaim = statementBy<Shape, Claim>()((shape, values) =>
  selectBookings()
    // Without CROSS JOIN, so that SQLite begins with the list.
    .innerJoin(
      sql`json_each(${values.wanted}) AS wanted`,
      sql`${bookings.providerId} = ${providerOf(id)}
        AND ${bookings.startsAt} = ${startOf(id)} AND (${bookings.id} = ${id} OR ${bookings.slotId} = ${id})`,
    )
    .where(
      sql`${shape.isForSomeone ? sql`${bookings.personId} = ${values.personId}` : sql`${bookings.bookerId} = ${values.accountId}`}
        AND (${isBooked(bookings)} OR ${hasEnded(bookings)} AND ${bookings.seriesId} = ${values.series})`,
    )
    .orderBy(asc(bookings.startsAt)),
);

/** Each wanted time of a series, why it can't be had, and what the provider asks for. */
const wantedOfClaim = statementBy<Shape, Claim>()((shape, values) =>
  orm
    .select({
      providerId: sql<string>`provider.id`.as('provider_id'),
      providerName: sql<string>`provider.display_name`.as('provider_name'),
      role: sql<string>`provider.role`.as('role'),
      openTo: sql<Rules['openTo']>`provider.open_to`.as('open_to'),
      askEmail: sql<Rules['askEmail']>`provider.ask_email`.as('ask_email'),
      askPhone: sql<Rules['askPhone']>`provider.ask_phone`.as('ask_phone'),
      perPerson: sql<number | null>`provider.per_person`.as('per_person'),
      perDay: sql<number | null>`provider.per_day`.as('per_day'),
      date: sql<LocalDate>`coalesce(slots.local_date, (SELECT gone.local_date FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(id)} AND gone.starts_at = ${startOf(id)} LIMIT 1),
        date(${startOf(id)} / 1000, 'unixepoch'))`.as('wanted_date'),
      why: sql<WhyNot | null>`iif(slots.id IS NULL, 'taken', ${whyNot(askingOf(shape), serviceOf(shape))})`.as(
        'why_not',
      ),
      isOwn: sql<number>`EXISTS (SELECT 1 FROM bookings AS own WHERE ${isTheirs(shape)})`.as('is_own'),
      isKnown: sql<number>`slots.id IS NOT NULL OR EXISTS (SELECT 1 FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(id)} AND gone.starts_at = ${startOf(id)} AND gone.id = ${id})`.as(
        'is_known',
      ),
      isWithinPerson: sql<number>`${isWithinPerson(shape)}`.as('is_within_person'),
      isWithinDays: sql<number>`${isWithinDays()}`.as('is_within_days'),
      hasPhone: sql<number>`${phoneOf(shape)} IS NOT NULL`.as('has_phone'),
      where: sql<Where | null>`${placeKindOf(shape)}`.as('wanted_where'),
      hasPlace: sql<number>`${placeOf(shape)} IS NOT NULL`.as('has_place'),
      hasEmail: sql<number>`EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = ${accountId}
        AND (booker.username IS NOT NULL OR booker.email IS NOT NULL))`.as('has_email'),
    })
    .from(
      sql`${rowToClaim(shape, values)} CROSS JOIN ${wanted} LEFT JOIN accounts AS provider ON provider.id = ${providerOf(id)}
        LEFT JOIN slots ON ${hasId(slots, id)}
        LEFT JOIN services AS service ON service.provider_id = slots.provider_id
          AND service.id = ${shape.isService ? sql`coalesce(slots.service_id, ${asked('service')})` : sql`slots.service_id`}`,
    ),
);

export type WantedTime = ReturnType<typeof wantedOfClaim>['rows'][number];

/** Books all times of the claim, or none. */
export const claim = ({ shape, values }: ReadyClaim) => insertClaimed(shape, values);
export const joinSeries = ({ shape, values }: ReadyClaim) => joinOwn(shape, values);
export const selectSeries = ({ shape, values }: ReadyClaim) => bookedOfClaim(shape, values);
export const selectWanted = ({ shape, values }: ReadyClaim) => wantedOfClaim(shape, values);

/** SQL: the claim will be granted as soon as there is a slot for it. */
const mayMakeRoom = (shape: Shape) =>
  sql`${isGrantableAtAnyTime(shape)} AND ${asked('provider')} = ${asked('actorId')} AND ${mayAsk(shape)}`;

const clearRoom = statementBy<Shape, Claim>()((shape, values) =>
  orm.run(sql`DELETE FROM slots WHERE (provider_id, starts_at) IN (
    SELECT slots.provider_id, slots.starts_at FROM ${rowWithService({ shape, values })} CROSS JOIN slots
    WHERE ${isInTheWay(stretchOf(shape))} AND ${mayMakeRoom(shape)})`),
);

const makeSlot = statementBy<Shape, Claim>()((shape, values) =>
  makeSlots(
    { ...stretchOf(shape), end: endOfFirst(stretchOf(shape)), zone: at('zone') },
    sql`FROM ${rowWithService({ shape, values })} CROSS JOIN accounts AS provider
      WHERE provider.id = ${asked('provider')} AND ${mayMakeRoom(shape)} AND NOT EXISTS (
        SELECT 1 FROM slots WHERE slots.provider_id = provider.id AND slots.starts_at = ${at('startsAt')})`,
  ),
);

/**
 * Makes the slot for a claim at any time, and takes away what is open there and can't be part of the booking. It runs
 * before the claim, in its transaction.
 */
export const makeRoom = ({ shape, values }: ReadyClaim) => ({
  cleared: clearRoom(shape, values),
  made: makeSlot(shape, values),
});

const against = statementBy<Shape, Claim>()((shape, values) => {
  const stretch = stretchOf(shape);
  return orm
    .select({
      isTaken: sql<number>`${isTaken(stretch)}`.as('is_taken'),
      isPast: sql<number>`${stretch.end} <= ${now}`.as('is_past'),
      isOutside: sql<number>`${isOutsideOfHours(stretch)}`.as('is_outside'),
      busy: sql<string>`${busyIn(stretch)}`.as('busy'),
      minutes: sql<number | null>`service.minutes`.as('service_minutes'),
      seats: sql<number | null>`service.seats`.as('service_seats'),
      where: sql<Where | null>`service.place_kind`.as('wanted_where'),
    })
    .from(rowWithService({ shape, values }));
});

/** Reads what is against a time, or what the provider has to know of it. */
export const selectAgainst = ({ shape, values }: ReadyClaim) => against(shape, values);
