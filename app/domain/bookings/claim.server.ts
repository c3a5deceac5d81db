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
  asked,
  type ClaimPlaceholders,
  type ClaimValues,
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
    shop: asked('shop'),
    start: asked('start'),
    service: serviceOf(shape),
    accountId: asked('accountId'),
    // A provider may book over what else they have then; but nobody chose these colleagues, so those who have something are passed over.
    condition: sql`${whyNot(askingOf(shape), serviceOf(shape))} IS NULL AND ${isReachable(shape)} AND ${areAnswered(shape)}
      AND ${shape.isForSomeone ? isNotBusy('slots') : mayBook(shape)}`,
  });

/** One time of one provider, which is published: what most claims are for. */
const isPlain = ({ isSeries, isAnyTime, isAnyone }: Shape) => !isSeries && !isAnyTime && !isAnyone;

/** Whether the statement itself finds who has the turn. The colleague for a series is chosen before its claim. */
const isByTurn = ({ isAnyone, isSeries }: Shape) => isAnyone && !isSeries;

/**
 * SQL: the row `asked`. With the turn it has `turn_id` too: the time of whoever has it. With a series it has whether that is free as a
 * whole, and the number and the series of bookings that the person has already. With a LIMIT, SQLite works these out once, not once
 * for each wanted slot.
 */
export function rowToClaim(shape: Shape, values: ClaimPlaceholders | ClaimValues): SQL {
  const row = rowOf(values);
  if (isPlain(shape)) return row;
  if (shape.isAnyTime) return rowOfAnyTime(values);
  if (isByTurn(shape)) return sql`(SELECT asked.*, ${turnIn(shape)} AS turn_id FROM ${row} LIMIT 1) AS asked`;
  return sql`(SELECT asked.*, ${isWholeFree(shape)} AS is_whole_free, ${firstOfOwn(shape, 'phone')} AS own_phone,
    ${firstOfOwn(shape, 'series_id')} AS own_series FROM ${row} LIMIT 1) AS asked`;
}

/** SQL: this wanted time is free for the person, and so is the rest of its series. */
function isGrantable(shape: Shape): SQL {
  // Whoever has the turn is free.
  if (isByTurn(shape)) return hasId(slots, sql`asked.turn_id`);
  const isTheirBook = sql`provider.id = ${asked('provider')}`;
  const mayHave = shape.isForSomeone ? sql`provider.id = ${asked('actorId')}` : mayBook(shape);
  if (isPlain(shape)) return sql`${isFree(shape)} AND ${isTheirBook} AND ${mayHave} AND ${areAnswered(shape)}`;
  if (shape.isSeries) return sql`${isFree(shape)} AND ${isTheirBook} AND ${mayHave} AND asked.is_whole_free`;
  return sql`${isFreeAtAnyTime(shape)} AND ${isTheirBook} AND ${mayHave} AND ${areAnswered(shape)}`;
}

/**
 * SQL: the claim would be granted, whoever asks. The guest of a claim, or the account of a card, is made by the same
 * condition.
 */
export const wouldBeGranted = ({ shape, values }: { shape: Shape; values: ClaimPlaceholders | ClaimValues }): SQL =>
  shape.isAnyTime
    ? sql`EXISTS (SELECT 1 FROM ${rowWithService({ shape, values })} WHERE ${isGrantableAtAnyTime(shape)}
        AND ${asked('provider')} = ${asked('actorId')})`
    : sql`EXISTS (SELECT 1 FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)} WHERE ${isGrantable(shape)})`;

const columnOfLinked = (column: 'email' | 'email_hash') =>
  sql`(SELECT linked.${sql.identifier(column)} FROM bookings AS linked WHERE ${hasId(alias(bookings, 'linked'), asked('linkedId'))})`;

function columnsOfClaim(shape: Shape) {
  const card = cardOf(sql`provider.id`, asked('accountId'));
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
    bookerId: asked('accountId'),
    personId: shape.isForSomeone ? sql`coalesce(${aliasOf(sql`provider.id`, asked('personId'))}, ${card})` : card,
    bookedAt: asked('now'),
    answers: ifAnswered(asked('answers'), sql`'[]'`),
    answeredAt: ifAnswered(asked('answeredAt'), sql`NULL`),
    linkSeed: sql`wanted.value ->> 1`,
    codeHash: sql`wanted.value ->> 2`,
    privateNote: asked('privateNote'),
    phone: shape.isForSomeone
      ? asked('phone')
      : sql`iif(provider.ask_phone = 'no' AND service.place_kind IS NOT 'phone', NULL, ${phoneOf(shape)})`,
    place: sql`iif(service.place_kind = 'theirs', ${addressOf(shape)}, ${columnsOfSlot.place})`,
    cancelUntil: sql`provider.cancel_until`,
    shopId: shopOf(sql`provider.id`),
    ...(shape.isAnyone && { turn: shape.isSeries ? turnOfSeries : shareOfDay }),
    // A member of the desk may have the turn themselves.
    ...(shape.isByMember && { actedBy: sql`nullif(${asked('memberId')}, provider.id)` }),
    ...(shape.isSeries && { seriesId: seriesOf, toldWith: asked('toldWith') }),
    ...(shape.isByLink && { email: columnOfLinked('email'), emailHash: columnOfLinked('email_hash') }),
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
  return shape.isAnyone ? inserted.returning({ provider_id: bookings.providerId }) : inserted;
});

/** Books all times of the claim, or none. */
export const claim = ({ shape, values }: ReadyClaim) => insertClaimed(shape, values);
