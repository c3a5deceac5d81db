import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots, templates } from '../../../db/schema';
import { statement, statementBy } from '../../../db/statement';
import { hasOffer } from '../../../db/states';
import { bookingOfKey, hashOfKey } from '../links.server';
import type { Actor } from '../profile/accounts';
import type { Template } from '../templates/questions';
import { selectTemplates } from '../templates/templates.server';
import { hasWishId } from './holds.server';
import { lastOfChain } from './moves.server';
import { questionsOf, slotWithService } from './slot-with-service.server';

// Finds the template whose questions somebody answers who books, moves, takes an offer or sends an RSVP.

// A booking keeps the questions with which it was made.
const templateOfSlot = statementBy<{ isService: boolean }, { id: string; service: string }>()(
  ({ isService }, { id, service }) =>
    selectTemplates().where(
      eq(
        templates.id,
        sql`(SELECT template_id FROM ${bookings} WHERE ${hasId(bookings, id)}
        UNION ALL SELECT ${questionsOf({ isService })} FROM ${isService ? slotWithService(service) : slots} WHERE ${hasId(slots, id)} LIMIT 1)`,
      ),
    ),
);
const templateOfParty = statement<{ id: string }>()(({ id }) =>
  selectTemplates().where(eq(templates.id, sql`(SELECT template_id FROM parties WHERE id = ${id})`)),
);
const byBookingLink = statement<{ id: string }>()(({ id }) =>
  selectTemplates().where(
    eq(
      templates.id,
      sql`(SELECT template_id FROM ${lastOfChain(id)} CROSS JOIN ${bookings} WHERE ${hasId(bookings, sql`last_id`)})`,
    ),
  ),
);
const byRsvpLink = statement<{ hash: string }>()(({ hash }) =>
  selectTemplates().where(
    eq(
      templates.id,
      sql`(SELECT template_id FROM parties WHERE id = (SELECT party_id FROM invitations WHERE link_hash = ${hash}))`,
    ),
  ),
);

/**
 * Finds the template of a slot, or of a service that will be booked there. Undefined if there is no such slot, or it
 * asks nothing.
 */
export async function findTemplateOfSlot(
  db: Db,
  slotId: string,
  service: string | null = null,
): Promise<Template | undefined> {
  const [[template]] = await db.run(
    templateOfSlot({ isService: service !== null }, { id: slotId, service: service ?? '' }),
  );
  return template;
}

/** Finds the template of a service of the actor's. Undefined if it asks nothing. */
export async function findTemplateOfService(db: Db, actor: Actor, service: string): Promise<Template | undefined> {
  const [[template]] = await db.run(
    selectTemplates().where(
      eq(templates.id, sql`(SELECT template_id FROM services WHERE ${ownedBy(actor)} AND id = ${service})`),
    ),
  );
  return template;
}

const templateOfMove = statement<{ id: string; to: string }>()(({ id, to }) =>
  selectTemplates().where(
    eq(
      templates.id,
      sql`(SELECT ${questionsOf({ isService: true })} FROM ${bookings} AS old CROSS JOIN ${slotWithService(sql`old.service_id`)}
        WHERE ${hasId(alias(bookings, 'old'), id)} AND ${hasId(slots, to)})`,
    ),
  ),
);

/** Finds the template whose questions a booking must answer when it moves. */
export async function findTemplateOfMove(db: Db, move: { id: string; to: string }): Promise<Template | undefined> {
  const [[template]] = await db.run(templateOfMove(move));
  return template;
}

/**
 * Finds the template for the time that is held for a wish. Undefined if it asks nothing, or nothing that the booking to
 * be moved has not answered.
 */
export async function findTemplateOfOffer(db: Db, wishId: string): Promise<Template | undefined> {
  const [[template]] = await db.run(
    selectTemplates().where(
      eq(
        templates.id,
        sql`(SELECT held.template_id FROM wishes CROSS JOIN ${bookings} AS held
          WHERE ${hasWishId(wishId)} AND ${hasOffer('wishes')} AND ${hasId(alias(bookings, 'held'), sql`wishes.offer_id`)}
            AND NOT EXISTS (SELECT 1 FROM ${bookings} AS old
              WHERE ${hasId(alias(bookings, 'old'), sql`wishes.instead_of`)} AND old.template_id = held.template_id))`,
      ),
    ),
  );
  return template;
}

/** Finds the template of a personal link. Undefined if there is no such link, or it asks nothing. */
export async function findTemplateOf(db: Db, thing: 'booking' | 'rsvp', key: string): Promise<Template | undefined> {
  const [[template]] = await db.run(
    thing === 'booking' ? byBookingLink({ id: bookingOfKey(key) }) : byRsvpLink({ hash: hashOfKey(key) }),
  );
  return template;
}

export async function findTemplateOfParty(db: Db, partyId: string): Promise<Template | undefined> {
  const [[template]] = await db.run(templateOfParty({ id: partyId }));
  return template;
}
