import { msg, plural } from '@lingui/core/macro';
import { conflict, DomainError, type Fault } from '../errors';
import { noEmailWords } from '../guests/guests';
import { isOwnedBy } from '../profile/accounts';
import { noPhoneWords } from '../services/where';
import { checkAnswers, type SubmittedAnswers } from '../templates/answers';
import type { Answer, Template } from '../templates/questions';
import { dateWords, type Instant } from '../time/clock';
import { type Invitation, isTakingRsvps, missingContact, type Party, roomFor } from './parties';
import type { Contact } from './party-input';

export type FoundParty = { party: Party; own: Invitation | null; template: Template | null };

type RsvpToCheck = {
  accountId: string;
  isGuest: boolean;
  accepted: boolean;
  plusOnes: number;
  submitted: SubmittedAnswers;
  contact: Contact;
  /** True if it was sent to the database already, without answers. A yes to a party with questions is not stored by that. */
  isTried: boolean;
};

const onlyAccounts = () =>
  new DomainError('forbidden', msg`Only people with an account can answer this party. Log in, or register.`);

export const isSame = (own: Invitation | null, { accepted, plusOnes }: Pick<RsvpToCheck, 'accepted' | 'plusOnes'>) =>
  own?.accepted === accepted && own.plusOnes === (accepted ? plusOnes : 0);

/**
 * Checks an RSVP to a party, as its write does, and says what is wrong.
 * @see takesRsvp
 * @returns the stored RSVP if it is the same; else the answers to the questions, and the faults
 * @throws DomainError forbidden (the host, or a guest if only accounts may reply), conflict (over, closed, full)
 */
export function checkRsvp(
  { party, own, template }: FoundParty,
  { accountId, isGuest, accepted, plusOnes, submitted, contact, isTried }: RsvpToCheck,
  now: Instant,
): { before: Invitation } | { answers: Answer[]; faults: Fault[] } {
  if (isOwnedBy({ accountId }, party))
    throw new DomainError('forbidden', msg`This is your own party: you are coming anyway.`);
  // A guest with an RSVP can still take it back.
  if (isGuest && party.openTo === 'accounts' && (accepted || !own)) throw onlyAccounts();
  const isSameAsBefore = isSame(own, { accepted, plusOnes });
  const isLate = !isTakingRsvps(party, now);
  if (own && isSameAsBefore && (isLate || !accepted || (isTried && !template))) return { before: own };
  if (isLate) throw tooLate(party, now);
  // Refuse early, before the answers are checked. If somebody takes the last place after this, the database refuses.
  if (accepted && 1 + plusOnes > roomFor(party, own)) throw full(party, own);
  if (!accepted) return { answers: [], faults: [] };
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted(questions));
  if (!(plusOnes <= party.plusOnes)) {
    // The host may have lowered the limit since. An RSVP that is sent again unchanged is still accepted.
    if (own && isSameAsBefore && JSON.stringify(answers) === JSON.stringify(own.answers)) return { before: own };
    faults.push(plusOnesFault(plusOnes, party.plusOnes));
  }
  return { answers, faults: [...faults, ...contactFaults(party, own, contact, isGuest)] };
}

/**
 * The faults of a yes without the contact that the host asks for.
 * @param isGuest without an account, whose address we know
 * @see takesRsvp
 */
export function contactFaults(
  party: Pick<Party, 'askEmail' | 'askPhone'>,
  own: Pick<Invitation, 'email' | 'phone'> | null,
  typed: Contact,
  isGuest: boolean,
): Fault[] {
  const missing = missingContact(party, [own, typed]);
  return [
    ...(isGuest && missing.email ? [{ field: 'email', message: noEmailWords }] : []),
    ...(missing.phone ? [{ field: 'phone', message: noPhoneWords }] : []),
  ];
}

export function plusOnesFault(plusOnes: number, most: number): Fault {
  if (most === 0) return { field: 'guests', message: msg`This party is for invited guests only, without plus-ones.` };
  if (plusOnes > most) return { field: 'guests', message: msg`You can bring at most ${most}.` };
  return { field: 'guests', message: msg`Say how many you bring as a whole number from 0 to ${most}.` };
}

function tooLate({ endsAt, rsvpBy }: Party, now: Instant) {
  if (endsAt <= now || !rsvpBy) return conflict(msg`This party is over.`);
  const day = dateWords(rsvpBy).full;
  return conflict(msg`Answers were welcome until ${day}.`);
}

export function full(party: Party, own: Invitation | null) {
  const places = roomFor(party, own);
  if (places === 0) return conflict(msg`This party is full.`);
  // To say how many places are left would reveal how many people come.
  if (party.hideGoing) return conflict(msg`There is not enough room for all of you.`);
  return conflict(
    msg`There is not enough room: ${plural({ places }, { one: 'one place is', other: '# places are' })} left.`,
  );
}
