import { and, eq, type SQL, sql } from 'drizzle-orm';
import { ownedBy } from '../../../db/owned-by';
import { accounts, people } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { insertGuest, type NewGuest } from '../guests/guests.server';
import { storedAddress } from '../mail/addresses.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';

/** The account that a card is booked for, and what the transaction has to write before it books. */
export type CardBooker = {
  personId: string;
  /** The provider makes a guest now, whom later bookings for the card reuse. */
  isNew: boolean;
  /** The guest, whom the provider made before, may have another address than the card. */
  hasNewAddress: boolean;
};

/** Gives the guest whom the provider made for a card another address. Accounts with a login keep their own. */
export const writeAddress = ({ accountId: me }: Actor, personId: SQL, email: string | null, condition: SQL) =>
  orm
    .update(accounts)
    .set({ ...storedAddress(email), emailBy: email === null ? null : me })
    .where(
      and(
        sql`${accounts.id} = (SELECT booker_id FROM people WHERE ${ownedBy(me)} AND id = ${personId})
          AND ${accounts.username} IS NULL`,
        condition,
      ),
    );

/** Makes the guest of a card if there is none, and gives them the card's address. */
export const insertBooker = (
  actor: Actor,
  newGuest: NewGuest,
  { personId, isNew, hasNewAddress }: CardBooker,
  condition: SQL,
  now: Instant,
) => ({
  guest: isNew ? insertGuest(newGuest, condition, now) : undefined,
  booker: isNew
    ? orm
        .update(people)
        .set({ bookerId: newGuest.id })
        .where(and(ownedBy(actor, people), eq(people.id, personId), condition))
    : undefined,
  moved: hasNewAddress ? writeAddress(actor, sql`${personId}`, newGuest.email, condition) : undefined,
});
