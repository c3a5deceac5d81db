import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { bookings } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import { bookingStatus } from '../../../db/states';
import { aliasOf, cardOf } from '../people/card-of.server';
import { nameOf } from '../profile/name-of.server';
import { keptPhone, placeOf } from '../services/where.server';
import { ofAnyTime } from './claim-any-time.server';
import { ofTurn } from './claim-by-turn.server';
import { addressOf, areAnswered, isFree, isInBookOf, mayAsk, phoneOf, slotsOf } from './claim-conditions.server';
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
import { ofSeries } from './claim-series.server';
import { shopOf } from './rules.server';
import { columnsOfService, columnsOfSlot } from './slot-with-service.server';

// A claim books times of one provider for one person: one time or a series, all of them or none. One statement inserts the
// bookings if it is granted, so of two people who claim a time at once the second gets no row. Triggers take the slots, and with the
// constraint on their seats refuse whatever a statement should ever miss.

/** A published time of one provider. */
const ofTime: ClaimSql = {
  row: (_, values) => rowOf(values),
  isGrantable: (shape) => sql`${isFree(shape)} AND ${isInBookOf(shape)} AND ${areAnswered(shape)}`,
};

const sqlOf: Record<Shape['what'], ClaimSql> = { time: ofTime, turn: ofTurn, anyTime: ofAnyTime, series: ofSeries };

/** SQL: the row `request`, with what this way of claiming has to know besides. */
export const rowToClaim = (shape: Shape, values: ClaimPlaceholders | ClaimValues): SQL =>
  sqlOf[shape.what].row(shape, values);

/**
 * SQL: the claim would be granted, whoever asks. The guest of a claim, or the account of a card, is made by the same
 * condition.
 */
export const wouldBeGranted = ({ shape, values }: { shape: Shape; values: ClaimPlaceholders | ClaimValues }): SQL =>
  sqlOf[shape.what].wouldBeGranted?.(shape, values) ??
  sql`EXISTS (SELECT 1 FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)} WHERE ${sqlOf[shape.what].isGrantable(shape)})`;

const columnOfLinked = (column: 'email' | 'email_hash') =>
  sql`(SELECT linked.${sql.identifier(column)} FROM bookings AS linked WHERE ${hasId(alias(bookings, 'linked'), ofRequest('linkedId'))})`;

function columnsOfClaim(shape: Shape) {
  const kind = sql`service.place_kind`;
  const card = cardOf(sql`provider.id`, ofRequest('accountId'));
  return {
    ...columnsOfSlot,
    ...(shape.isService && columnsOfService),
    status: bookingStatus.booked,
    people: ofRequest('people'),
    bookerId: ofRequest('accountId'),
    bookerName: nameOf(ofRequest('accountId')),
    personId: isForSomeone(shape) ? sql`coalesce(${aliasOf(sql`provider.id`, ofRequest('personId'))}, ${card})` : card,
    bookedAt: ofRequest('now'),
    answers: ofRequest('answers'),
    answeredAt: ofRequest('answeredAt'),
    linkSeed: sql`wanted.value ->> 1`,
    codeHash: sql`wanted.value ->> 2`,
    privateNote: ofRequest('privateNote'),
    phone: isForSomeone(shape)
      ? ofRequest('phone')
      : keptPhone({ kind, askPhone: sql`provider.ask_phone`, phone: phoneOf(shape) }),
    place: placeOf({ kind, address: addressOf(shape), link: sql`service.link` }),
    cancelUntil: sql`provider.cancel_until`,
    shopId: shopOf(sql`provider.id`),
    // A member of the desk may have the turn themselves.
    ...(shape.by === 'desk' && { actedBy: sql`nullif(${ofRequest('memberId')}, provider.id)` }),
    ...(shape.by === 'link' && { email: columnOfLinked('email'), emailHash: columnOfLinked('email_hash') }),
    ...sqlOf[shape.what].columns?.(shape),
  };
}

const insertClaimed = statementBy<Shape, ClaimValues>()((shape, values) => {
  const inserted = insertFrom(
    bookings,
    columnsOfClaim(shape),
    sql`FROM ${rowToClaim(shape, values)} CROSS JOIN ${slotsOf(shape)}
      WHERE ${sqlOf[shape.what].isGrantable(shape)} AND ${mayAsk(shape)} ORDER BY slots.starts_at`,
  );
  // The cache drops the pages of providers whose ids are among the values. Here none is, so the statement returns it.
  return shape.isShopTime ? inserted.returning({ provider_id: bookings.providerId }) : inserted;
});

/** Books all times of the claim, or none. */
export const claim = ({ shape, values }: ReadyClaim) => insertClaimed(shape, values);
