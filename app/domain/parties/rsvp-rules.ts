import { conflict, DomainError, type Fault } from '../errors';
import { judgeAnswers } from '../templates/answers';
import type { Answer, Question, Template } from '../templates/questions';
import { dateWords, type Instant } from '../time/clock';
import { type Invitation, isTakingRsvps, type Party, roomFor } from './parties';

/* Who may answer a party, with how many, until when. */

/** Gives the answers to these questions. */
export type SubmittedAnswers = (questions: Question[]) => Answer[];

/** A party as it is found for somebody who answers it. */
export type FoundParty = { party: Party; own: Invitation | null; template: Template | null };

/** Who answers, and what. `isBare`: it has been tried to write it already, as the answer to a party that asks nothing. */
export type Answering = {
  accountId: string;
  isGuest: boolean;
  accepted: boolean;
  plusOnes: number;
  submitted: SubmittedAnswers;
  isBare: boolean;
};

/** Why a guest can't answer this party. */
export const onlyAccounts = () =>
  new DomainError('forbidden', 'Only people with an account can answer this party. Log in, or register.');

/** True where this is the answer that is stored. */
export const isSame = (own: Invitation | null, { accepted, plusOnes }: Pick<Answering, 'accepted' | 'plusOnes'>) =>
  own?.accepted === accepted && own.plusOnes === (accepted ? plusOnes : 0);

/**
 * Judges an answer to a party, before it is written.
 * @returns the answer that is there already, where it is the same; else the answers to the questions, and what is wrong
 * @throws DomainError forbidden (the host; a guest where only accounts may), conflict (over, closed, full)
 */
export function judgeRsvp(
  { party, own, template }: FoundParty,
  { accountId, isGuest, accepted, plusOnes, submitted, isBare }: Answering,
  now: Instant,
): { before: Invitation } | { answers: Answer[]; faults: Fault[] } {
  if (party.providerId === accountId)
    throw new DomainError('forbidden', 'This is your own party: you are coming anyway.');
  // Whoever was let in can still take back their answer.
  if (isGuest && party.openTo === 'accounts' && (accepted || !own)) throw onlyAccounts();
  const isSameAsBefore = isSame(own, { accepted, plusOnes });
  const isLate = !isTakingRsvps(party, now);
  if (own && isSameAsBefore && (isLate || !accepted || (isBare && !template))) return { before: own };
  if (isLate) throw tooLate(party, now);
  // Refuse before validating the answers. The database refuses where someone takes the last place before the write.
  if (accepted && 1 + plusOnes > roomFor(party, own)) throw full(party, own);
  if (!accepted) return { answers: [], faults: [] };
  const questions = template?.questions ?? [];
  const { answers, faults } = judgeAnswers(questions, submitted(questions));
  if (!(plusOnes <= party.plusOnes)) {
    // The host may have lowered the limit since; the same RSVP sent again is still accepted.
    if (own && isSameAsBefore && JSON.stringify(answers) === JSON.stringify(own.answers)) return { before: own };
    faults.push(plusOnesFault(plusOnes, party.plusOnes));
  }
  return { answers, faults };
}

function plusOnesFault(plusOnes: number, most: number): Fault {
  if (most === 0) return { field: 'guests', message: 'This party is for invited guests only, without plus-ones.' };
  if (plusOnes > most) return { field: 'guests', message: `You can bring at most ${most}.` };
  return { field: 'guests', message: `Say how many you bring as a whole number from 0 to ${most}.` };
}

function tooLate({ endsAt, rsvpBy }: Party, now: Instant) {
  if (endsAt <= now || !rsvpBy) return conflict('This party is over.');
  return conflict(`Answers were welcome until ${dateWords(rsvpBy).full}.`);
}

/** Why there is no room for these people. */
export function full(party: Party, own: Invitation | null) {
  const left = roomFor(party, own);
  if (left === 0) return conflict('This party is full.');
  // The number of places left would reveal how many are coming.
  if (party.hideGoing) return conflict('There is not enough room for all of you.');
  return conflict(`There is not enough room: ${left === 1 ? 'one place is' : `${left} places are`} left.`);
}
