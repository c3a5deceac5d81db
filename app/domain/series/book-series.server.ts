import { msg, plural } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { startOf } from '../../../db/ids';
import type { Appointment } from '../bookings/appointments';
import { appointment } from '../bookings/appointments.server';
import { accountToBook, readCardToBook } from '../bookings/book-for.server';
import { claim, wouldBeGranted } from '../bookings/claim.server';
import { type CheckedAnswers, claimOf } from '../bookings/claim-request.server';
import { joinSeries, selectSeries } from '../bookings/claim-series.server';
import { selectWanted, type WantedTime } from '../bookings/found-series.server';
import { guestsNotAllowed, lackedBy } from '../bookings/found-time.server';
import { runAfterHolds } from '../bookings/holds.server';
import { type Asker, hasAccess, noLongerAllowed, selectAccess } from '../bookings/link-owners.server';
import { findTemplateOfSlot } from '../bookings/template-of.server';
import type { ShopTime } from '../bookings/turn.server';
import { conflict, DomainError, type Fault, invalid } from '../errors';
import type { Links } from '../links.server';
import { type Origin, type RateLimit, tryWithin } from '../login/throttles.server';
import { notFound } from '../not-found';
import { insertBooker } from '../people/booker.server';
import { isOwnedBy } from '../profile/accounts';
import { checkAnswers } from '../templates/answers';
import { dateWords, hour, type Instant, type LocalDate } from '../time/clock';
import type { Words } from '../words/words';
import { tellHowMany } from './message.server';
import type { SeriesRequest } from './series';

// How many dates one network may try in an hour: three years of weeks.
const guestSeriesLimit = (address: string) =>
  ({ bucket: `guest-series:${address}`, limit: 160, window: hour }) satisfies RateLimit;

/** Faults are told only if the times themselves could be booked. */
type SeriesAnswers = { answered: CheckedAnswers | null; faults: Fault[] };

async function checkSeriesAnswers(db: Db, { ids, service, formData }: SeriesRequest): Promise<SeriesAnswers> {
  const [first = ''] = ids;
  if (!formData) return { answered: null, faults: [] };
  const template = await findTemplateOfSlot(db, first, service);
  const { answers, faults } = checkAnswers(template?.questions ?? [], formData);
  return { answered: template ? { answers, templateId: template.id } : null, faults };
}

/** The card for which a provider books; undefined for whoever books for themselves. @throws DomainError invalid, forbidden, not_found */
async function findRecipient(db: Db, asker: Asker, personId: string | null, now: Instant) {
  const isProvider = 'role' in asker && asker.role === 'Provider';
  if (isProvider && personId === null) throw invalid('personId', msg`Say for which of your people.`);
  if (!isProvider && personId !== null)
    throw new DomainError('forbidden', msg`Only a provider books for somebody else.`);
  return isProvider && personId !== null ? readCardToBook(db, asker, personId, now) : undefined;
}

type Booked = ReturnType<typeof selectSeries>['rows'][number];

/** One row for each time; null unless all of them are booked, in one series. */
function wholeSeries(booked: Booked[], count: number): Booked[] | null {
  const rows = [...new Map(booked.map((row) => [row.slotId, row])).values()];
  const series = new Set(rows.map(({ seriesId }) => seriesId));
  return rows.length === count && series.size === 1 && !series.has(null) ? rows : null;
}

export type SeriesWriting = { links: Links; key: string; now: Instant; origin?: Origin };

/**
 * Books exactly these slots, or none, for the actor or a provider's client. If the client has booked some already,
 * those join the series. A repeat returns the same.
 * @returns all appointments of the series, by start
 * @throws DomainError conflict (which names the taken dates, or the limit), not_found, forbidden, invalid, too_many,
 * unauthenticated
 */
export async function bookSeries(
  db: Db,
  asker: Asker,
  request: SeriesRequest & { shopTime?: ShopTime },
  { links, key, now, origin = null }: SeriesWriting,
): Promise<Appointment[]> {
  const { ids, shopTime, service, people, phone, address } = request;
  const [first = ''] = ids;
  const actor = 'role' in asker ? asker : null;
  const [recipient, { faults, answered }] = await Promise.all([
    findRecipient(db, asker, request.personId, now),
    checkSeriesAnswers(db, request),
  ]);
  const form = { id: first, key, note: null, phone, submitted: null };
  const walkIn = actor && recipient ? accountToBook(links, actor, recipient, form) : undefined;
  const isGuest = actor === null || actor.isGuest === true;
  const limit = !recipient && origin && isGuest ? guestSeriesLimit(origin.address) : undefined;
  const tries = tryWithin(limit ? [limit] : [], now, { tries: ids.length });
  // Of this write alone, where the series is the same in a repeat: what that books besides has a message of its own.
  const toldWith = newId();
  const wanted = claimOf(
    {
      times: ids.map((id) => {
        const seed = newId();
        return { id, seed, codeHash: walkIn && links.codeHashOf(seed) };
      }),
      asker,
      shopTime,
      somebody: walkIn && recipient && { accountId: walkIn.newGuest.id, personId: recipient.card.id },
      series: { id: links.repeatableIdOf('series', asker.accountId, key), toldWith },
      service,
      people,
      answered,
      limit,
      given: { phone: walkIn?.phone ?? phone, address },
    },
    now,
  );
  const linkedId = 'bookingId' in asker ? asker.bookingId : '';
  const isGranted = sql`${wouldBeGranted(wanted)} AND ${hasAccess(asker, linkedId, now)}`;
  const claiming = faults.length === 0 && {
    ...(actor && walkIn && insertBooker(actor, walkIn.newGuest, walkIn.card, isGranted, now)),
    claimed: claim(wanted),
    joined: joinSeries(wanted),
  };
  const {
    counted,
    booked,
    allowed: [allowed],
  } = await runAfterHolds(db, now, {
    counted: tries.count,
    ...claiming,
    told: tellHowMany(
      'booked',
      sql`told.booker_id = ${wanted.values.accountId} AND told.starts_at >= ${startOf(first)}`,
      toldWith,
    ),
    booked: selectSeries(wanted),
    allowed: selectAccess(asker, linkedId, now),
  }).catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'slot_not_open') throw overlapping();
    throw error;
  });
  tries.refuse(counted);
  if (!allowed?.may) throw noLongerAllowed(asker);
  const rows = wholeSeries(booked, ids.length);
  if (!rows) {
    const { missing } = await db.run({ missing: selectWanted(wanted) });
    throw refusalOfSeries(missing, { me: asker.accountId, isForSomeone: walkIn !== undefined, isGuest, faults });
  }
  return rows.map((row) => {
    const own = appointment(row, asker.accountId);
    // The provider sees the links once, just after they were made.
    return recipient && row.bookedAt === now ? { ...own, linkSource: row.linkSource } : own;
  });
}

// Times may overlap, because a service may be longer than a slot.
const overlapping = () => conflict(msg`Two of these times overlap. Nothing was booked.`);

function takenWords(dates: LocalDate[]): Words {
  const days: Words[] = dates.map((date) => dateWords(date).full);
  const last = days.pop() ?? '';
  if (days.length === 0) {
    return msg`This date is not free any more: ${{ day: last }}. Nothing was booked. Please look at the dates again.`;
  }
  const others = days.reduce((first, second) => msg`${first}; ${second}`);
  return msg`These dates are not free any more: ${others}; and ${last}. Nothing was booked. Please look at the dates again.`;
}

/**
 * The error that names all taken dates, or the limit that the series would exceed, or else all that is missing or wrong
 * in what the client gave.
 * @param faults those of the answers
 * @see mayBook in claim-conditions.server.ts, by which the claim itself decides, and whyNotGranted for one time
 */
function refusalOfSeries(
  rows: WantedTime[],
  { me, isForSomeone, isGuest, faults }: { me: string; isForSomeone: boolean; isGuest: boolean; faults: Fault[] },
): DomainError {
  const [first] = rows;
  if (!first || rows.some(({ role }) => role !== 'Provider') || rows.every(({ isKnown }) => !isKnown)) {
    return notFound('appointment');
  }
  if (rows.some(({ providerId }) => providerId !== first.providerId)) {
    return invalid('ids', msg`A series is with one provider.`);
  }
  const { providerName, countingName, perPerson, perDay } = first;
  if (isForSomeone && !isOwnedBy({ accountId: me }, first)) return notFound('appointment');
  const barred = !isForSomeone && isGuest ? guestsNotAllowed(first) : undefined;
  if (barred) return barred;
  // The limit of appointments for one person has words of its own.
  const unavailable = rows.filter(({ isOwn, why }) => !isOwn && why !== null && why !== 'perPerson');
  if (unavailable.length > 0) return conflict(takenWords(unavailable.map(({ date }) => date)));
  if (!isForSomeone) {
    if (!first.isWithinPerson) {
      const [most, count] = [perPerson ?? 0, rows.length];
      return conflict(
        msg`You can have at most ${plural({ most }, { one: '# coming appointment', other: '# coming appointments' })} with ${{ providerName: countingName }}, and these are ${count}. Nothing was booked.`,
      );
    }
    if (!first.isWithinDays) {
      const most = perDay ?? 0;
      return conflict(
        msg`${providerName} takes at most ${plural({ most }, { one: '# appointment', other: '# appointments' })} a day. Nothing was booked.`,
      );
    }
  }
  // A class of the series may take place elsewhere than the others.
  const lacked = rows.flatMap(({ where, askEmail, askPhone, hasEmail, hasPhone, hasPlace }) =>
    lackedBy(isForSomeone ? { where, askEmail: 'no', askPhone: null } : { where, askEmail, askPhone }, {
      hasEmail: hasEmail === 1,
      hasPhone: hasPhone === 1,
      hasAddress: hasPlace === 1,
    }),
  );
  const allFaults = [...new Map(lacked.map((fault) => [fault.field, fault])).values(), ...faults];
  if (allFaults.length > 0) return new DomainError('invalid', allFaults);
  return conflict(msg`These times were not free at that moment. Nothing was booked. Please try again.`);
}
