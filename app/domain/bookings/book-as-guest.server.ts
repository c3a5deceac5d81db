import { and, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { DomainError, notFound } from '../errors';
import { bookingDetailsFor, type GuestDetails, guestDetails } from '../guests/guests';
import { type Newcomer, prepareGuestWhere } from '../guests/guests.server';
import { parse, phone as phoneField } from '../input/fields';
import type { NewLink } from '../links.server';
import type { Actor } from '../profile/accounts';
import type { Rules } from '../profile/rules';
import { checkAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import { findTemplateOfSlot } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { endHolds } from '../waitlist/holds.server';
import type { Appointment, Terms } from './appointments';
import { openSlot } from './appointments.server';
import type { SubmittedAnswers } from './book.server';
import {
  type Claimed,
  claimedBy,
  claimSlot,
  guestsNotAllowed,
  isFree,
  questionsChanged,
  refusalOf,
  selectClaimed,
} from './claim.server';
import { fromFree, questionsOf } from './claimable.server';
import {
  bookedAsOpen,
  changeableUntil,
  changeableUntilIfBooked,
  linkSeedOf,
  openColumns,
  reach,
} from './columns.server';
import { hasStatus } from './conditions.server';
import { brokenRule } from './rules.server';
import { status } from './status';

type Bookable = Pick<Rules, 'openTo' | 'askEmail' | 'askPhone'> & {
  appointment: Appointment;
  providerId: string;
  /** The seed of the personal link; null for everybody but the booker. */
  linkSeed: string | null;
};

const { openTo, askEmail } = accounts;

// A canceled booking has an id of its own, and no slot has that id.
const offered = statement<{ id: string; reader: string }>()(({ id, reader }) =>
  unionAll(
    orm
      .select({
        ...openColumns,
        openTo,
        askEmail,
        ...reach,
        changeableUntil: changeableUntilIfBooked.as('changeable_until'),
        providerId: slots.providerId,
        linkSeed: sql<string | null>`(SELECT ${linkSeedOf} FROM ${bookings} WHERE ${bookings.bookerId} = ${reader}
          AND ${hasStatus(status.booked)} AND ${bookings.startsAt} = ${slots.startsAt}
          AND coalesce(${bookings.slotId}, ${bookings.id}) = ${slots.id})`.as('own_seed'),
      })
      .from(slots)
      .innerJoin(accounts, eq(accounts.id, slots.providerId))
      .where(hasId(slots, id)),
    orm
      .select({
        ...bookedAsOpen,
        openTo,
        askEmail,
        ...reach,
        changeableUntil: changeableUntil.as('changeable_until'),
        providerId: bookings.providerId,
        linkSeed: sql<string | null>`NULL`.as('own_seed'),
      })
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .where(and(hasId(bookings, id), hasStatus(status.canceled))),
  ),
);

/** Finds a slot and its provider's rules; undefined if there is none. The result doesn't tell who booked the slot. */
export async function findBookable(db: Db, id: string, reader: string | null): Promise<Bookable | undefined> {
  const [[row]] = await db.run(offered({ id, reader: reader ?? '' }));
  if (!row) return undefined;
  const { openTo, askEmail, askPhone, providerAddress, providerPhone, changeableUntil, providerId, linkSeed, ...slot } =
    row;
  const appointment = { ...openSlot(slot), changeableUntil, providerAddress, providerPhone };
  return { appointment, openTo, askEmail, askPhone, providerId, linkSeed };
}

const typedDetails = z.extend(guestDetails, { phone: phoneField });

/** A guest's booking. The guest's id is made from the form's one-time key, so a form sent twice books once. */
type GuestBooking = Pick<Newcomer, 'id' | 'edgeZone' | 'origin'> & {
  slotId: string;
  service?: string | null;
  /** How long the guest was told that the service takes. */
  terms?: Terms | null;
  people?: number;
  details: unknown;
  submitted: SubmittedAnswers;
  link: NewLink;
};

/** `actor` is null if the form was sent before. `entryId` is the booking that the personal link opens. */
type Booked = { actor: Actor | null; entryId: string };

/**
 * Makes a guest with a session and books the slot for them, in one transaction. A repeat has no second effect and no
 * session.
 * @throws DomainError not_found, forbidden (only accounts may), conflict (taken or begun), invalid, too_many
 */
export async function bookAsGuest(
  db: Db,
  {
    id,
    edgeZone,
    origin,
    slotId,
    service = null,
    terms = null,
    people = 1,
    details: typed,
    submitted,
    link,
  }: GuestBooking,
  now: Instant,
): Promise<Booked> {
  const newcomer = { id, edgeZone, origin };
  const typedInput = z.safeParse(typedDetails, typed);
  // The first try books only a slot without questions. For a slot with questions it writes nothing and returns the
  // questions.
  const withoutAnswers = { slotId, service, terms, people, answers: null, templateId: null, link, isUnseen: true };
  const [first, template] = await Promise.all([
    typedInput.success
      ? claim(db, { ...typedInput.data, ...newcomer }, withoutAnswers, now)
      : db.run(selectClaimed(slotId, id, now, { service, terms })).then(([rows]) => ({
          slot: claimedBy(rows, id),
          booked: null,
        })),
    findTemplateOfSlot(db, slotId, service),
  ]);
  const { slot } = first;
  if (first.booked && !template) return first.booked;
  if (!slot) throw notFound('appointment');
  const isRepeat = slot.status === status.booked && slot.bookerId === id;
  if (!isRepeat && (guestsNotAllowed(slot) || !isFree(slot, now, people))) throw refusalOf(slot, true, now, people);
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted(questions));
  const details = parse(bookingDetailsFor(slot), typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  if (first.booked) return first.booked;
  const guestBooking = {
    slotId,
    service,
    terms,
    people,
    answers: template ? answers : null,
    templateId: template?.id ?? null,
    link,
    isUnseen: false,
  };
  const { slot: row, booked } = await claim(db, { ...details, ...newcomer }, guestBooking, now);
  if (booked) return booked;
  if (!row) throw notFound('appointment');
  throw isFree(row, now, people) && row.templateId !== guestBooking.templateId
    ? questionsChanged()
    : refusalOf(row, true, now, people);
}

type Wanted = {
  slotId: string;
  service: string | null;
  terms: Terms | null;
  people: number;
  answers: Answer[] | null;
  templateId: string | null;
  link: NewLink;
  /**
   * True if the guest has not yet seen what the provider asks for. Then we don't keep an address that nobody asked for.
   */
  isUnseen: boolean;
};

type Wish = {
  slotId: string;
  service: string;
  terms: string;
  people: number;
  phone: string | null;
  templateId: string | null;
  isUnseen: number;
  except: string;
};
// The conditions of the booking itself, so that a refused booking makes no guest.
const prepareGuestFor = (isService: boolean) =>
  prepareGuestWhere<Wish>(
    ({ slotId, service, terms, people, templateId, phone, isUnseen, email, now, id, except }) => sql`EXISTS (
      SELECT 1 ${fromFree({ id: slotId, people, now, terms }, isService ? service : null)}
        AND ${questionsOf({ isService })} IS ${templateId}
        AND provider.open_to = 'anyone'
        AND (provider.ask_email <> 'required' OR ${email} IS NOT NULL)
        AND (provider.ask_phone <> 'required' OR ${phone} IS NOT NULL)
        AND (NOT ${isUnseen} OR provider.ask_email <> 'no' OR ${email} IS NULL)
        AND ${brokenRule(sql`provider`, { accountId: id, now, except })} IS NULL)`,
  );
const [prepareGuestForSlot, prepareGuestForService] = [prepareGuestFor(false), prepareGuestFor(true)];

async function claim(
  db: Db,
  { phone, ...newcomer }: Newcomer & GuestDetails & { phone: string | null },
  { slotId, service, terms, people, answers, templateId, link, isUnseen }: Wanted,
  now: Instant,
): Promise<{ slot: Claimed | undefined; booked: Booked | null }> {
  const wish = {
    slotId,
    service: service ?? '',
    terms: JSON.stringify(terms),
    people,
    templateId,
    phone,
    isUnseen: isUnseen ? 1 : 0,
    except: '',
  };
  const prepare = service === null ? prepareGuestForSlot : prepareGuestForService;
  const { actor, statements, refuseTooMany } = prepare(newcomer, wish, now);
  const { accountId, sessionId } = actor;
  const {
    counted,
    opened,
    slot: rows,
  } = await db.run({
    overdue: endHolds(now),
    ...statements,
    ...claimSlot({
      id: slotId,
      service,
      terms,
      people,
      accountId,
      sessionId,
      now,
      answers,
      askedTemplateId: templateId,
      link,
      phone,
    }),
  });
  refuseTooMany(counted);
  const slot = claimedBy(rows, accountId);
  const isBooked = slot?.status === status.booked && slot.bookerId === accountId;
  return { slot, booked: isBooked ? { actor: opened.length > 0 ? actor : null, entryId: slot.calendarId } : null };
}
