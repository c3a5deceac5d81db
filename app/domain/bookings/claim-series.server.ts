import { asc, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { bookings, slots } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { hasEnded, isBooked, isOpen } from '../../../db/states';
import { selectBookings } from './appointments.server';
import {
  countOwn,
  firstOfOwn,
  isFree,
  isInBookOf,
  mayAsk,
  slotsOf,
  wantedAndOwn,
  wantedId,
  wantedTimes,
} from './claim-conditions.server';
import {
  type ClaimPlaceholders,
  type ClaimSql,
  type ClaimValues,
  isForSomeone,
  ofRequest,
  type ReadyClaim,
  rowOf,
  type Shape,
} from './claim-request.server';
import { countOfDay, countOfPerson, isCountedClass } from './rules.server';
import { questionsOf } from './slot-with-service.server';
import { shareOfDay, takesIn } from './turn.server';

// A claim of several times, as a series: all of them or none. Those that the person has booked already join it.

const daysOfSlots = {
  provider: sql`provider.id`,
  date: sql`near.local_date`,
  from: sql`min(near.starts_at)`,
  until: sql`max(near.starts_at)`,
};

/** SQL: with the whole series the person has no more coming appointments than the provider allows. */
export const isWithinPerson = (shape: Shape) => sql`(provider.per_person IS NULL OR provider.per_person >=
  json_array_length(${ofRequest('times')}) - ${countOwn(shape)} + ${countOfPerson(sql`provider.id`, { accountId: ofRequest('accountId'), now: ofRequest('now') })})`;

/** SQL: with the whole series no day has more appointments than the provider allows. */
export const isWithinDays = () => sql`(provider.per_day IS NULL OR NOT EXISTS (
  SELECT 1 FROM ${wantedTimes} CROSS JOIN slots AS near ON ${hasId(alias(slots, 'near'), wantedId)}
  WHERE ${isOpen('near')} AND NOT ${isCountedClass('near')} GROUP BY near.local_date
  HAVING count(*) > 1 AND count(*) + ${countOfDay(daysOfSlots)} > provider.per_day))`;

const areAllFree = (shape: Shape) => sql`json_array_length(${ofRequest('times')}) =
  (SELECT count(*) FROM ${slotsOf(shape)} WHERE ${isFree(shape)}) + ${countOwn(shape)}`;

/** SQL: whoever is to keep the series takes appointments in the shop, and the person has none of its times with another there. */
const isKeptByOne = sql`EXISTS (SELECT 1 FROM accounts AS shop CROSS JOIN colleagues AS turn ON turn.shop_id = shop.id
  WHERE ${takesIn(ofRequest('shop'))} AND turn.account_id = ${ofRequest('provider')} AND NOT EXISTS (
    SELECT 1 FROM ${wantedTimes} CROSS JOIN bookings AS mine ON mine.booker_id = ${ofRequest('accountId')} AND ${isBooked('mine')}
      AND mine.starts_at = ${startOf(wantedId)} WHERE mine.shop_id = shop.id AND mine.provider_id <> ${ofRequest('provider')}))`;

/** SQL: the series can be booked as a whole. */
const isWholeFree = (shape: Shape) => {
  const isKept = shape.isShopTime ? sql`${areAllFree(shape)} AND ${isKeptByOne}` : areAllFree(shape);
  return isForSomeone(shape)
    ? isKept
    : sql`(${isKept} AND EXISTS (SELECT 1 FROM accounts AS provider
        WHERE provider.id = ${ofRequest('provider')} AND ${isWithinPerson(shape)} AND ${isWithinDays()}))`;
};

// With LIMIT, SQLite works out a row once, not once for each wanted slot.
const ownOfSeries = (shape: Shape, values: ClaimPlaceholders | ClaimValues) => sql`(SELECT request.*,
    ${firstOfOwn(shape, 'phone')} AS own_phone, ${firstOfOwn(shape, 'series_id')} AS own_series
  FROM ${rowOf(values)} LIMIT 1) AS request`;

/** SQL: the time asks the questions that were answered: those of the first. Dates with others are answered later. */
const isAnswered = (shape: Shape) =>
  sql`(${ofRequest('askedTemplateId')} IS NOT NULL AND ${questionsOf(shape)} IS ${ofRequest('askedTemplateId')})`;

/** Several times of one provider. In a shop the colleague who keeps them was chosen before. */
export const ofSeries: ClaimSql = {
  row: (shape, values) =>
    sql`(SELECT request.*, ${isWholeFree(shape)} AS is_whole_free FROM ${ownOfSeries(shape, values)} LIMIT 1) AS request`,
  isGrantable: (shape) => sql`${isFree(shape)} AND ${isInBookOf(shape)} AND request.is_whole_free`,
  columns: (shape) => ({
    seriesId: sql`coalesce(request.own_series, ${ofRequest('series')})`,
    toldWith: ofRequest('toldWith'),
    answers: sql`iif(${isAnswered(shape)}, ${ofRequest('answers')}, '[]')`,
    answeredAt: sql`iif(${isAnswered(shape)}, ${ofRequest('answeredAt')}, NULL)`,
    ...(shape.isShopTime && {
      turn: sql`json_insert(${shareOfDay}, '$[2]', json_array_length(${ofRequest('times')}))`,
    }),
  }),
};

/** SQL: the bookings that the person has already join the series, if it is whole now. */
const joinOwn = statementBy<Shape, ClaimValues>()((shape, values) =>
  orm.run(sql`UPDATE bookings SET series_id = (SELECT coalesce(${firstOfOwn(shape, 'series_id')}, ${ofRequest('series')}) FROM ${rowOf(values)})
    WHERE (provider_id, starts_at, id) IN (SELECT own.provider_id, own.starts_at, own.id FROM ${rowOf(values)} CROSS JOIN ${wantedAndOwn(shape)}
        AND own.series_id IS NULL
      WHERE ${mayAsk(shape)} AND json_array_length(${ofRequest('times')}) = ${countOwn(shape)})`),
);

/** The bookings that stand now of what was claimed, by start: a series that is sent again finds those that it made. */
const bookedOfClaim = statementBy<Shape, ClaimValues>()((shape, values) =>
  selectBookings()
    // Without CROSS JOIN, so that SQLite begins with the list.
    .innerJoin(
      sql`json_each(${values.times}) AS wanted`,
      sql`${bookings.providerId} = ${providerOf(wantedId)}
        AND ${bookings.startsAt} = ${startOf(wantedId)} AND (${bookings.id} = ${wantedId} OR ${bookings.slotId} = ${wantedId})`,
    )
    .where(
      sql`${isForSomeone(shape) ? sql`${bookings.personId} = ${values.personId}` : sql`${bookings.bookerId} = ${values.accountId}`}
        AND (${isBooked(bookings)} OR ${hasEnded(bookings)} AND ${bookings.seriesId} = ${values.series})`,
    )
    .orderBy(asc(bookings.startsAt)),
);

export const joinSeries = ({ shape, values }: ReadyClaim) => joinOwn(shape, values);
export const selectSeries = ({ shape, values }: ReadyClaim) => bookedOfClaim(shape, values);
