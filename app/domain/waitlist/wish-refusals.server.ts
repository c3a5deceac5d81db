import { msg, plural } from '@lingui/core/macro';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, services, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked, isInLine, isPublished, isStillWanted, isWaiting } from '../../../db/states';
import { canBeOffered } from '../bookings/claimable-in-views.server';
import { changeableUntil } from '../bookings/columns.server';
import { guestsNotAllowed } from '../bookings/found-time.server';
import { inMinutes } from '../bookings/slot-with-service.server';
import { conflict, DomainError } from '../errors';
import { fold } from '../input/fold';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { day, type Instant, minute } from '../time/clock';
import { mostInLine, mostWishes, type WishInput } from './wishes';

// Why somebody can't wait for a time: said before they type a wish, and asked again when they send it.

const tooLongWords = msg`This takes longer than one of the times here: please look for free times yourself.`;

// Times of the last weeks say what the provider usually has.
const recent = (now: Instant) => sql`slots.starts_at > ${now - 30 * day}`;

const slotsOfService = (service: string | null | undefined, now: Instant) => sql`SELECT 1
  FROM services CROSS JOIN slots ON slots.provider_id = services.provider_id
  WHERE services.provider_id = accounts.id AND services.id = ${service ?? null} AND ${recent(now)}
    AND (slots.service_id = services.id OR slots.service_id IS NULL AND services.seats = 1)`;

type WantedTime = Pick<WishInput, 'provider'> & Partial<Pick<WishInput, 'service' | 'slotId' | 'insteadOf'>>;

const isProviderNamed = (username: string) =>
  sql`${accounts.usernameFolded} = ${fold(username.trim())} AND ${accounts.role} = 'Provider'`;

const selectHost = ({ provider, service }: WantedTime, now: Instant) =>
  orm
    .select({
      id: accounts.id,
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('host_name'),
      timeZone: accounts.timeZone,
      waitlist: accounts.waitlist,
      openTo: accounts.openTo,
      notice: accounts.notice,
      askPhone: accounts.askPhone,
      service: sql<string | null>`(SELECT id FROM services
        WHERE services.provider_id = accounts.id AND services.id = ${service ?? null} AND is_offered)`.as(
        'the_service',
      ),
      serviceName: sql<string | null>`(SELECT name FROM services
        WHERE services.provider_id = accounts.id AND services.id = ${service ?? null})`.as('its_name'),
      // A wish is for one slot: one of the service's own, or one that is long enough. Where there is none yet, one may come.
      fitsIntoOne: sql<number>`NOT EXISTS (${slotsOfService(service, now)})
        OR EXISTS (${slotsOfService(service, now)} AND ${canBeOffered('slots', services)})`.as('fits_into_one'),
    })
    .from(accounts)
    .where(isProviderNamed(provider));

/** SQL: the provider has a slot that what is booked could move to as a whole. */
const movesIntoOne = (now: Instant) => sql<number>`EXISTS (SELECT 1 FROM slots CROSS JOIN (
    SELECT bookings.service_id AS id, iif(bookings.slot_id IS NULL, 1, 2) AS seats,
      (bookings.ends_at - bookings.starts_at) / ${inMinutes} AS minutes) AS wanted
  WHERE slots.provider_id = bookings.provider_id AND ${recent(now)} AND ${canBeOffered('slots', sql`wanted`)})`;

const selectFacts = ({ slotId, insteadOf, ...wanted }: WantedTime, now: Instant) => ({
  host: selectHost(wanted, now),
  slot: orm
    .select({
      providerId: slots.providerId,
      startsAt: slots.startsAt,
      seats: slots.seats,
      fitsIntoOne: sql<number>`${wanted.service ?? null} IS NULL OR EXISTS (SELECT 1 FROM services
        WHERE services.provider_id = slots.provider_id AND services.id = ${wanted.service ?? null}
          AND ${canBeOffered('slots', services)})`.as('slot_fits'),
    })
    .from(slots)
    .where(sql`${hasId(slots, slotId ?? '')} AND ${isPublished(slots)} AND ${isStillWanted(slots)}
      AND ${slots.startsAt} > ${now}`),
  old: orm
    .select({
      id: bookings.id,
      providerId: bookings.providerId,
      bookerId: bookings.bookerId,
      startsAt: bookings.startsAt,
      people: bookings.people,
      serviceId: bookings.serviceId,
      service: sql<string | null>`${bookings.serviceName}`.as('booked_service'),
      until: changeableUntil.as('changeable_until'),
      fitsIntoOne: movesIntoOne(now).as('moves_into_one'),
    })
    .from(bookings)
    .where(sql`${hasId(bookings, insteadOf ?? '')} AND ${isBooked(bookings)}`),
});

export type FoundFacts = {
  [Name in keyof ReturnType<typeof selectFacts>]: Awaited<ReturnType<typeof selectFacts>[Name]>[number] | undefined;
};

/** Reads what a wish depends on. */
export async function readFacts(db: Db, wanted: WantedTime, now: Instant): Promise<FoundFacts> {
  const {
    host: [host],
    slot: [slot],
    old: [old],
  } = await db.run(selectFacts(wanted, now));
  return { host, slot, old };
}

type Waiter = { accountId: string | null; isStranger: boolean };

export const lineIsFull = (name: string) => conflict(msg`So many people wait for ${name} that the waitlist is full.`);
export const tooManyWishes = () =>
  conflict(
    msg`You can wait for at most ${plural({ mostWishes }, { one: '# thing', other: '# things' })} at once. Stop waiting for one first.`,
  );

/** Why a wish of theirs could never come true; null if it could. */
export function whyNoWish(
  { host, slot, old }: FoundFacts,
  { service, slotId, insteadOf }: WantedTime,
  { accountId, isStranger }: Waiter,
  now: Instant,
): DomainError | null {
  if (!host) return notFound('provider');
  if (insteadOf && (old?.providerId !== host.id || old.bookerId !== accountId)) return notFound('appointment');
  if (slotId && slot?.providerId !== host.id) {
    return new DomainError('not_found', msg`This time has begun or is gone: please look for another one.`);
  }
  if (service && !host.service) return notFound('service');
  if (host.waitlist === 'off') return conflict(msg`${{ name: host.name }} keeps no waitlist.`);
  // An appointment that a guest has may be moved, so they may wait for an earlier time.
  const barred = isStranger && !old ? guestsNotAllowed({ openTo: host.openTo, providerName: host.name }) : undefined;
  if (barred) return barred;
  if (old && (old.until ?? old.startsAt) <= now) return conflict(msg`This appointment can't be moved any more.`);
  if (slotId && slot && slot.startsAt < now + host.notice * minute) {
    return conflict(msg`This time begins too soon to be booked, even if it comes free: please look for another one.`);
  }
  const fitsIntoOne = old ? old.fitsIntoOne : !service || (slotId && slot ? slot.fitsIntoOne : host.fitsIntoOne);
  return fitsIntoOne ? null : conflict(tooLongWords);
}

/** SQL: how many things they wait for. */
export const countAskedBy = (askedBy: string) =>
  sql<number>`(SELECT count(*) FROM wishes WHERE asked_by = ${askedBy} AND ${isWaiting()})`;
/** SQL: how many wait for this provider. */
export const countInLine = (providerId: SQLWrapper | string) =>
  sql<number>`(SELECT count(*) FROM wishes INDEXED BY wishes_in_line WHERE provider_id = ${providerId} AND ${isInLine()})`;

/** Why a wish would be refused, to say so before somebody types it; null if it would not. @param actor null for a stranger */
export async function findWishRefusal(
  db: Db,
  wanted: WantedTime,
  actor: Pick<Actor, 'accountId' | 'isGuest'> | null,
  now: Instant,
): Promise<DomainError | null> {
  const [facts, [[count]]] = await Promise.all([
    readFacts(db, wanted, now),
    db.run(
      orm
        .select({
          ofPerson: countAskedBy(actor?.accountId ?? '').as('of_person'),
          inLine: countInLine(sql`accounts.id`).as('in_line'),
        })
        .from(accounts)
        .where(isProviderNamed(wanted.provider)),
    ),
  ]);
  const asking = { accountId: actor?.accountId ?? null, isStranger: actor === null || actor.isGuest === true };
  const refusal = whyNoWish(facts, wanted, asking, now);
  if (refusal || !facts.host || !count) return refusal;
  if (count.ofPerson >= mostWishes) return tooManyWishes();
  return count.inLine >= mostInLine ? lineIsFull(facts.host.name) : null;
}
