import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { freshId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { isBooked, isFull, isNotBusy, isOpen } from '../../../db/states';
import type { Answer } from '../templates/questions';
import { type Instant, minute } from '../time/clock';
import { isFreeThroughout } from './lengths.server';
import type { WhyNot } from './refusals';
import { brokenRule } from './rules.server';

/**
 * Why a service can't be booked there. 'service': the provider doesn't offer it there. 'length': there is too little
 * time. 'changed': its length, price or deposit is not what the form said.
 */
type Unfit = Extract<WhyNot, 'service' | 'length' | 'changed'>;

/** SQL: the id of a booking of the slot. In a class each has its own. */
export const bookingId = sql`iif(slots.seats = 1, slots.id, ${freshId(sql`slots.provider_id`, sql`slots.starts_at`)})`;
/** SQL: the class that the booking is in; null if it is in none. */
export const classId = sql`iif(slots.seats = 1, NULL, slots.id)`;

/** The columns of a slot. */
export const columnsOfSlot = {
  providerId: slots.providerId,
  startsAt: slots.startsAt,
  id: bookingId,
  endsAt: slots.endsAt,
  takenUntil: slots.endsAt,
  localDate: slots.localDate,
  timeZone: slots.timeZone,
  city: slots.city,
  notes: slots.notes,
  templateId: slots.templateId,
  slotId: classId,
  serviceId: sql`service.id`,
  serviceName: sql`service.name`,
  price: sql`service.price`,
  deposit: sql`service.deposit`,
  where: sql`nullif(service.place_kind, 'here')`,
  place: sql`iif(service.place_kind = 'video', service.link, NULL)`,
};

const inMinutes = sql.raw(String(minute));
const ends = sql`(slots.starts_at + service.minutes * ${inMinutes})`;
const takenUntil = sql`(${ends} + service.gap * ${inMinutes})`;

/** What a booking has by its service. Free time is as long as the service, if there is one. */
export const columnsOfService = {
  endsAt: sql`iif(slots.service_id IS NULL, coalesce(${ends}, slots.ends_at), slots.ends_at)`,
  takenUntil: sql`iif(slots.service_id IS NULL, coalesce(${takenUntil}, slots.ends_at), slots.ends_at)`,
  templateId: questionsOf({ isService: true }),
};

/** SQL: the template whose questions are asked. It is the slot's; in free time it is the service's, if that has one. */
export function questionsOf({ isService }: { isService: boolean }): SQL {
  return isService
    ? sql`iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id)`
    : sql`slots.template_id`;
}

/** SQL: joins `slots` with the slot's own service, or with the wanted one if the slot has none. */
export const withService = (
  service: Placeholder | SQL | string | null,
) => sql`LEFT JOIN services AS service ON service.provider_id = slots.provider_id
    AND service.id = ${service === null ? sql`slots.service_id` : sql`coalesce(slots.service_id, ${service})`}`;

export const slotWithService = (service: Placeholder | SQL | string | null) => sql`${slots} ${withService(service)}`;

/**
 * SQL: where the booking of a slot would take place; null if it has no service.
 * @param isService whether a service is named: else only a class has one, and free time reads no row of services
 */
export const placeKindOf = ({ isService }: { isService: boolean }): SQL =>
  isService
    ? sql`service.place_kind`
    : sql`iif(slots.service_id IS NULL, NULL, (SELECT own.place_kind FROM services AS own
        WHERE own.provider_id = slots.provider_id AND own.id = slots.service_id))`;

/**
 * SQL: the reason whose condition is the first that holds, or null. It is no CASE, since these expressions stand in triggers
 * too, and the remote D1 takes the first END for the end of a trigger.
 */
const firstReason = <Reason extends string>(...reasons: [condition: SQL, reason: Reason | SQL<Reason | null>][]) =>
  reasons.reduceRight<SQL<Reason | null>>(
    (rest, [condition, reason]) =>
      sql`iif(${condition}, ${typeof reason === 'string' ? sql.raw(`'${reason}'`) : reason}, ${rest})`,
    sql`NULL`,
  );

/**
 * @param terms what the form said of the service, as JSON
 * @param mayBeOff a provider books also what is switched off
 */
export const unfit = (
  service: Placeholder | SQL | string | null,
  terms?: Placeholder | SQL,
  mayBeOff = false,
): SQL<Unfit | null> => {
  const isOff = mayBeOff ? sql`false` : sql`NOT service.is_offered`;
  const changed: [SQL, Unfit][] = terms
    ? [
        [
          // A form from before deposits has none, and null differs from nothing.
          sql`${terms} ->> 'price' <> coalesce(service.price, '')
            OR ${terms} ->> 'deposit' <> coalesce(service.deposit, '')
            OR slots.service_id IS NULL AND ${terms} ->> 'minutes' <> service.minutes`,
          'changed',
        ],
      ]
    : [];
  if (service === null) {
    return sql`iif(slots.service_id IS NULL, NULL, ${firstReason([isOff, 'service'], ...changed)})`;
  }
  const stretch = { provider: sql`slots.provider_id`, start: sql`slots.starts_at`, end: ends, takenUntil };
  return firstReason<Unfit>(
    [sql`service.id IS NOT ${service} OR ${isOff}`, 'service'],
    [sql`slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1)`, 'service'],
    [sql`slots.service_id IS NULL AND NOT ${isFreeThroughout(stretch)}`, 'length'],
    ...changed,
  );
};

/** SQL: the service in the row `service`, which is offered, can begin at the slot in `slots`. */
export const canBegin = sql`(slots.service_id = service.id OR slots.service_id IS NULL AND ${unfit(sql`service.id`)} IS NULL)`;

/**
 * SQL: once the slot is free, this service of its provider's can be offered there to whoever waits, who gets one slot: one of the
 * service's own, or free time that is long enough.
 */
export const canBeOffered = (slot: 'slots' | 'late', of: SQLWrapper): SQL => {
  const column = (name: string) => sql.raw(`${slot}.${name}`);
  return sql`(${column('service_id')} = ${of}.id OR ${column('service_id')} IS NULL AND ${column('seats')} = 1 AND ${of}.seats = 1
    AND ${of}.minutes * ${inMinutes} <= ${column('ends_at')} - ${column('starts_at')})`;
};

/** SQL: the slot lies in the time that the booking takes. @param slot its name and a dot; blank if only one table has its columns */
export const isInTimeOf = (booking: SQL, slot = ''): SQL => {
  const column = (name: string) => sql.raw(`${slot}${name}`);
  return sql`${column('provider_id')} = ${booking}.provider_id AND ${column('starts_at')} >= ${booking}.starts_at AND ${column('starts_at')} < ${booking}.taken_until`;
};

/**
 * SQL: the slot of one seat is taken by this booking. While that moves, it counts as free for it.
 * @param slot its name in the statement; none if only one table there has its columns
 */
export const isPartOf = ({ provider, start }: { provider: SQL; start: SQL }, slot?: 'slots' | 'run') => {
  const column = (name: string) => sql.raw(slot ? `${slot}.${name}` : name);
  return sql`(${isFull(slot)} AND ${column('seats')} = 1 AND ${column('part_of')} IS ${start} AND ${column('provider_id')} IS ${provider})`;
};

const theOld = { provider: sql`old.provider_id`, start: sql`old.starts_at` };

/** SQL: the booking `old` stays with its provider. */
export const isOfSameProvider = sql`slots.provider_id = old.provider_id`;

/** SQL: the slot is taken by the booking `old`, which is about to move, so it counts as open. */
export const isPartOfOld = sql`(${isPartOf(theOld, 'slots')} AND slots.starts_at <> old.starts_at)`;

const takenLength = sql`(old.taken_until - old.starts_at)`;
/** SQL: in free time the booking `old` keeps its length when it moves; a slot for its service has its own length. */
export const columnsOfMoved = {
  ...columnsOfSlot,
  endsAt: sql`iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at)`,
  takenUntil: sql`iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + ${takenLength})`,
  templateId: questionsOf({ isService: true }),
  serviceId: sql`old.service_id`,
  serviceName: sql`old.service_name`,
  price: sql`old.price`,
  deposit: sql`old.deposit`,
  where: sql`old.place_kind`,
  place: sql`old.place`,
};

/**
 * SQL: why the booking `old` can't move here, or null.
 * @param keepsService SQL: the slots of its service do, though that is switched off
 * @param own SQL: the slot `run` counts as free, because the booking that moves already has it
 */
const unfitForOld = (keepsService: SQL, own?: SQL): SQL<Unfit | null> => {
  const stretch = {
    provider: sql`slots.provider_id`,
    start: sql`slots.starts_at`,
    end: sql`(slots.starts_at + old.ends_at - old.starts_at)`,
    takenUntil: sql`(slots.starts_at + ${takenLength})`,
  };
  return firstReason<Unfit>(
    [
      sql`slots.service_id IS old.service_id`,
      sql`iif(slots.service_id IS NULL OR service.is_offered OR ${keepsService}, NULL, 'service')`,
    ],
    [sql`slots.service_id IS NOT NULL OR old.service_id IS NULL`, 'service'],
    [
      sql`slots.seats > 1 OR old.people > 1 OR old.slot_id IS NOT NULL OR NOT ${isFreeThroughout(stretch, own)}`,
      'length',
    ],
  );
};

type Value = Placeholder | SQL;
export type AskingSql = {
  people: Value;
  now: Value;
  accountId: Value;
  /** Their card, if a provider books for one. */
  personId?: Value;
  /** The name of the provider's account in `FROM`. */
  provider: SQL;
  except?: Value;
  /** Whether the provider's rules bind whoever asks, or SQL for that. */
  isBound: boolean | SQL;
  /** A service that is switched off will do: its provider books it for somebody. */
  mayBeOff?: boolean;
};

/**
 * Whoever looks at a list: nobody in particular, who comes alone. A rule that binds guests alone must let them pass, or lists would
 * hide the time from people with an account.
 * @param provider the name of the provider's account in `FROM`
 */
export const nobody = (now: Value, provider: SQL): AskingSql => ({
  people: sql`1`,
  now,
  accountId: sql`''`,
  provider,
  isBound: true,
});

/** SQL: the person has a place of this class, whether they have booked it or their provider has for their card. */
export const hasSeat = (accountId: Value, personId?: Value) => {
  const taken = (isTheirs: SQL) => sql`EXISTS (SELECT 1 FROM bookings AS mine
    WHERE ${isTheirs} AND ${isBooked('mine')} AND mine.starts_at = slots.starts_at AND mine.slot_id = slots.id)`;
  const byCard = personId
    ? taken(sql`mine.provider_id = slots.provider_id AND mine.person_id = ${personId}`)
    : sql`false`;
  return sql`(slots.seats > 1 AND (${taken(sql`mine.booker_id = ${accountId}`)} OR ${byCard}))`;
};

/** SQL: why nobody can have the slot any more. */
const whyTaken = (isFree: SQL): SQL<WhyNot | null> =>
  firstReason<WhyNot>([sql`${isFull('slots')} AND slots.seats > 1`, 'full'], [sql`NOT ${isFree}`, 'taken']);

const exceedsSeats = (people: Value): SQL => sql`slots.taken + ${people} > slots.seats`;

/**
 * SQL: why somebody can't have the slot in `slots`, or null if they can. Whatever books, moves, previews a series or refuses
 * asks this.
 * @param unfit SQL: why the service does not fit there
 * @param isFree SQL: the slot is free for them
 */
const whyNotBy = (
  unfit: SQL<Unfit | null>,
  { people, now, accountId, personId, provider, except, isBound }: AskingSql,
  isFree: SQL = isOpen('slots'),
): SQL<WhyNot | null> => {
  const rule = brokenRule(provider, { accountId, now, except });
  const ruleThatBinds =
    typeof isBound === 'boolean' ? (isBound ? rule : sql`NULL`) : sql`iif(${isBound}, ${rule}, NULL)`;
  return sql`coalesce(
    ${whyTaken(isFree)},
    iif(slots.starts_at <= ${now}, 'begun', NULL),
    ${unfit},
    ${firstReason<WhyNot>([hasSeat(accountId, personId), 'seated'], [exceedsSeats(people), 'places'])},
    ${ruleThatBinds})`;
};

/** As whyNotBy, for a new booking. The query joins the slot by `slotWithService`. */
export const whyNot = (
  asking: AskingSql & { terms?: Value },
  service: Placeholder | SQL | string | null,
): SQL<WhyNot | null> => whyNotBy(unfit(service, asking.terms, asking.mayBeOff), asking);

/**
 * As whyNot, for views, which know neither the hour nor whose rules bind: what is offered to whoever waits, and what a
 * standing time gets. Whoever reads them asks for the hour. Nobody picks such a time, so it is none that the provider has
 * something else in.
 */
const whyNotInViewBy = (unfit: SQL<Unfit | null>, people: SQL): SQL<WhyNot | null> => sql`coalesce(
    ${whyTaken(isOpen('slots'))},
    iif(${isNotBusy('slots')}, NULL, 'busy'),
    ${unfit},
    iif(${exceedsSeats(people)}, 'places', NULL))`;

const unfitInView = (service: SQL) => sql<Unfit | null>`iif(${service} IS NULL, ${unfit(null)}, ${unfit(service)})`;

/** @param service SQL: the wanted service; null in the row if none is */
export const whyNotInView = (service: SQL, people: SQL): SQL<WhyNot | null> =>
  whyNotInViewBy(unfitInView(service), people);

const isMoved = sql`old.id IS NOT NULL`;

/**
 * As whyNotInView, for an offer. One for an earlier time moves the booking `old`, and null stands for it in others. A hold
 * stands beside the booking until it is taken, so what that has is not free for it.
 */
export const whyNotOffered = (service: SQL, people: SQL): SQL<WhyNot | null> =>
  whyNotInViewBy(sql`iif(${isMoved}, ${unfitForOld(sql`1`)}, ${unfitInView(service)})`, people);

type OfOffer = 'endsAt' | 'takenUntil' | 'serviceId' | 'serviceName' | 'price' | 'deposit' | 'where';
const columnOfOffer = (name: OfOffer) =>
  sql`iif(${isMoved}, ${columnsOfMoved[name]}, ${{ ...columnsOfSlot, ...columnsOfService }[name]})`;

/** What a booking has by an offer: one that moves keeps its own length, price, deposit and place. */
export const columnsOfOffer = {
  endsAt: columnOfOffer('endsAt'),
  takenUntil: columnOfOffer('takenUntil'),
  serviceId: columnOfOffer('serviceId'),
  serviceName: columnOfOffer('serviceName'),
  price: columnOfOffer('price'),
  deposit: columnOfOffer('deposit'),
  where: columnOfOffer('where'),
  // A link is for whoever has booked, so an offer has none.
  place: sql`iif(${isMoved}, ${columnsOfMoved.place}, NULL)`,
};

/**
 * As whyNotBy, for the booking `old`, which moves there and counts as gone.
 * @param me who moves it: no rule binds its provider
 * @param isBound false for a list, which asks `isBookable` of each slot
 */
export const whyNotForOld = (
  { me, now, provider }: { me: Value; now: Value; provider: SQL },
  isBound: boolean | SQL = sql`old.provider_id <> ${me}`,
): SQL<WhyNot | null> => {
  const people = sql`iif(${isPartOfOld}, 0, old.people)`;
  const asking = { people, now, accountId: sql`old.booker_id`, provider, except: sql`old.id`, isBound };
  return whyNotBy(
    unfitForOld(ownedBy(me, 'old'), isPartOf(theOld, 'run')),
    asking,
    sql`(${isOpen('slots')} AND (slots.starts_at <> old.starts_at OR NOT ${isOfSameProvider}) OR ${isPartOfOld})`,
  );
};

/**
 * SQL: what a booking that moves takes along, whoever moves it.
 * @param old SQL: a column of the booking as it was
 * @param isSame SQL: the new time asks the same questions, so the answers stay
 */
export const takenAlong = (
  old: (column: string) => SQL,
  isSame: SQL,
  answered: { answers: Answer[] } | null,
  now: Instant,
) => ({
  personId: old('person_id'),
  answers: answered ? answered.answers : sql`iif(${isSame}, ${old('answers')}, '[]')`,
  answeredAt: answered ? now : sql`iif(${isSame}, ${old('answered_at')}, NULL)`,
  linkSeed: old('link_seed'),
  codeHash: old('code_hash'),
  privateNote: old('private_note'),
  phone: old('phone'),
  email: old('email'),
  emailHash: old('email_hash'),
  cancelUntil: old('cancel_until'),
  paid: old('paid'),
  turn: old('turn'),
  calendarId: sql`coalesce(${old('calendar_id')}, ${old('id')})`,
  sequence: sql`${old('sequence')} + 1`,
});
