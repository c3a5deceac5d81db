import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { bookings } from '../../../db/schema';
import { isBooked } from '../../../db/states';
import { conflict, DomainError, invalid, notLoggedIn } from '../errors';
import { insertGuest } from '../guests/guests.server';
import type { Links } from '../links.server';
import { inNewZone, isLoggedIn, selectOwner } from '../login/sessions.server';
import { insertBooker } from '../people/booker.server';
import type { Actor } from '../profile/accounts';
import { noSuchService, otherLength } from '../services/cuts.server';
import type { SubmittedAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { minutesOf } from '../time/ranges';
import { instantOf } from '../time/zones';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';
import type { TimeToBook } from './any-time';
import type { Appointment } from './appointments';
import { appointment, selectBookings } from './appointments.server';
import { overField } from './at-door';
import { accountToBook, readCardToBook } from './book-for.server';
import { claim, wouldBeGranted } from './claim.server';
import { makeRoom, selectAgainst } from './claim-any-time.server';
import { claimOf } from './claim-request.server';
import { checkedAnswers, lacksAddress } from './found-time.server';
import { runAfterHolds } from './holds.server';
import { findTemplateOfService } from './template-of.server';
import { type WalkIn, walkInOf } from './walk-ins.server';

type BookingAt = {
  time: TimeToBook;
  /** One of the provider's people, or the name of somebody new. */
  who: { personId: string } | { displayName: string; email: string | null };
  service: string | null;
  people: number;
  /** The provider knows that the time is outside of their hours, or over something of their own. */
  isOver: boolean;
  key: string;
} & Pick<WalkIn, 'note' | 'phone' | 'address' | 'submitted'>;

/**
 * Books any time of the actor's for a client, published or not. Open slots there are taken; anything booked or held
 * refuses it. Nothing is published by it, and a canceled booking leaves nothing open that was not open before.
 * @throws DomainError not_found (no such card), conflict (something is booked or held there; outside of the hours or over
 * something else, unless `isOver`), invalid, unauthenticated
 */
export async function bookAt(
  db: Db,
  links: Links,
  actor: Actor,
  wish: BookingAt,
  now: Instant,
): Promise<Appointment & { bookedAt: Instant }> {
  const { time, who, service, people, isOver, key, note, phone, address, submitted } = wish;
  if (time.minutes === null && service === null) {
    throw invalid('minutes', msg`Say how long it takes, or choose a service.`);
  }
  if (people > 1) throw invalid('people', msg`Only a class has places for several people.`);
  const startsAt = instantOf(time.date, time.start, actor.timeZone);
  // The guest's id follows from the key and the time, so that a form sent twice books once.
  const entry = { id: `${startsAt}`, key, note, phone, address, submitted: null };
  const { newGuest, card, linkSeed, codeHash, ...contact }: WalkIn =
    'personId' in who
      ? accountToBook(links, actor, await readCardToBook(db, actor, who.personId, now), entry)
      : walkInOf(links, actor, { ...entry, ...who });
  const accountId = newGuest.id;
  const answered = submitted && (await readAnswers(db, actor, service, submitted));
  const request = claimOf(
    {
      times: [{ id: '', seed: linkSeed, codeHash }],
      at: {
        startsAt,
        date: time.date,
        from: minutesOf(time.start),
        minutes: time.minutes,
        zone: actor.timeZone,
        isOver,
      },
      asker: actor,
      somebody: { accountId, personId: card?.personId ?? null },
      service,
      people,
      answered,
      given: { phone: contact.phone, address, privateNote: note },
    },
    now,
  );
  const isGranted = sql`${wouldBeGranted(request)} AND ${isLoggedIn(actor, now)}`;
  const { booked, against, owner } = await runAfterHolds(db, now, {
    ...(card ? insertBooker(actor, newGuest, card, isGranted, now) : { guest: insertGuest(newGuest, isGranted, now) }),
    ...makeRoom(request),
    claimed: claim(request),
    booked: selectBookings().where(
      and(
        ownedBy(actor, bookings),
        eq(bookings.startsAt, startsAt),
        eq(bookings.bookerId, accountId),
        isBooked(bookings),
      ),
    ),
    against: selectAgainst(request),
    owner: selectOwner(actor, now),
  });
  const [row] = booked;
  if (row?.bookedAt) {
    return {
      ...appointment(row, actor.accountId),
      bookedAt: row.bookedAt,
      linkSource: row.bookedAt === now ? row.linkSource : null,
    };
  }
  const moved = inNewZone(actor, owner[0]);
  if (moved) return bookAt(db, links, moved, wish, now);
  throw whyNotAt(against[0], wish, actor);
}

/** Checks the answers to the questions of the service; without one there are none. */
async function readAnswers(db: Db, actor: Actor, service: string | null, submitted: SubmittedAnswers) {
  const questions = service === null ? undefined : await findTemplateOfService(db, actor, service);
  return checkedAnswers({ own: undefined, barred: undefined, questions }, submitted);
}

type Against = ReturnType<typeof selectAgainst>['rows'][number];

function whyNotAt(against: Against | undefined, { service, time, address }: BookingAt, actor: Actor): DomainError {
  if (!against) return notLoggedIn();
  const { isTaken, isPast, minutes, seats } = against;
  if (service !== null) {
    if (minutes === null) return noSuchService();
    if ((seats ?? 1) > 1) return conflict(msg`A class takes people at its published times only.`);
    if (time.minutes !== null && time.minutes !== minutes)
      return new DomainError('invalid', [{ ...otherLength(minutes), field: 'minutes' }]);
  }
  if (isPast) return conflict(msg`This time is over.`);
  if (isTaken) return conflict(msg`Something is booked or held at that time.`);
  const lacked = lacksAddress(against.where, address);
  if (lacked) return lacked;
  const over = overWords(against, actor);
  return over === ''
    ? conflict(msg`Nothing was booked. Please try again.`)
    : new DomainError('conflict', [{ field: overField, message: over }]);
}

/** Says what a time is over, which a provider may book all the same. Blank if nothing. */
function overWords({ isOutside, busy }: Pick<Against, 'isOutside' | 'busy'>, { memberId }: Actor): Words {
  const others = JSON.parse(busy) as [name: string | null, isEvent: 0 | 1][];
  if (memberId) {
    // What a colleague does at that time is theirs to know.
    return inARow([
      ...(isOutside ? [msg`That is outside of their hours.`] : []),
      ...(others.length > 0 ? [msg`They have something else then.`] : []),
    ]);
  }
  return inARow([
    ...(isOutside ? [msg`That is outside of your hours.`] : []),
    ...others.map(([name, isEvent]) => {
      if (isEvent) return msg`Your event “${{ name: name ?? '' }}” is then.`;
      return name ? msg`“${name}” is busy then.` : msg`Your other calendar is busy then.`;
    }),
  ]);
}
