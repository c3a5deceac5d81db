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

/** A booking as its statement takes it. */
type Claim = {
  id: string;
  /** How many seats it takes. */
  people: number;
  /** The service that is booked; blank where the slot is taken as it is. */
  service: string;
  accountId: string;
  /** Whose session must stand: that of the booker, or of the provider who books for them. */
  actorId: string;
  sessionId: string;
  now: Instant;
  answers: string;
  answeredAt: Instant | null;
  /** 1 where a slot with questions is not to be booked, 0 where its answers may stay owed. */
  requireAnswers: number;
  /** 1 where the answers are to the questions `asked`, a template's id or null: the slot must still ask the same. */
  isAsked: number;
  asked: string | null;
  linkSeed: string | null;
  privateNote: string | null;
  phone: string | null;
  /** The card, where the provider books for one. */
  personId: string | null;
  claimHash: string | null;
  /** The bucket that counts a guest's bookings, and how many may be in it. */
  bucket: string;
  limit: number;
  /** A booking of the booker's that does not count for the rules, because it is given up; blank for none. */
  except: string;
};

/** What may be given of a claim; the rest has usual values. */
type Given = Pick<Claim, 'id' | 'people' | 'accountId' | 'sessionId' | 'now'> &
  Partial<Omit<Claim, 'service' | 'answers' | 'answeredAt' | 'linkSeed' | 'isAsked'>> & {
    /** Null where the slot is taken as it is. */
    service: string | null;
    answers: Answer[] | null;
    link?: NewLink;
  };

/**
 * SQL: the booker may book with the slot's provider. An account always may; a guest where the provider takes guests, and
 * has their e-mail address where they ask for it, and while the guest's network has not booked too often.
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
 * Makes the statement that reads a slot with its booking, whoever may see it, whom its provider lets book, and why not this
 * account. Where the account has a seat of it, that comes first: see `claimedBy`.
 * @param moved the booking that is to be moved there
 * @param service a service that is to be booked there
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

/** Of what `selectClaimed` reads: the account's own booking, else the slot or whoever has it. */
export const claimedBy = <Row extends { bookerId: string | null }>(rows: Row[], accountId: string): Row | undefined =>
  rows.find(({ bookerId }) => bookerId === accountId) ?? rows[0];

/** What `selectClaimed` reads. */
export type Claimed = ReturnType<typeof selectClaimed>['rows'][number];

type Free = Pick<Claimed, 'status' | 'startsAt' | 'rule' | 'unfit' | 'room'>;
/** True while a slot can be booked for so many. */
export const isFree = ({ status: state, startsAt, rule, unfit, room }: Free, now: Instant, people = 1) =>
  state === status.open && startsAt > now && rule === null && unfit === null && people <= (room?.[1] ?? 1);

/** Why a guest can't book here; undefined where they can. */
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

/** Why a slot was not booked. @param phone that was given, null where none was */
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

/** Why nobody can have a slot, or not so many; undefined where only rules may forbid it. */
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

/** Other questions are asked than those that were answered: their provider has changed them. */
export const questionsChanged = () =>
  invalid(null, 'The questions of this time have changed. Please look at them again.');

/** A guest without the e-mail address that the provider asks for. */
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
