import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import { bookingStatus, isNotBusy } from '../../../db/states';
import { aliasOf, cardOf } from '../people/card-of.server';
import {
  columnsOfAnyTime,
  isFreeAtAnyTime,
  isGrantableAtAnyTime,
  rowOfAnyTime,
  rowWithService,
} from './claim-any-time.server';
import {
  addressOf,
  areAnswered,
  askingOf,
  firstOfOwn,
  isFree,
  isReachable,
  mayAsk,
  mayBook,
  phoneOf,
  serviceOf,
  slotsOf,
} from './claim-conditions.server';
import {
  type ClaimPlaceholders,
  type ClaimValues,
  isForSomeone,
  ofRequest,
  type ReadyClaim,
  rowOf,
  type Shape,
} from './claim-request.server';
import { isWholeFree, seriesOf, turnOfSeries } from './claim-series.server';
import { whyNot } from './claimable.server';
import { shopOf } from './rules.server';
import { columnsOfService, columnsOfSlot, questionsOf } from './slot-with-service.server';
import { shareOfDay, turnOf } from './turn.server';

// A claim books times of one provider for one person: one time or a series, all of them or none. One statement inserts the
// bookings if it is granted, so of two people who claim a time at once the second gets no row. Triggers take the slots, and with the
// constraint on their seats refuse whatever a statement should ever miss.

/** SQL: the time at which somebody in the shop has the turn, of those who are free for what was asked; null if nobody is. */
const turnIn = (shape: Shape) =>
  turnOf({
    shop: ofRequest('shop'),
    start: ofRequest('start'),
    service: serviceOf(shape),
    accountId: ofRequest('accountId'),
    // A provider may book over what else they have then; but nobody chose these colleagues, so those who have something are passed over.
    condition: sql`${whyNot(askingOf(shape), serviceOf(shape))} IS NULL AND ${isReachable(shape)} AND ${areAnswered(shape)}
      AND ${isForSomeone(shape) ? isNotBusy('slots') : mayBook(shape)}`,
  });

/** One time of one provider, which is published: what most claims are for. */
const isPlain = ({ what, isShopTime }: Shape) => what === 'time' && !isShopTime;

/** Whether the statement itself finds who has the turn. The colleague for a series is chosen before its claim. */
const isByTurn = ({ what, isShopTime }: Shape) => what === 'time' && isShopTime;

/**
 * SQL: the row `request`. With the turn it has `turn_id` too: the time of whoever has it. With a series it has whether that is free as a
 * whole, and the number and the series of bookings that the person has already. With a LIMIT, SQLite works these out once, not once
 * for each wanted slot.
 */
export function rowToClaim(shape: Shape, values: ClaimPlaceholders | ClaimValues): SQL {
  const row = rowOf(values);
  if (isPlain(shape)) return row;
  if (shape.what === 'anyTime') return rowOfAnyTime(values);
  if (isByTurn(shape)) return sql`(SELECT request.*, ${turnIn(shape)} AS turn_id FROM ${row} LIMIT 1) AS request`;
  return sql`(SELECT request.*, ${isWholeFree(shape)} AS is_whole_free, ${firstOfOwn(shape, 'phone')} AS own_phone,
    ${firstOfOwn(shape, 'series_id')} AS own_series FROM ${row} LIMIT 1) AS request`;
}

/** SQL: this wanted time is free for the person, and so is the rest of its series. */
function isGrantable(shape: Shape): SQL {
  // Whoever has the turn is free.
  if (isByTurn(shape)) return hasId(slots, sql`request.turn_id`);
  const isTheirBook = sql`provider.id = ${ofRequest('provider')}`;
  const mayHave = isForSomeone(shape) ? sql`provider.id = ${ofRequest('actorId')}` : mayBook(shape);
  if (isPlain(shape)) return sql`${isFree(shape)} AND ${isTheirBook} AND ${mayHave} AND ${areAnswered(shape)}`;
  if (shape.what === 'series') return sql`${isFree(shape)} AND ${isTheirBook} AND ${mayHave} AND request.is_whole_free`;
  return sql`${isFreeAtAnyTime(shape)} AND ${isTheirBook} AND ${mayHave} AND ${areAnswered(shape)}`;
}

/**
 * SQL: the claim would be granted, whoever asks. The guest of a claim, or the account of a card, is made by the same
 * condition.
 */
export const wouldBeGranted = ({ shape, values }: { shape: Shape; values: ClaimPlaceholders | ClaimValues }): SQL =>
  shape.what === 'anyTime'
    ? sql`EXISTS (SELECT 1 FROM ${rowWithService({ shape, values })} WHERE ${isGrantableAtAnyTime(shape)}
        AND ${ofRequest('provider')} = ${ofRequest('actorId')})`
    : sql`EXISTS (SELECT 1 FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)} WHERE ${isGrantable(shape)})`;

const columnOfLinked = (column: 'email' | 'email_hash') =>
  sql`(SELECT linked.${sql.identifier(column)} FROM bookings AS linked WHERE ${hasId(alias(bookings, 'linked'), ofRequest('linkedId'))})`;

function columnsOfClaim(shape: Shape) {
  const card = cardOf(sql`provider.id`, ofRequest('accountId'));
  // A series asks the questions of its first time. Dates with other questions are answered later.
  const isAnswered = sql`(${ofRequest('askedTemplateId')} IS NOT NULL AND ${questionsOf(shape)} IS ${ofRequest('askedTemplateId')})`;
  const ifAnswered = (answer: SQL, none: SQL) =>
    shape.what === 'series' ? sql`iif(${isAnswered}, ${answer}, ${none})` : answer;
  return {
    ...columnsOfSlot,
    ...(shape.isService && columnsOfService),
    ...(shape.what === 'anyTime' && columnsOfAnyTime(shape)),
    status: bookingStatus.booked,
    people: ofRequest('people'),
    bookerId: ofRequest('accountId'),
    personId: isForSomeone(shape) ? sql`coalesce(${aliasOf(sql`provider.id`, ofRequest('personId'))}, ${card})` : card,
    bookedAt: ofRequest('now'),
    answers: ifAnswered(ofRequest('answers'), sql`'[]'`),
    answeredAt: ifAnswered(ofRequest('answeredAt'), sql`NULL`),
    linkSeed: sql`wanted.value ->> 1`,
    codeHash: sql`wanted.value ->> 2`,
    privateNote: ofRequest('privateNote'),
    phone: isForSomeone(shape)
      ? ofRequest('phone')
      : sql`iif(provider.ask_phone = 'no' AND service.place_kind IS NOT 'phone', NULL, ${phoneOf(shape)})`,
    place: sql`iif(service.place_kind = 'theirs', ${addressOf(shape)}, ${columnsOfSlot.place})`,
    cancelUntil: sql`provider.cancel_until`,
    shopId: shopOf(sql`provider.id`),
    ...(shape.isShopTime && { turn: shape.what === 'series' ? turnOfSeries : shareOfDay }),
    // A member of the desk may have the turn themselves.
    ...(shape.by === 'desk' && { actedBy: sql`nullif(${ofRequest('memberId')}, provider.id)` }),
    ...(shape.what === 'series' && { seriesId: seriesOf, toldWith: ofRequest('toldWith') }),
    ...(shape.by === 'link' && { email: columnOfLinked('email'), emailHash: columnOfLinked('email_hash') }),
  };
}

const insertClaimed = statementBy<Shape, ClaimValues>()((shape, values) => {
  const inserted = insertFrom(
    bookings,
    columnsOfClaim(shape),
    sql`FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)}
      WHERE ${isGrantable(shape)} AND ${mayAsk(shape)} ORDER BY slots.starts_at`,
  );
  // The cache drops the pages of providers whose ids are among the values. Here none is, so the statement returns it.
  return shape.isShopTime ? inserted.returning({ provider_id: bookings.providerId }) : inserted;
});

/** Books all times of the claim, or none. */
export const claim = ({ shape, values }: ReadyClaim) => insertClaimed(shape, values);
