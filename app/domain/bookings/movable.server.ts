import { type SQL, sql } from 'drizzle-orm';
import { firstThatHolds } from '../../../db/first-that-holds';
import { ownedBy } from '../../../db/owned-by';
import { isFull, isOpen } from '../../../db/states';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import { type Unfit, type Value, whyNotBy } from './claimable.server';
import { unfitInView, whyNotInViewBy } from './claimable-in-views.server';
import { isFreeThroughout } from './lengths.server';
import type { WhyNot } from './refusals';
import { isDayOfOld } from './rules.server';
import { columnsOfService, columnsOfSlot, questionsOf } from './slot-with-service.server';

// A booking that moves, which every query here names `old`: where it may go, and what it has there.

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
  return firstThatHolds<Unfit>(
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
  isBound: boolean | SQL = sql`NOT ${ownedBy(me, 'old')}`,
): SQL<WhyNot | null> => {
  const people = sql`iif(${isPartOfOld}, 0, old.people)`;
  const asking = {
    people,
    now,
    accountId: sql`old.booker_id`,
    provider,
    except: sql`old.id`,
    takesWhenFull: isDayOfOld,
    isBound,
  };
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
