import { type SQL, sql } from 'drizzle-orm';
import { freshId, hasId } from '../../../db/ids';
import { slots } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { isMadeByHours, isOpen, madeBy, slotState } from '../../../db/states';
import type { Where } from '../services/where';
import { busyIn, endOfFirst, isInTheWay, isOutsideOrBusy, isTaken, isWithdrawnIn, makeSlots } from './any-time.server';
import {
  areAnswered,
  isInBookOf,
  isOwnBook,
  isReachable,
  mayAsk,
  questionsAt,
  wantedId,
} from './claim-conditions.server';
import {
  type AnyTime,
  type ClaimPlaceholders,
  type ClaimSql,
  type ClaimValues,
  ofRequest,
  type ReadyClaim,
  rowOf,
  type Shape,
} from './claim-request.server';
import { inMinutes } from './slot-with-service.server';
import { isOutsideOfHours } from './within-hours.server';

// A claim of a time that need not be published, which a provider makes for somebody: what is against it, and the slot that is made
// for it.

const at = (name: keyof AnyTime) => sql`(${ofRequest('at')} ->> ${sql.raw(`'${name}'`)})`;
const minutesOf = ({ isService }: Shape) => (isService ? sql`service.minutes` : at('minutes'));

/** SQL: the time that is asked for, published or not. */
const stretchOf = (shape: Shape) => {
  const end = sql`(${at('startsAt')} + ${minutesOf(shape)} * ${inMinutes})`;
  return {
    provider: ofRequest('provider'),
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
  return sql`${shape.isService ? fits : sql`true`} AND ${stretch.end} > ${ofRequest('now')}
    AND (SELECT time_zone FROM accounts WHERE id = ${ofRequest('provider')}) = ${at('zone')}
    AND ${areAnswered(shape)} AND ${isReachable(shape)} AND NOT ${isTaken(stretch)} AND (${at('isOver')} OR NOT ${isOutsideOrBusy(stretch)})`;
};

/**
 * SQL: this slot begins at the time that is asked for, and they can have it. `makeRoom` has deleted one for another service, and a
 * class; if it is still there, the claim was refused.
 */
const isFreeAtAnyTime = (shape: Shape) =>
  sql`${hasId(slots, wantedId)} AND ${isOpen('slots')} AND slots.seats = 1 AND slots.service_id IS NULL AND ${isGrantableAtAnyTime(shape)}`;

/** SQL: as rowOf. The slot of a time that need not be published is the one that begins then. */
const rowOfAnyTime = (values: ClaimPlaceholders | ClaimValues) =>
  rowOf(
    values,
    sql`json_set(${values.times}, '$[0][0]', (SELECT slots.id FROM slots
      WHERE slots.provider_id = ${values.provider} AND slots.starts_at = ${values.at} ->> 'startsAt'))`,
  );

/** SQL: a claim at any time as one row, with its service, before there is a slot for it. */
const rowWithService = ({
  shape,
  values,
}: {
  shape: Shape;
  values: ClaimPlaceholders | ClaimValues;
}) => sql`${rowOf(values)}
  LEFT JOIN services AS service ON service.provider_id = ${ofRequest('provider')}
    AND service.id = ${shape.isService ? ofRequest('service') : sql`NULL`}`;

/** A time of a provider's own, for which `makeRoom` makes the slot. */
export const ofAnyTime: ClaimSql = {
  row: (_, values) => rowOfAnyTime(values),
  isGrantable: (shape) => sql`${isFreeAtAnyTime(shape)} AND ${isInBookOf(shape)} AND ${areAnswered(shape)}`,
  wouldBeGranted: (shape, values) =>
    sql`EXISTS (SELECT 1 FROM ${rowWithService({ shape, values })} WHERE ${isGrantableAtAnyTime(shape)}
      AND ${isOwnBook()})`,
  columns: (shape) => {
    const { end: endsAt, takenUntil } = stretchOf(shape);
    return { endsAt, takenUntil, templateId: questionsAt(shape) };
  },
};

/** SQL: the claim will be granted as soon as there is a slot for it. */
const mayMakeRoom = (shape: Shape) => sql`${isGrantableAtAnyTime(shape)} AND ${isOwnBook()} AND ${mayAsk(shape)}`;

/** SQL: this is one of the slots, if the claim will be granted. @param those SQL, of a row of slots */
const isAmong = (those: SQL, shape: Shape, values: ClaimPlaceholders | ClaimValues) => sql`(provider_id, starts_at) IN (
  SELECT slots.provider_id, slots.starts_at FROM ${rowWithService({ shape, values })} CROSS JOIN slots
  WHERE ${those} AND ${mayMakeRoom(shape)})`;

const clearRoom = statementBy<Shape, ClaimValues>()((shape, values) =>
  orm.delete(slots).where(isAmong(isInTheWay(stretchOf(shape)), shape, values)),
);

/**
 * What was withdrawn is of one seat and for anything, and withdrawn again when the booking ends. If it was for a service or a class,
 * it is not what hours want any more.
 */
const openWithdrawn = statementBy<Shape, ClaimValues>()((shape, values) =>
  orm
    .update(slots)
    .set({
      state: slotState.open,
      seats: 1,
      serviceId: null,
      madeBy: sql`iif(${slots.serviceId} IS NOT NULL AND ${isMadeByHours()}, ${madeBy.formerHours}, made_by)`,
      id: freshId(slots.providerId, slots.startsAt),
      withdrawnAt: sql`coalesce(${slots.withdrawnAt}, ${values.now})`,
    })
    .where(isAmong(isWithdrawnIn(stretchOf(shape)), shape, values)),
);

const makeSlot = statementBy<Shape, ClaimValues>()((shape, values) =>
  makeSlots(
    { ...stretchOf(shape), end: endOfFirst(stretchOf(shape)), zone: at('zone'), now: ofRequest('now') },
    sql`FROM ${rowWithService({ shape, values })} CROSS JOIN accounts AS provider
      WHERE provider.id = ${ofRequest('provider')} AND ${mayMakeRoom(shape)} AND NOT EXISTS (
        SELECT 1 FROM slots WHERE slots.provider_id = provider.id AND slots.starts_at = ${at('startsAt')})`,
  ),
);

/**
 * Makes the slot for a claim at any time, takes away what is open there and can't be part of the booking, and opens what was
 * withdrawn, for the booking alone. It runs before the claim, in its transaction.
 */
export const makeRoom = ({ shape, values }: ReadyClaim) => ({
  cleared: clearRoom(shape, values),
  opened: openWithdrawn(shape, values),
  made: makeSlot(shape, values),
});

const against = statementBy<Shape, ClaimValues>()((shape, values) => {
  const stretch = stretchOf(shape);
  return orm
    .select({
      isTaken: sql<number>`${isTaken(stretch)}`.as('is_taken'),
      isPast: sql<number>`${stretch.end} <= ${ofRequest('now')}`.as('is_past'),
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
