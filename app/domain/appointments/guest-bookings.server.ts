import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { detailsFor, type GuestDetails } from '../accounts/guests';
import { arrival, type Newcomer } from '../accounts/guests.server';
import type { Rules } from '../accounts/rules';
import { DomainError, notFound } from '../errors';
import { parse } from '../input/fields';
import type { NewLink } from '../links.server';
import { judgeAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import { findTemplateOfSlot } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, isIn, isOfSlot, openColumns, openSlot } from './appointments.server';
import { brokenRule } from './bookable.server';
import type { SubmittedAnswers } from './bookings.server';
import { askedAnew, type Claimed, claimSlot, isFree, noGuests, refusalOf, selectClaimed } from './claiming.server';
import { status } from './status';

/* Booking by somebody who has no account so far: who they are, their answers and the booking are one form and one step. */

/** A slot as its booking form shows it: as an open one, whoever has it. */
type Bookable = Pick<Rules, 'openTo' | 'askEmail'> & {
  appointment: Appointment;
  providerId: string;
  /** Of the personal link, where this reader has booked the slot; null for all others. */
  linkSeed: string | null;
};

const offered = statement<{ id: string; reader: string }>()(({ id, reader }) =>
  orm
    .select({
      ...openColumns,
      openTo: accounts.openTo,
      askEmail: accounts.askEmail,
      providerId: slots.providerId,
      linkSeed: bookings.linkSeed,
    })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .leftJoin(bookings, and(isOfSlot, eq(bookings.bookerId, reader), isIn(status.booked)))
    .where(eq(slots.id, id)),
);

/** Finds a slot with whom its provider lets book; undefined where there is none. Nothing of who has booked it is read. */
export async function findBookable(db: Db, id: string, reader: string | null): Promise<Bookable | undefined> {
  const [[row]] = await db.run(offered({ id, reader: reader ?? '' }));
  if (!row) return undefined;
  const { openTo, askEmail, providerId, linkSeed, ...slot } = row;
  return { appointment: openSlot(slot), openTo, askEmail, providerId, linkSeed };
}

/** A form that books for a stranger. Its newcomer's id is made of its one-time key, so sent twice it books once. */
export type GuestBooking = Pick<Newcomer, 'id' | 'edgeZone' | 'origin'> & {
  slotId: string;
  /** Name and address, as they were typed. */
  details: unknown;
  submitted: SubmittedAnswers;
  link: NewLink;
};

/**
 * Makes a guest with a session and books the slot for them, with their answers, in one transaction; where the slot can't be
 * booked, nobody is made. A repeat returns the same.
 * @throws DomainError not_found, forbidden (only accounts may), conflict (someone else was first, or it has begun), invalid
 *   (who they are, and the answers, all at once), too_many
 */
export async function bookAsGuest(
  db: Db,
  { id, edgeZone, origin, slotId, details: typed, submitted, link }: GuestBooking,
  now: Instant,
): Promise<{ actor: Actor; appointment: Appointment }> {
  const [[[slot]], template] = await Promise.all([
    db.run(selectClaimed(slotId, id, now)),
    findTemplateOfSlot(db, slotId),
  ]);
  if (!slot) throw notFound('appointment');
  const isRepeat = slot.status === status.booked && slot.bookerId === id;
  if (!isRepeat && (noGuests(slot) || !isFree(slot, now))) throw refusalOf(slot, true, now);
  const questions = template?.questions ?? [];
  const { answers, faults } = judgeAnswers(questions, submitted(questions));
  const details = parse(detailsFor(slot.askEmail), typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const wanted = { slotId, answers: template ? answers : null, asked: template?.id ?? null, link };
  return claim(db, { ...details, id, edgeZone, origin }, wanted, now);
}

type Wanted = { slotId: string; answers: Answer[] | null; asked: string | null; link: NewLink };

async function claim(
  db: Db,
  newcomer: Newcomer & GuestDetails,
  { slotId, answers, asked, link }: Wanted,
  now: Instant,
) {
  // As the booking itself asks it: where that says no, nobody is made.
  const booker = { accountId: sql`${newcomer.id}`, now, except: '' };
  const isOpen = sql`EXISTS (SELECT 1 FROM slots CROSS JOIN accounts AS provider ON provider.id = provider_id
    WHERE slots.id = ${slotId} AND status = 0 AND starts_at > ${now} AND template_id IS ${asked}
      AND provider.open_to = 'anyone'
      AND (provider.ask_email <> 'required' OR ${newcomer.email} IS NOT NULL)
      AND ${brokenRule(sql`provider`, booker)} IS NULL)`;
  const { actor, statements, rest } = arrival(newcomer, isOpen, now);
  const { accountId, sessionId } = actor;
  const results = rest(
    await db.run(...statements, ...claimSlot({ id: slotId, accountId, sessionId, now, answers, asked, link })),
  );
  const [row] = results.at(-1) as Claimed[];
  if (!row) throw notFound('appointment');
  db.changedPages.add(row.providerId);
  if (isFree(row, now) && row.templateId !== asked) throw askedAnew();
  if (row.status !== status.booked || row.bookerId !== accountId) throw refusalOf(row, true, now);
  return { actor, appointment: appointment(row, accountId) };
}
