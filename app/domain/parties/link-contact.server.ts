import { msg } from '@lingui/core/macro';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { bookings, invitations } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { LinkOwner } from '../bookings/link-owners.server';
import { hasAccess } from '../bookings/link-owners.server';
import { conflict, invalid } from '../errors';
import { isGuestAccount } from '../guests/guests.server';
import { type Origin, tryWithin } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import { notFound } from '../not-found';
import { hour, type Instant } from '../time/clock';
import type { Contact } from './party-input';
import type { RsvpLinkOwner } from './rsvps.server';

// A guest adds or changes their address on the page of a personal link. The address counts for that booking or RSVP
// alone, because the owner of one link must not get mail with other links. The old address gets no mail about the
// change, because nobody has confirmed it.

type When = { now: Instant; origin: Origin };

const changeAt = (link: string, { now, origin }: When) =>
  tryWithin(origin ? [{ bucket: `contact:${link}`, limit: 10, window: hour }] : [], now);

const nothingTyped = () => invalid('email', msg`Type the address that mail about this is to go to.`);

/** SQL: the typed address; null if nothing was typed or the guest's account has the same one. */
const ownAddress = (email: string | null, accountId: SQL) => {
  const stored = storedAddress(email);
  const other = sql`nullif(${email}, (SELECT email FROM accounts WHERE id = ${accountId}))`;
  return {
    email: sql`iif(${email} IS NULL, email, ${other})`,
    emailHash: sql`iif(${email} IS NULL, email_hash, iif(${other} IS NULL, NULL, ${stored.emailHash}))`,
  };
};

/**
 * Sets the address for mail about this booking.
 * @throws DomainError invalid (no address), too_many, conflict (over, or the client has a login)
 */
export async function setBookingEmail(db: Db, owner: LinkOwner, email: string | null, when: When): Promise<void> {
  if (email === null) throw nothingTyped();
  const { count, isAllowed, refuse } = changeAt(owner.bookingId, when);
  const result = await db.run({
    counted: count,
    changed: orm
      .update(bookings)
      .set(ownAddress(email, sql`booker_id`))
      .where(
        sql`${hasId(bookings, owner.bookingId)} AND ${isBooked()} AND starts_at > ${when.now} AND ${isGuestAccount(owner.accountId)}
          AND ${hasAccess(owner, owner.bookingId, when.now)} AND ${isAllowed}`,
      )
      .returning({ id: bookings.id }),
  });
  refuse(result.counted);
  if (result.changed.length === 0) throw tooLate();
}

/**
 * Sets the contact of an RSVP; a blank field changes nothing.
 * @throws DomainError invalid (nothing was typed), too_many, conflict (over, or the guest has a login)
 */
export async function setRsvpContact(
  db: Db,
  { accountId, linkHash }: RsvpLinkOwner,
  { email, phone }: Contact,
  when: When,
): Promise<void> {
  if (email === null && phone === null) throw nothingTyped();
  const { count, isAllowed, refuse } = changeAt(linkHash, when);
  const result = await db.run({
    counted: count,
    changed: orm
      .update(invitations)
      .set({ ...ownAddress(email, sql`account_id`), phone: phoneWhereAsked(phone) })
      .where(
        sql`link_hash = ${linkHash} AND ${isGuestAccount(accountId)} AND ${partyStands(when.now)} AND ${isAllowed}`,
      )
      .returning({ id: invitations.id }),
  });
  refuse(result.counted);
  if (result.changed.length === 0) throw tooLate();
}

/**
 * Sets the contact of a name, in place of what the host entered.
 * @throws DomainError not_found, invalid (nothing was typed), too_many, conflict (it is over)
 */
export async function setNameContact(db: Db, id: string, { email, phone }: Contact, when: When): Promise<void> {
  if (email === null && phone === null) throw nothingTyped();
  const { count, isAllowed, refuse } = changeAt(id, when);
  const result = await db.run({
    counted: count,
    changed: orm
      .update(invitations)
      .set({
        phone: phoneWhereAsked(phone),
        ...(email !== null && { ...storedAddress(email), emailIsOwn: true, mailEndedAt: null, withheldMail: null }),
      })
      .where(sql`invitations.id = ${id} AND account_id IS NULL AND ${partyStands(when.now)} AND ${isAllowed}`)
      .returning({ id: invitations.id }),
    found: orm.select({ id: invitations.id }).from(invitations).where(sql`id = ${id} AND account_id IS NULL`),
  });
  refuse(result.counted);
  if (result.found.length === 0) throw notFound('invitation');
  if (result.changed.length === 0) throw tooLate();
}

const phoneWhereAsked = (phone: string | null) =>
  sql`iif(${phone} IS NULL OR (SELECT ask_phone FROM parties WHERE parties.id = party_id) = 'no', phone, ${phone})`;

const partyStands = (now: Instant) =>
  sql`EXISTS (SELECT 1 FROM parties WHERE parties.id = party_id AND ends_at > ${now} AND deleted_at IS NULL)`;

const tooLate = () => conflict(msg`This can’t be changed any more.`);
