import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../../db/schema';
import { isBusy, isNotBusy, isToCome, stands } from '../../../db/states';
import { day, type Instant, type LocalDate, minute } from '../time/clock';
import type { WhyNot } from './refusals';

// Lists, calendars, counts, booking and moving all use these conditions. So people can book each time that they see.

export type Now = Placeholder | Instant | SQL;

type Provider = SQLWrapper;

const never = sql.raw(String(Number.MAX_SAFE_INTEGER));

/** SQL: how long before its start a time can be booked at the latest, in milliseconds: at least one. */
const noticeOf = (provider: Provider): SQL => sql`max(1, ${provider}.notice * ${sql.raw(String(minute))})`;

/** SQL: the first start that can be booked: after now, and after the provider's notice. */
export const firstStart = (now: Now, provider: Provider = accounts): SQL => sql`(${now} + ${noticeOf(provider)})`;

/** SQL: the last instant at which this start can be booked. */
export const lastMoment = (start: SQL, provider: Provider): SQL => sql`(${start} - ${noticeOf(provider)})`;

export const lastStart = (now: Now, provider: Provider = accounts): SQL =>
  sql`coalesce(${now} + ${provider}.horizon_days * ${sql.raw(String(day))}, ${never})`;

/** SQL: this start can be booked now, by the provider's notice and horizon. */
export const isInTime = (start: SQL, now: Now, provider: Provider): SQL =>
  sql`${start} >= ${firstStart(now, provider)} AND ${start} <= ${lastStart(now, provider)}`;

/** SQL: this full day of the provider takes the booking all the same. */
export type TakesWhenFull = (date: SQL, provider: Provider) => SQL;
const neverWhenFull: TakesWhenFull = () => sql`0`;

/** SQL: it is the day of the booking that moves, which the query names `old`. A move within a day doesn't count for its limit. */
export const isDayOfOld: TakesWhenFull = (date, provider) =>
  sql`(old.local_date IS ${date} AND old.provider_id IS ${provider}.id)`;

/** SQL: on this date the provider still takes appointments. */
export const hasRoom = (
  date: SQL,
  provider: Provider,
  takesWhenFull = neverWhenFull,
): SQL => sql`(${provider}.per_day IS NULL OR NOT EXISTS (
  SELECT 1 FROM full_days WHERE full_days.provider_id = ${provider}.id AND full_days.local_date = ${date})
  OR ${takesWhenFull(date, provider)})`;

/**
 * SQL: the slot is a class that has people. It counts as one appointment of its day already, so that it takes more people even
 * on a full day.
 * @param held how many of its places are held for whoever asks, who makes no class of it
 */
export const isCountedClass = (slot: 'slots' | 'near', held = sql`0`): SQL =>
  sql`(${sql.raw(slot)}.taken > ${held} AND ${sql.raw(slot)}.seats > 1)`;

/** SQL: as hasRoom, for the slot. */
export const hasRoomFor = (slot: 'slots' | 'near', provider: Provider, takesWhenFull?: TakesWhenFull): SQL =>
  sql`(${isCountedClass(slot)} OR ${hasRoom(sql.raw(`${slot}.local_date`), provider, takesWhenFull)})`;

/** SQL: the row, a slot or a booking, is for no service, or its provider offers that one. */
export const isOffered = (row: 'slots' | 'near' | 'hold'): SQL => sql`(${sql.raw(row)}.service_id IS NULL OR EXISTS (
  SELECT 1 FROM services AS offered WHERE offered.provider_id = ${sql.raw(row)}.provider_id
    AND offered.id = ${sql.raw(row)}.service_id AND offered.is_offered))`;

/**
 * SQL: the provider's rules let people book this open slot. `slot` is its name in `FROM`.
 * @param takesWhenFull which full day takes the booking all the same
 */
export const isBookable = (
  slot: 'slots' | 'near',
  now: Now,
  provider: Provider = accounts,
  takesWhenFull?: TakesWhenFull,
): SQL => {
  const startsAt = sql.raw(`${slot}.starts_at`);
  return sql`(${isNotBusy(slot)} AND ${isInTime(startsAt, now, provider)}
    AND ${hasRoomFor(slot, provider, takesWhenFull)} AND ${isOffered(slot)})`;
};

/** SQL: as isBookable, for a query without the provider's account. */
export const isBookableOfAny = (slot: 'slots' | 'near', now: Now): SQL => sql`(${isNotBusy(slot)} AND EXISTS (
  SELECT 1 FROM accounts AS ruler WHERE ruler.id = ${sql.raw(slot)}.provider_id AND ${isBookable(slot, now, sql`ruler`)}))`;

/** The rule that forbids a booking. `busy`: the provider has something else at that time. */
type BrokenRule = Extract<WhyNot, 'notice' | 'horizonDays' | 'busy' | 'perPerson' | 'perDay'>;

const twoDays = sql.raw(String(2 * day));

type Except = Placeholder | SQL | string;

/** SQL: no id is blank, so nothing is left out by default. */
const nothing = sql`''`;

const isNoneOf = (id: SQL, except: Except | Except[] = nothing) =>
  sql.join(
    [except].flat().map((other) => sql`${id} <> ${other}`),
    sql` AND `,
  );

type Day = {
  provider: SQLWrapper;
  date: SQLWrapper | LocalDate;
  from: SQLWrapper | Instant;
  until: SQLWrapper | Instant;
};

/**
 * SQL: how many appointments count for a provider's limit of a day, held times too. A class counts once.
 * @param day starts of that day, so that an index finds the others
 * @param except the bookings that don't count
 */
export const countOfDay = ({ provider, date, from, until }: Day, except?: Except | Except[]): SQL<number> =>
  sql`(SELECT count(DISTINCT ifnull(taken.slot_id, taken.id)) FROM bookings AS taken
      WHERE taken.provider_id = ${provider}
        AND taken.starts_at BETWEEN ${from} - ${twoDays} AND ${until} + ${twoDays}
        AND ${stands('taken')} AND taken.local_date = ${date} AND ${isNoneOf(sql`taken.id`, except)})`;

const dayOfSlot: Day = {
  provider: sql`slots.provider_id`,
  date: sql`slots.local_date`,
  from: sql`slots.starts_at`,
  until: sql`slots.starts_at`,
};

/** SQL: whoever has this account can log in: they are no guest. */
export const canLogIn = (account: Placeholder | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = ${account} AND booker.username IS NOT NULL)`;

/** SQL: the provider takes guests, or whoever has this account is none. */
export const takesPerson = (provider: SQL, account: Placeholder | SQL): SQL =>
  sql`(${provider}.open_to = 'anyone' OR ${canLogIn(account)})`;

type Who = { accountId: Placeholder | SQL; now: Now; except?: Except | Except[]; held?: SQL };

/** SQL: the shop of this provider, or null. */
export const shopOf = (provider: SQLWrapper) => sql`(SELECT shop_id FROM colleagues WHERE account_id = ${provider})`;

/**
 * SQL: how many coming appointments of the account count for the limit of the provider with this id: those with them, and
 * with all others that were booked in their shop.
 * @param except the bookings that don't count
 */
export const countOfPerson = (provider: SQLWrapper, { accountId, now, except }: Who): SQL<number> =>
  sql`(SELECT count(*) FROM bookings AS mine
    WHERE mine.booker_id = ${accountId} AND ${isToCome(now, 'mine')}
      AND (mine.provider_id = ${provider} OR mine.shop_id = ${shopOf(provider)}) AND ${isNoneOf(sql`mine.id`, except)})`;

/** SQL: for whom that limit counts, by name: the shop of this provider's account, or the provider. */
export const countingName = (provider: SQL) =>
  sql<string>`coalesce((SELECT shop.display_name FROM accounts AS shop WHERE shop.id = ${shopOf(sql`${provider}.id`)}), ${provider}.display_name)`;

export const hasAllTheyMay = (provider: SQL, who: Who, id = sql`${provider}.id`): SQL =>
  sql`(${provider}.per_person IS NOT NULL AND ${provider}.per_person <= ${countOfPerson(id, who)})`;

/**
 * SQL: the first rule that forbids the booking, or null. The query must name the slot `slots`.
 * @param except the bookings that don't count, because this one replaces them
 * @param held as in isCountedClass
 * @param takesWhenFull as in isBookable
 */
export const brokenRule = (
  provider: SQL,
  { accountId, now, except, held }: Who,
  takesWhenFull = neverWhenFull,
): SQL<BrokenRule | null> => sql`CASE
    WHEN slots.starts_at < ${firstStart(now, provider)} THEN 'notice'
    WHEN slots.starts_at > ${lastStart(now, provider)} THEN 'horizonDays'
    WHEN ${isBusy('slots')} THEN 'busy'
    WHEN ${hasAllTheyMay(provider, { accountId, now, except })} THEN 'perPerson'
    WHEN ${provider}.per_day IS NOT NULL AND NOT ${isCountedClass('slots', held)}
      AND ${provider}.per_day <= ${countOfDay(dayOfSlot, except)} AND NOT ${takesWhenFull(sql`slots.local_date`, provider)} THEN 'perDay' END`;
