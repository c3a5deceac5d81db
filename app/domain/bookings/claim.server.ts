import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { insertFrom } from '../../../db/insert';
import { bookings } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import { DomainError, invalid } from '../errors';
import { noEmailWords, noPhoneWords } from '../guests/guests';
import type { NewLink } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import { aliasOf, cardOf } from '../people/card-of.server';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import type { Terms } from './appointments';
import { selectBookable } from './appointments.server';
import { columnsOfService, columnsOfSlot, fromFree, questionsOf } from './claimable.server';
import { alreadyStarted } from './deadline';
import { classFull, placesLeft, ruledOut, slotTaken, tooLittleTime, unofferedService } from './refusals';
import { brokenRule } from './rules.server';
import { status } from './status';

// The statement inserts a booking if its slot is open, and a trigger updates the slot. If two people book at once, the
// constraint on the slot's seats refuses the second.

type Claim = {
  id: string;
  people: number;
  service: string;
  /** What the client was told of the service, as JSON; 'null' if nothing. */
  terms: string;
  accountId: string;
  /** The account that must be logged in: the client, or the provider who books for them. */
  actorId: string;
  sessionId: string;
  now: Instant;
  answers: string;
  answeredAt: Instant | null;
  /** 1 if questions must be answered with the booking, 0 if they may be answered later. */
  requireAnswers: number;
  /** 1 to check that the slot still asks the questions of template `askedTemplateId`, which may be null. */
  checksTemplate: number;
  askedTemplateId: string | null;
  linkSeed: string | null;
  privateNote: string | null;
  phone: string | null;
  personId: string | null;
  claimHash: string | null;
  bucket: string;
  limit: number;
  /** The booking that this one replaces, which no rule counts; blank if it replaces none. */
  except: string;
};

type ClaimInput = Pick<Claim, 'id' | 'people' | 'accountId' | 'sessionId' | 'now'> &
  Partial<Omit<Claim, 'service' | 'terms' | 'answers' | 'answeredAt' | 'linkSeed' | 'checksTemplate'>> & {
    service: string | null;
    terms?: Terms | null;
    answers: Answer[] | null;
    link?: NewLink;
  };

// SQL: the account may book. A guest also needs a provider who takes guests, the address that the provider asks for,
// and a network that has not booked too often.
const mayBook = ({ accountId, bucket, limit }: { [Name in keyof Claim]: Placeholder }) => sql`EXISTS (
  SELECT 1 FROM accounts AS booker WHERE booker.id = ${accountId} AND (booker.username IS NOT NULL OR (
    provider.open_to = 'anyone' AND (provider.ask_email <> 'required' OR booker.email IS NOT NULL)
    AND coalesce((SELECT tries FROM throttles WHERE bucket = ${bucket}), 0) <= ${limit})))`;

export const hasNoSeat = (accountId: Placeholder | SQL) => sql`(slots.seats = 1 OR NOT EXISTS (
  SELECT 1 FROM bookings AS mine WHERE mine.booker_id = ${accountId} AND mine.status = 1
    AND mine.starts_at = slots.starts_at AND mine.slot_id = slots.id))`;

const claim = statementBy<{ isForSomeone: boolean; isService: boolean }, Claim>()((shape, values) =>
  insertFrom(
    bookings,
    {
      ...columnsOfSlot,
      ...(shape.isService && columnsOfService),
      status: status.booked,
      people: values.people,
      bookerId: values.accountId,
      personId: shape.isForSomeone
        ? sql`coalesce(${aliasOf(sql`provider.id`, values.personId)}, ${cardOf(sql`provider.id`, values.accountId)})`
        : cardOf(sql`provider.id`, values.accountId),
      bookedAt: values.now,
      answers: values.answers,
      answeredAt: values.answeredAt,
      linkSeed: values.linkSeed,
      privateNote: values.privateNote,
      phone: shape.isForSomeone ? values.phone : sql`iif(provider.ask_phone = 'no', NULL, ${values.phone})`,
      claimHash: values.claimHash,
      cancelUntil: sql`provider.cancel_until`,
    },
    sql`${fromFree(values, shape.isService ? values.service : null)} AND ${hasNoSeat(values.accountId)}
      AND (${questionsOf(shape)} IS NULL OR NOT ${values.requireAnswers}) AND (NOT ${values.checksTemplate} OR ${questionsOf(shape)} IS ${values.askedTemplateId})
      AND ${shape.isForSomeone ? sql`slots.provider_id = ${values.actorId}` : mayBook(values)}
      ${shape.isForSomeone ? sql`` : sql`AND (provider.ask_phone <> 'required' OR ${values.phone} IS NOT NULL) AND ${brokenRule(sql`provider`, values)} IS NULL`}
      AND ${isLoggedIn({ accountId: values.actorId, sessionId: values.sessionId }, values.now)}`,
  ),
);

type SlotQuery = Pick<Claim, 'id' | 'accountId' | 'now' | 'except' | 'service' | 'terms'>;
// A rest of these placeholders would be empty, because they come from a proxy.
const selectSlot = statementBy<{ isService: boolean; isMove: boolean }, SlotQuery>()(
  ({ isService, isMove }, { id, service, accountId, now, except, terms }) =>
    selectBookable(id, { accountId, now, except, terms }, isService ? service : null, isMove),
);

/**
 * Selects a slot with its booking, its provider's rules, and the rule that stops this account from booking.
 * @param moved the booking that moves to the slot
 */
export const selectClaimed = (
  id: string,
  accountId: string,
  now: Instant,
  { moved, service = null, terms = null }: { moved?: string; service?: string | null; terms?: Terms | null } = {},
) =>
  selectSlot(
    { isService: service !== null, isMove: moved !== undefined },
    { id, accountId, now, except: moved ?? '', service: service ?? '', terms: JSON.stringify(terms) },
  );

/** Picks the account's own booking if the rows have one, else the first row. */
export const claimedBy = <Row extends { bookerId: string | null }>(rows: Row[], accountId: string): Row | undefined =>
  rows.find(({ bookerId }) => bookerId === accountId) ?? rows[0];

export type Claimed = ReturnType<typeof selectClaimed>['rows'][number];

type Free = Pick<Claimed, 'status' | 'startsAt' | 'rule' | 'unfit' | 'room'>;
export const isFree = ({ status: state, startsAt, rule, unfit, room }: Free, now: Instant, people = 1) =>
  state === status.open && startsAt > now && rule === null && unfit === null && people <= (room?.free ?? 1);

export const guestsNotAllowed = ({
  openTo,
  providerName,
}: Pick<Claimed, 'openTo' | 'providerName'>): DomainError | undefined =>
  openTo === 'accounts'
    ? new DomainError(
        'forbidden',
        `${providerName} takes bookings of people with an account only. Log in, or register.`,
      )
    : undefined;

/** @param phone null if none was given */
export function refusalOf(
  slot: Claimed,
  isGuest: boolean,
  now: Instant,
  people = 1,
  phone: string | null = '',
): DomainError {
  const refusal = (isGuest ? guestsNotAllowed(slot) : undefined) ?? notFree(slot, now, people);
  if (refusal) return refusal;
  if (slot.rule) return ruledOut({ ...slot, rule: slot.rule });
  if (slot.askPhone === 'required' && phone === null) return invalid('phone', noPhoneWords);
  return isGuest && slot.askEmail === 'required' ? noEmail() : invalid(null, 'Please answer the questions first.');
}

/** The error if the slot itself can't be booked; undefined if only a provider's rule can stop the booking. */
export function notFree(
  { status: state, startsAt, unfit, room }: Pick<Claimed, 'status' | 'startsAt' | 'unfit' | 'room'>,
  now: Instant,
  people: number,
): DomainError | undefined {
  if (state !== status.open) return state === status.booked && room ? classFull() : slotTaken();
  if (startsAt <= now) return alreadyStarted();
  if (unfit) return unfitWords[unfit]();
  const free = room?.free ?? 1;
  return people > free ? placesLeft(free) : undefined;
}

const termsChanged = () =>
  invalid(null, 'The length or the price of this service has changed. Please look at it again.');

const unfitWords = { service: unofferedService, length: tooLittleTime, changed: termsChanged };

export const questionsChanged = () =>
  invalid(null, 'The questions of this time have changed. Please look at them again.');

const noEmail = () => invalid('email', noEmailWords);

export function claimSlot({ answers, askedTemplateId, link, service, terms = null, ...input }: ClaimInput) {
  const { id, accountId, now } = input;
  const isForSomeone = input.actorId !== undefined;
  return {
    claimed: claim(
      { isForSomeone, isService: service !== null },
      {
        actorId: accountId,
        service: service ?? '',
        terms: JSON.stringify(terms),
        requireAnswers: 0,
        checksTemplate: askedTemplateId === undefined ? 0 : 1,
        askedTemplateId: askedTemplateId ?? null,
        privateNote: null,
        phone: null,
        personId: null,
        claimHash: null,
        bucket: '',
        limit: 0,
        except: '',
        ...input,
        answers: JSON.stringify(answers ?? []),
        answeredAt: answers && now,
        linkSeed: link?.seed ?? null,
      },
    ),
    slot: selectClaimed(id, accountId, now, { service, terms }),
  };
}
