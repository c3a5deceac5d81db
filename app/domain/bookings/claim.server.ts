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
import { selectBookable } from './appointments.server';
import { columnsOfService, columnsOfSlot, fromFree, questionsOf } from './claimable.server';
import { alreadyStarted } from './deadline';
import { classFull, placesLeft, ruledOut, slotTaken, tooLittleTime, unofferedService } from './refusals';
import { brokenRule } from './rules.server';
import { status } from './status';

/* How a slot is taken: a booking is inserted where it is open, and a trigger marks the slot. The room of the slot decides who is first. */

type Claim = {
  id: string;
  people: number;
  service: string;
  accountId: string;
  /** The account whose session must stand: the booker, or the provider who books for them. */
  actorId: string;
  sessionId: string;
  now: Instant;
  answers: string;
  answeredAt: Instant | null;
  /** 1 if a slot with questions needs answers, 0 if they may come later. */
  requireAnswers: number;
  /** 1 if the slot must still ask the questions of template `asked`, which may be null. */
  isAsked: number;
  asked: string | null;
  linkSeed: string | null;
  privateNote: string | null;
  phone: string | null;
  /** The client's card, if the provider books for one. */
  personId: string | null;
  claimHash: string | null;
  /** The rate limit of a guest's bookings. */
  bucket: string;
  limit: number;
  /** A booking that is given up for this one, and counts for no rule; blank for none. */
  except: string;
};

/** A claim's input; the rest has usual values. */
type Given = Pick<Claim, 'id' | 'people' | 'accountId' | 'sessionId' | 'now'> &
  Partial<Omit<Claim, 'service' | 'answers' | 'answeredAt' | 'linkSeed' | 'isAsked'>> & {
    service: string | null;
    answers: Answer[] | null;
    link?: NewLink;
  };

/**
 * SQL: the booker may book with this provider: any account, or a guest if the provider takes guests, has the address
 * that they ask for, and the guest's network has not booked too often.
 */
const mayBook = ({ accountId, bucket, limit }: { [Name in keyof Claim]: Placeholder }) => sql`EXISTS (
  SELECT 1 FROM accounts AS booker WHERE booker.id = ${accountId} AND (booker.username IS NOT NULL OR (
    provider.open_to = 'anyone' AND (provider.ask_email <> 'required' OR booker.email IS NOT NULL)
    AND coalesce((SELECT tries FROM throttles WHERE bucket = ${bucket}), 0) <= ${limit})))`;

/** SQL: the booker has no seat of the slot yet. */
export const hasNoSeat = (accountId: Placeholder | SQL) => sql`(slots.seats = 1 OR NOT EXISTS (
  SELECT 1 FROM bookings AS mine WHERE mine.booker_id = ${accountId} AND mine.status = 1
    AND mine.starts_at = slots.starts_at AND mine.slot_id = slots.id))`;

const claim = statementBy<{ isForSomeone: boolean; isService: boolean }, Claim>()((shape, given) =>
  insertFrom(
    bookings,
    {
      ...columnsOfSlot,
      ...(shape.isService && columnsOfService),
      status: status.booked,
      people: given.people,
      bookerId: given.accountId,
      personId: shape.isForSomeone
        ? sql`coalesce(${aliasOf(sql`provider.id`, given.personId)}, ${cardOf(sql`provider.id`, given.accountId)})`
        : cardOf(sql`provider.id`, given.accountId),
      bookedAt: given.now,
      answers: given.answers,
      answeredAt: given.answeredAt,
      linkSeed: given.linkSeed,
      privateNote: given.privateNote,
      phone: shape.isForSomeone ? given.phone : sql`iif(provider.ask_phone = 'no', NULL, ${given.phone})`,
      claimHash: given.claimHash,
      cancelUntil: sql`provider.cancel_until`,
    },
    sql`${fromFree(given, shape.isService ? given.service : null)} AND ${hasNoSeat(given.accountId)}
      AND (${questionsOf(shape)} IS NULL OR NOT ${given.requireAnswers}) AND (NOT ${given.isAsked} OR ${questionsOf(shape)} IS ${given.asked})
      AND ${shape.isForSomeone ? sql`slots.provider_id = ${given.actorId}` : mayBook(given)}
      ${shape.isForSomeone ? sql`` : sql`AND (provider.ask_phone <> 'required' OR ${given.phone} IS NOT NULL) AND ${brokenRule(sql`provider`, given)} IS NULL`}
      AND ${isLoggedIn({ accountId: given.actorId, sessionId: given.sessionId }, given.now)}`,
  ),
);

type Looked = { id: string; accountId: string; now: Instant; except: string; service: string };
// The values are placeholders of a proxy, so a rest of them would be empty.
const selectSlot = statementBy<{ isService: boolean; isMove: boolean }, Looked>()(
  ({ isService, isMove }, { id, service, accountId, now, except }) =>
    selectBookable(id, { accountId, now, except }, isService ? service : null, isMove),
);

/**
 * Reads a slot with its booking, whoever has it, its provider's rules, and the rule that this account breaks.
 * If the account has a seat, that comes first: see `claimedBy`.
 * @param moved the booking that moves there
 * @param service a service to be booked there
 */
export const selectClaimed = (
  id: string,
  accountId: string,
  now: Instant,
  { moved, service = null }: { moved?: string; service?: string | null } = {},
) =>
  selectSlot(
    { isService: service !== null, isMove: moved !== undefined },
    { id, accountId, now, except: moved ?? '', service: service ?? '' },
  );

/** The account's own booking, else the slot or whoever has it. */
export const claimedBy = <Row extends { bookerId: string | null }>(rows: Row[], accountId: string): Row | undefined =>
  rows.find(({ bookerId }) => bookerId === accountId) ?? rows[0];

export type Claimed = ReturnType<typeof selectClaimed>['rows'][number];

type Free = Pick<Claimed, 'status' | 'startsAt' | 'rule' | 'unfit' | 'room'>;
/** True if so many people can book the slot now. */
export const isFree = ({ status: state, startsAt, rule, unfit, room }: Free, now: Instant, people = 1) =>
  state === status.open && startsAt > now && rule === null && unfit === null && people <= (room?.[1] ?? 1);

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

/** Says why a slot was not booked. @param phone null if none was given */
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

/** Says why nobody can have a slot, or not so many people; undefined if only a rule may forbid it. */
export function notFree(
  { status: state, startsAt, unfit, room }: Pick<Claimed, 'status' | 'startsAt' | 'unfit' | 'room'>,
  now: Instant,
  people: number,
): DomainError | undefined {
  if (state !== status.open) return state === status.booked && room ? classFull() : slotTaken();
  if (startsAt <= now) return alreadyStarted();
  if (unfit) return unfit === 'service' ? unofferedService() : tooLittleTime();
  const free = room?.[1] ?? 1;
  return people > free ? placesLeft(free) : undefined;
}

/** The provider has changed the questions since they were answered. */
export const questionsChanged = () =>
  invalid(null, 'The questions of this time have changed. Please look at them again.');

const noEmail = () => invalid('email', noEmailWords);

/** The statement that books an open slot, and the one that reads what has become of it. */
export function claimSlot({ answers, asked, link, service, ...given }: Given) {
  const { id, accountId, now } = given;
  const isForSomeone = given.actorId !== undefined;
  return {
    claimed: claim(
      { isForSomeone, isService: service !== null },
      {
        actorId: accountId,
        service: service ?? '',
        requireAnswers: 0,
        isAsked: asked === undefined ? 0 : 1,
        asked: asked ?? null,
        privateNote: null,
        phone: null,
        personId: null,
        claimHash: null,
        bucket: '',
        limit: 0,
        except: '',
        ...given,
        answers: JSON.stringify(answers ?? []),
        answeredAt: answers && now,
        linkSeed: link?.seed ?? null,
      },
    ),
    slot: selectClaimed(id, accountId, now, { service }),
  };
}
