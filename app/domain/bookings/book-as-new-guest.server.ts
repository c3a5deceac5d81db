import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { DomainError } from '../errors';
import { clientAddress, type GuestDetails, guestDetails, noEmailWords } from '../guests/guests';
import { actorOf, type NewGuest, prepareGuestWhere } from '../guests/guests.server';
import { email, fault, parse, phone as phoneField } from '../input/fields';
import type { Actor } from '../profile/accounts';
import type { HowAsked } from '../profile/rules';
import { lackedAt, phoneAskedAt, type Where } from '../services/where';
import { checkAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { wouldBeGranted } from './claim.server';
import {
  claimOfOne,
  findTemplateOfWanted,
  findWanted,
  type OneTime,
  sendClaim,
  type Wanted,
  whyNoTime,
} from './claim-one.server';
import type { CheckedAnswers, ClaimValues, Shape } from './claim-request.server';
import { barredFrom, type FoundTime, isBookedBy, type SubmittedAnswers, whyNotGranted } from './found-time.server';
import type { Terms } from './terms';

const typedDetails = z.extend(guestDetails, { phone: phoneField, address: clientAddress });

/** A guest's booking. Their id is made from all that was typed and their browser's cookie, so a form sent twice books once. */
type GuestBooking = Pick<NewGuest, 'id' | 'edgeZone' | 'lang' | 'origin'> & {
  /** The session to open. Only the sending browser can know its id, so it may be handed out again on a repeat. */
  sessionId: string;
  wanted: Wanted;
  service?: string | null;
  /** What the form said of the service. */
  terms?: Terms | null;
  people?: number;
  details: unknown;
  submitted: SubmittedAnswers;
};

/**
 * `actor` is null for a repeat without cookies: it opens no session. `linkSource` is that of the link which this form made. Where the
 * provider has replaced the link since, a repeat leads to the old one, which opens nothing.
 */
type Booked = { actor: Actor | null; linkSource: string };

/**
 * Makes a guest with a session and books the slot for them, in one transaction. A repeat has no second effect, and opens no second
 * session.
 * @throws DomainError not_found, forbidden (only accounts may), conflict (taken or begun), invalid, too_many
 */
export async function bookAsNewGuest(db: Db, booking: GuestBooking, now: Instant): Promise<Booked> {
  const { id, wanted, service = null, terms = null, people = 1, details: typed, submitted } = booking;
  const one = { wanted, accountId: id, service, terms, people };
  const typedInput = z.safeParse(typedDetails, typed);
  // The first try is for a time without questions, and is refused where it has some, or where its provider takes no e-mail address
  // and one was typed. The second try has what is asked there.
  const noAnswers = { answers: [], templateId: null };
  const [{ booked, time }, template] = await Promise.all([
    typedInput.success
      ? claimAsGuest(db, booking, one, { ...typedInput.data, answered: noAnswers }, now)
      : findWanted(db, one, now).then((time) => ({ booked: null, time })),
    findTemplateOfWanted(db, wanted, service),
  ]);
  if (booked) return booked;
  if (!time) throw await whyNoTime(db, wanted);
  const barred = isBookedBy(time, id) ? undefined : barredFrom(time, { isGuest: true });
  if (barred) throw barred;
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted(questions));
  const details = parse(bookingDetailsFor(time), typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const answered = { answers: template ? answers : [], templateId: template?.id ?? null };
  const again = await claimAsGuest(db, booking, one, { ...details, answered }, now);
  if (again.booked) return again.booked;
  if (!again.time) throw await whyNoTime(db, wanted);
  // parse has refused a form in which anything is missing.
  throw whyNotGranted(again.time, { isGuest: true, answered });
}

// The guest is made by the condition of the claim, so a refused one leaves no guest.
const prepareGuestForBooking = prepareGuestWhere<Shape, ClaimValues>((shape, values) =>
  wouldBeGranted({ shape, values }),
);

async function claimAsGuest(
  db: Db,
  { id, sessionId, edgeZone, lang, origin }: GuestBooking,
  one: OneTime,
  {
    phone,
    address,
    answered,
    ...details
  }: GuestDetails & {
    phone: string | null;
    address: string | null;
    answered: CheckedAnswers;
  },
  now: Instant,
): Promise<{ booked: Booked | null; time: FoundTime | undefined }> {
  const guest = { id, edgeZone, lang, origin, ...details };
  const asker = actorOf(guest, sessionId);
  const ready = claimOfOne(one, { asker, seed: id, email: details.email, phone, address, answered }, now);
  const { statements, refuse } = prepareGuestForBooking(guest, ready.shape, ready.values, now, sessionId);
  const { done, own, time } = await sendClaim(db, one, ready, statements, now);
  refuse(done.counted);
  const actor = done.opened.length > 0 ? asker : null;
  return { booked: own ? { actor, linkSource: `${id} ${own.calendarId}` } : null, time };
}

const detailsFor = (askEmail: HowAsked) =>
  z.extend(guestDetails, {
    email: z.pipe(
      askEmail === 'no'
        ? z.pipe(
            z.unknown(),
            z.transform(() => null),
          )
        : email,
      z.transform((address: string | null, context): string | null => {
        if (address || askEmail !== 'required') return address;
        context.issues.push({ code: 'custom', input: address, message: fault(noEmailWords) });
        return null;
      }),
    ),
  });

type AskedDetails = { askEmail: HowAsked; askPhone: HowAsked; where: Where | null };
/**
 * What a guest gives for a booking, by the rules of its provider and by where it takes place.
 * @see mayBook in claim-conditions.server.ts, by which the claim itself asks for it
 */
const bookingDetailsFor = ({ askEmail, askPhone, where }: AskedDetails) =>
  z.extend(detailsFor(askEmail), {
    phone: phoneFor(where, askPhone),
    address: addressAt(where),
  });

const addressAt = (where: Where | null) =>
  z.pipe(
    clientAddress,
    z.transform((address: string | null, context): string | null => {
      for (const { message } of lackedAt(where, { hasPhone: true, hasAddress: address !== null }, null)) {
        context.issues.push({ code: 'custom', input: address, message: fault(message) });
      }
      return address;
    }),
  );

const phoneFor = (where: Where | null, askPhone: HowAsked) =>
  z.pipe(
    phoneField,
    z.transform((number: string | null, context): string | null => {
      if (phoneAskedAt(where, askPhone) === 'no') return null;
      for (const { message } of lackedAt(where, { hasPhone: number !== null, hasAddress: true }, askPhone)) {
        context.issues.push({ code: 'custom', input: number, message: fault(message) });
      }
      return number;
    }),
  );
