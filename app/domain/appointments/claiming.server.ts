import { and, type Column, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { noEmailWords } from '../accounts/guests';
import { isLoggedIn } from '../accounts/sessions.server';
import { DomainError, invalid } from '../errors';
import type { NewLink } from '../links.server';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import { isIn, selectBookable } from './appointments.server';
import { brokenRule } from './bookable.server';
import { started } from './deadline';
import { gone, ruledOut } from './refusals';
import { status } from './status';

/* How a slot is taken: a booking is inserted where it is open, and the slot is marked. The database decides who is first. */

/** A booking as its statement takes it. */
type Claim = {
  id: string;
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
  linkHash: string | null;
  linkSeed: string | null;
  privateNote: string | null;
  claimHash: string | null;
  /** The bucket that counts a guest's bookings, and how many may be in it. */
  bucket: string;
  limit: number;
  /** A slot of the booker's that does not count for the rules, because it is given up; blank for none. */
  except: string;
};

/** What may be given of a claim; the rest has usual values. */
type Given = Pick<Claim, 'id' | 'accountId' | 'sessionId' | 'now'> &
  Partial<Omit<Claim, 'answers' | 'answeredAt' | 'linkHash' | 'linkSeed' | 'isAsked'>> & {
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

const claim = statementBy<{ isForSomeone: boolean }, Claim>()(({ isForSomeone }, given) =>
  insertFrom(
    bookings,
    {
      slotId: sql`slots.id`,
      bookerId: given.accountId,
      startsAt: sql`starts_at`,
      bookedAt: given.now,
      answers: given.answers,
      answeredAt: given.answeredAt,
      linkHash: given.linkHash,
      linkSeed: given.linkSeed,
      privateNote: given.privateNote,
      claimHash: given.claimHash,
      cancelUntil: sql`provider.cancel_until`,
    },
    sql`FROM slots CROSS JOIN accounts AS provider ON provider.id = provider_id WHERE slots.id = ${given.id} AND status = 0 AND starts_at > ${given.now}
      AND (template_id IS NULL OR NOT ${given.requireAnswers}) AND (NOT ${given.isAsked} OR template_id IS ${given.asked})
      AND ${isForSomeone ? sql`provider_id = ${given.actorId}` : mayBook(given)}
      ${isForSomeone ? sql`` : sql`AND ${brokenRule(sql`provider`, given)} IS NULL`}
      AND ${isLoggedIn({ accountId: given.actorId, sessionId: given.sessionId }, given.now)}`,
  ),
);

/** The condition that this account has booked a slot. The plus keeps SQLite from reading all that the account has booked. */
export const isHeldBy = (slotId: SQL | Column, accountId: string | Placeholder) =>
  sql`EXISTS (SELECT 1 FROM bookings WHERE slot_id = ${slotId} AND +booker_id = ${accountId})`;

const markAsBooked = statement<Pick<Claim, 'id' | 'accountId'>>()(({ id, accountId }) =>
  orm
    .update(slots)
    .set({ status: status.booked })
    .where(and(eq(slots.id, id), isIn(status.open), isHeldBy(sql`${id}`, accountId))),
);

const selectSlot = statement<{ id: string; accountId: string; now: Instant; except: string }>()(
  ({ id, accountId, now, except }) => selectBookable({ accountId, now, except }).where(eq(slots.id, id)),
);

/**
 * Makes the statement that reads a slot with its booking, whoever may see it, whom its provider lets book, and why not this
 * account.
 * @param except a slot of theirs that they would give up for it
 */
export const selectClaimed = (id: string, accountId: string, now: Instant, except = '') =>
  selectSlot({ id, accountId, now, except });

/** What `selectClaimed` reads. */
export type Claimed = ReturnType<typeof selectClaimed>['rows'][number];

/** True while a slot can be booked. */
export const isFree = (
  { status: state, startsAt, rule }: Pick<Claimed, 'status' | 'startsAt' | 'rule'>,
  now: Instant,
) => state === status.open && startsAt > now && rule === null;

/** Why a guest can't book here; undefined where they can. */
export const noGuests = ({
  openTo,
  providerName,
}: Pick<Claimed, 'openTo' | 'providerName'>): DomainError | undefined =>
  openTo === 'accounts'
    ? new DomainError(
        'forbidden',
        `${providerName} takes bookings of people with an account only. Log in, or register.`,
      )
    : undefined;

/** Why a slot was not booked. */
export function refusalOf(slot: Claimed, isGuest: boolean, now: Instant): DomainError {
  const refusal = isGuest ? noGuests(slot) : undefined;
  if (refusal) return refusal;
  if (slot.status !== status.open) return gone();
  if (slot.startsAt <= now) return started();
  if (slot.rule) return ruledOut({ ...slot, rule: slot.rule });
  return isGuest && slot.askEmail === 'required' ? noEmail() : invalid(null, 'Please answer the questions first.');
}

/** Other questions are asked than those that were answered: their provider has changed them. */
export const askedAnew = () => invalid(null, 'The questions of this time have changed. Please look at them again.');

/** A guest without the e-mail address that the provider asks for. */
const noEmail = () => invalid('email', noEmailWords);

/** The statements that book an open slot, and read what has become of it: the last one's result is its row. */
export function claimSlot({ answers, asked, link, ...given }: Given) {
  const { id, accountId, now } = given;
  const isForSomeone = given.actorId !== undefined;
  return [
    claim(
      { isForSomeone },
      {
        actorId: accountId,
        requireAnswers: 0,
        isAsked: asked === undefined ? 0 : 1,
        asked: asked ?? null,
        privateNote: null,
        claimHash: null,
        bucket: '',
        limit: 0,
        except: '',
        ...given,
        answers: JSON.stringify(answers ?? []),
        answeredAt: answers && now,
        linkHash: link?.hash ?? null,
        linkSeed: link?.seed ?? null,
      },
    ),
    markAsBooked({ id, accountId }),
    selectClaimed(id, accountId, now),
  ] as const;
}
