import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, people } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict } from '../errors';
import type { Links } from '../links.server';
import { notFound } from '../not-found';
import type { CardBooker } from '../people/booker.server';
import { aliasOf, bookerOf } from '../people/card-of.server';
import type { ShownCard } from '../people/people';
import { selectCard } from '../people/people.server';
import type { Actor } from '../profile/accounts';
import { formerName } from '../profile/former';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { bookFor, type WalkIn, walkInOf } from './walk-ins.server';

type BookingForPerson = Pick<WalkIn, 'note' | 'phone' | 'address' | 'submitted'> & {
  id: string;
  key: string;
  personId: string;
  service?: string | null; // null for the slot as it is
  people?: number;
};

type CardToBook = {
  card: ShownCard;
  bookerId: string | null; // null if the provider makes a guest now
  hasNewAddress: boolean;
  hasAccount: boolean; // an account has the card's id
};

/** Reads the card to book for. @throws DomainError not_found (no such card), conflict (the person has left) */
export async function readCardToBook(db: Db, actor: Actor, personId: string, now: Instant): Promise<CardToBook> {
  const me = actor.accountId;
  const id = aliasOf(sql`${me}`, sql`${personId}`);
  const isMade = sql`${people.bookerId} IS NOT NULL AND ${accounts.username} IS NULL`;
  const {
    card: [card],
    booker: [booker],
  } = await db.run({
    card: selectCard({ me, id: personId, now }),
    booker: orm
      .select({
        id: accounts.id,
        hasNewAddress: sql<number>`${isMade} AND ${accounts.email} IS NOT ${people.email}`.as('has_new_address'),
        // A booking keeps its name, so a card with another name gets another guest.
        isSame: sql<number>`NOT (${isMade}) OR ${people.name} IS ${accounts.displayName}`.as('is_same'),
        hasAccount: sql<number>`EXISTS (SELECT 1 FROM accounts AS own WHERE own.id = ${people.id})`.as('has_account'),
      })
      .from(people)
      .leftJoin(accounts, sql`${accounts.id} = ${bookerOf(sql`${me}`, people.id)}`)
      .where(sql`${ownedBy(me, people)} AND ${people.id} = ${id}`),
  });
  if (!card) throw notFound('person');
  if (card.name === formerName) throw conflict(msg`This person has deleted their account. Book with a name instead.`);
  const bookerId = booker?.isSame ? booker.id : null;
  const hasAccount = booker?.hasAccount === 1;
  return { card, bookerId, hasNewAddress: bookerId === null ? hasAccount : booker?.hasNewAddress === 1, hasAccount };
}

/** The account that the card is booked for, or a guest with the card's details. */
export function accountToBook(
  links: Links,
  actor: Actor,
  { card, bookerId, hasNewAddress, hasAccount }: CardToBook,
  { phone, ...form }: Omit<BookingForPerson, 'personId'>,
): WalkIn & { card: CardBooker } {
  const walkIn = walkInOf(links, actor, {
    ...form,
    displayName: card.name,
    email: card.email,
    phone: phone ?? card.phone,
  });
  const guestId = hasAccount ? links.repeatableIdOf('card', actor.accountId, card.id, card.name) : card.id;
  return {
    ...walkIn,
    newGuest: { ...walkIn.newGuest, id: bookerId ?? guestId },
    card: { personId: card.id, isNew: bookerId === null, hasNewAddress },
  };
}

/**
 * Books an open slot of the actor's own for a client. The booking belongs to the card in any case.
 * @throws DomainError as bookFor; not_found (no such card), conflict (the person has left)
 */
export async function bookForPerson(
  db: Db,
  links: Links,
  actor: Actor,
  { personId, ...form }: BookingForPerson,
  now: Instant,
): Promise<Appointment & { bookedAt: Instant }> {
  const walkIn = accountToBook(links, actor, await readCardToBook(db, actor, personId, now), form);
  const { id, service, people } = form;
  return bookFor(db, actor, { id, service, people }, walkIn, now);
}
