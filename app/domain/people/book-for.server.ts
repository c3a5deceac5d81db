import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Appointment } from '../bookings/appointments';
import { bookFor, type WalkIn, walkInOf } from '../bookings/walk-ins.server';
import { conflict, notFound } from '../errors';
import { formerName } from '../leaving/former';
import type { Links } from '../links.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { aliasOf } from './card-of.server';
import type { ShownCard } from './people';
import { selectCard } from './people.server';

export type BookingForPerson = Pick<WalkIn, 'note' | 'phone' | 'submitted'> & {
  id: string;
  key: string;
  personId: string;
  service?: string | null; // null for the slot as it is
  people?: number;
};

/** A card and the account to book for. `isCards` if the account's own bookings made the card. */
export type CardToBook = { card: ShownCard; isCards: boolean };

/** Reads the card to book for. @throws DomainError not_found (no such card), conflict (the person has left) */
export async function readCardToBook(db: Db, actor: Actor, personId: string, now: Instant): Promise<CardToBook> {
  const me = actor.accountId;
  const {
    card: [card],
    account: [account],
  } = await db.run({
    card: selectCard({ me, id: personId, now }),
    account: orm
      .select({
        username: accounts.username,
        isThere: sql<number>`${accounts.displayName} <> ''`.as('is_there'),
        email: accounts.email,
      })
      .from(accounts)
      .where(sql`${accounts.id} = ${aliasOf(sql`${me}`, sql`${personId}`)}`),
  });
  if (!card) throw notFound('person');
  if (card.name === formerName) throw conflict('This person has deleted their account. Book with a name instead.');
  // If the provider has corrected a guest's address on the card, mail goes to the new address.
  const isSame = account?.username !== null || account.email?.toLowerCase() === card.email?.toLowerCase();
  return { card, isCards: !account || (account.isThere === 1 && isSame) };
}

/** The account that made the card, or a guest with the card's details. */
export function accountToBook(
  links: Links,
  actor: Actor,
  { card, isCards }: CardToBook,
  { phone, ...wish }: Omit<BookingForPerson, 'personId'>,
): WalkIn {
  const walkIn = walkInOf(links, actor, {
    ...wish,
    displayName: card.name,
    email: card.email,
    phone: phone ?? card.phone,
  });
  const newcomer = isCards ? { ...walkIn.newcomer, id: card.id } : walkIn.newcomer;
  return { ...walkIn, newcomer, personId: card.id };
}

/**
 * Books an open slot of the actor's own for a client. The booking belongs to the card in any case.
 * @throws DomainError as bookFor; not_found (no such card), conflict (the person has left)
 */
export async function bookForPerson(
  db: Db,
  links: Links,
  actor: Actor,
  { personId, ...wish }: BookingForPerson,
  now: Instant,
): Promise<Appointment & { bookedAt: Instant }> {
  const walkIn = accountToBook(links, actor, await readCardToBook(db, actor, personId, now), wish);
  const { id, service, people } = wish;
  return bookFor(db, actor, { id, service, people }, walkIn, now);
}
