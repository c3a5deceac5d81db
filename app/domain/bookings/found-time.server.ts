import { msg } from '@lingui/core/macro';
import { statementBy } from '../../../db/statement';
import { conflict, DomainError, type Fault, invalid } from '../errors';
import { noEmailWords } from '../guests/guests';
import { lackedAt } from '../services/where';
import { answersOrThrow, type SubmittedAnswers } from '../templates/answers';
import type { Template } from '../templates/questions';
import type { Instant } from '../time/clock';
import { selectBookable } from './appointments.server';
import type { CheckedAnswers, ClaimValues } from './claim-request.server';
import { questionsChanged, refusalOf } from './refusals';
import { status } from './status';
import type { Terms } from './terms';

// Reads the time that a claim is for, in the same trip, and says why the claim was refused.

type SlotQuery = Pick<ClaimValues, 'accountId' | 'personId' | 'now' | 'service' | 'terms'> & {
  id: string;
  people: number;
  old: string;
};
type Use = { isService: boolean; isMove: boolean; isBound: boolean };
const selectSlot = statementBy<Use, SlotQuery>()(
  ({ isService, isMove, isBound }, { id, service, accountId, personId, now, people, terms, old }) =>
    selectBookable(
      id,
      { accountId, now, people, terms, isBound, ...(!isBound && { personId, mayBeOff: true }) },
      isMove ? { old } : { service: isService ? service : null },
    ),
);

/** Who asks for a time, and for what there. */
export type Asking = {
  accountId: string;
  /** The card that a provider books for. */
  personId?: string | null;
  service?: string | null;
  terms?: Terms | null;
  people?: number;
  /** False for a provider who books for somebody. */
  isBound?: boolean;
  /** The booking that moves there. */
  moved?: string;
};

/** Selects a slot with its booking, its provider's rules, and why the account can't have it. */
export const selectFoundTime = (
  id: string,
  { accountId, personId = null, service = null, terms = null, people = 1, isBound = true, moved }: Asking,
  now: Instant,
) =>
  selectSlot(
    { isService: service !== null, isMove: moved !== undefined, isBound },
    { id, accountId, personId, now, service: service ?? '', terms: JSON.stringify(terms), people, old: moved ?? '' },
  );

/** Picks the account's own booking if the rows have one, else the first row. */
export const ownOrFirst = <Row extends { bookerId: string | null }>(rows: Row[], accountId: string): Row | undefined =>
  rows.find(({ bookerId }) => bookerId === accountId) ?? rows[0];

export type FoundTime = ReturnType<typeof selectFoundTime>['rows'][number];

export const isBookedBy = (
  { status: state, bookerId }: Pick<FoundTime, 'status' | 'bookerId'>,
  accountId: string,
): boolean => state === status.booked && bookerId === accountId;

/** What a guest hears whose provider takes people with an account only. */
export const guestsNotAllowed = ({
  openTo,
  providerName,
}: Pick<FoundTime, 'openTo' | 'providerName'>): DomainError | undefined =>
  openTo === 'accounts'
    ? new DomainError(
        'forbidden',
        msg`${providerName} takes bookings of people with an account only. Log in, or register.`,
      )
    : undefined;

/** Why the time can't be claimed, whatever is still to be filled in; undefined if it can. */
export const barredFrom = (time: FoundTime, { isGuest }: { isGuest: boolean }): DomainError | undefined =>
  (isGuest ? guestsNotAllowed(time) : undefined) ?? (time.why ? refusalOf(time.why, time) : undefined);

/** Refuses a provider's booking for somebody at the client's, if the address is missing. */
export const lacksAddress = (
  where: FoundTime['where'],
  address: string | null | undefined,
): DomainError | undefined => {
  const lacked = lackedAt(where, { hasPhone: true, hasAddress: Boolean(address) }, null);
  return lacked.length > 0 ? new DomainError('invalid', lacked) : undefined;
};

/** What came with a claim. `hasEmail` is undefined for a guest whose account may have an address: it is not read here. */
type Given = { hasPhone: boolean; hasAddress: boolean; hasEmail: boolean | undefined };

const isGiven = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** @param typed what came, checked or as it was typed */
export const givenIn = ({ email, phone, address }: Record<string, unknown>): Given & { hasEmail: boolean } => ({
  hasEmail: isGiven(email),
  hasPhone: isGiven(phone),
  hasAddress: isGiven(address),
});

type Asked = Pick<FoundTime, 'askEmail' | 'where'> & { askPhone: FoundTime['askPhone'] | null };

const emailAsked = ({ askEmail }: Pick<Asked, 'askEmail'>): Fault[] =>
  askEmail === 'required' ? [{ field: 'email', message: noEmailWords }] : [];

/**
 * What a person must give for a time, by the rules of its provider and by where it takes place, and has not.
 * @see mayBook in claim-conditions.server.ts, by which the claim itself asks for it
 */
export const lackedBy = (time: Asked, given: Given): Fault[] => [
  ...(given.hasEmail === false ? emailAsked(time) : []),
  ...lackedAt(time.where, given, time.askPhone),
];

/**
 * Why a claim was not granted: the time, a rule, the questions, or what its person left out.
 * @param given what came with the claim; an e-mail address that the guest's account may have is named last
 * @param requireAnswers true if times with questions are not booked without answers
 * @see mayBook in claim-conditions.server.ts, by which the claim itself decides
 */
export function whyNotGranted(
  time: FoundTime,
  {
    isGuest,
    given,
    answered,
    requireAnswers = false,
  }: {
    isGuest: boolean;
    given: Given;
    answered?: CheckedAnswers | null;
    requireAnswers?: boolean;
  },
): DomainError {
  const barred = barredFrom(time, { isGuest });
  if (barred) return barred;
  if (answered && time.templateId !== answered.templateId) return questionsChanged();
  const lacked = lackedBy(time, given);
  if (lacked.length > 0) return new DomainError('invalid', lacked);
  if (requireAnswers && !answered && time.templateId !== null)
    return invalid(null, msg`Please answer the questions first.`);
  const mayBeLacked = given.hasEmail === undefined ? emailAsked(time) : [];
  if (mayBeLacked.length > 0) return new DomainError('invalid', mayBeLacked);
  return conflict(msg`Nothing was booked. Please open this time again.`);
}

/**
 * Checks answers before a claim. The claim names their template, because the provider may ask other questions after this.
 * @param own the booking that the person has there already: a form that is sent again
 * @throws DomainError not_found, conflict, forbidden (they can't have the time), invalid (the answers)
 */
export function checkedAnswers(
  {
    own,
    barred,
    questions,
  }: { own: FoundTime | undefined; barred: DomainError | undefined; questions: Template | undefined },
  submitted: SubmittedAnswers,
): CheckedAnswers {
  if (own) return { answers: own.answers, templateId: own.templateId };
  if (barred) throw barred;
  const asked = questions?.questions ?? [];
  return { answers: answersOrThrow(asked, submitted(asked)), templateId: questions?.id ?? null };
}
