import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isNotBusy, isOpen } from '../../../db/states';
import { exceedsSeats, type Unfit, unfit, whyTaken } from './claimable.server';
import type { WhyNot } from './refusals';
import { inMinutes } from './slot-with-service.server';

// Why a time can't be had, for the views of the waitlist and of standing times, which know neither the present time nor the person.

/**
 * As whyNot, for views, which know neither the hour nor whose rules bind: what is offered to whoever waits, and what a
 * standing time gets. Whoever reads them asks for the hour. Here the product picks the time, so it picks none at which the
 * provider is busy.
 */
export const whyNotInViewBy = (unfit: SQL<Unfit | null>, people: SQL): SQL<WhyNot | null> => sql`coalesce(
    ${whyTaken(isOpen('slots'))},
    iif(${isNotBusy('slots')}, NULL, 'busy'),
    ${unfit},
    iif(${exceedsSeats(people)}, 'places', NULL))`;

export const unfitInView = (service: SQL) =>
  sql<Unfit | null>`iif(${service} IS NULL, ${unfit(null)}, ${unfit(service)})`;

/** @param service SQL: the wanted service; null in the row if none is */
export const whyNotInView = (service: SQL, people: SQL): SQL<WhyNot | null> =>
  whyNotInViewBy(unfitInView(service), people);

/**
 * SQL: once the slot is free, this service of its provider's can be offered there to whoever waits, who gets one slot: one of the
 * service's own, or free time that is long enough.
 */
export const canBeOffered = (slot: 'slots' | 'late', of: SQLWrapper): SQL => {
  const column = (name: string) => sql.raw(`${slot}.${name}`);
  return sql`(${column('service_id')} = ${of}.id OR ${column('service_id')} IS NULL AND ${column('seats')} = 1 AND ${of}.seats = 1
    AND ${of}.minutes * ${inMinutes} <= ${column('ends_at')} - ${column('starts_at')})`;
};
