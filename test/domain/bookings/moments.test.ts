import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment, submitAnswers } from '../../../app/domain/bookings/book.server';
import { findMissedTime } from '../../../app/domain/bookings/nearest-times.server';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import {
  closeSession,
  extendSession,
  findViewer,
  isExtensionDue,
  sessionLength,
  type Viewer,
} from '../../../app/domain/login/sessions.server';
import { countTry, refuseTooMany } from '../../../app/domain/login/throttles.server';
import { keyLength } from '../../../app/domain/one-time-keys.server';
import { rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty, editParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listProviders } from '../../../app/domain/profile/providers.server';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { listOwnOpenSlots } from '../../../app/domain/slots/own-open-slots.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays, day } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { newBook, once, publishTimes, start, stored } from '../../support/history';

/* At the very moment of its start a thing has begun, and at that of its end it is over; a millisecond before, not. */

let db: Db;
let host: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook());
});

const date = addDays(todayIn('UTC', start), 1);
const nine = instantOf(date, '09:00', 'UTC');
const started = 'This appointment has already started.';

describe('a slot that starts at nine', () => {
  let id: string;
  let templateId: string;
  const publish = (now: number, details: object = {}) =>
    publishTimes(db, host, { start: '09:00', end: '09:30', dates: [date], templateId, ...details }, once(now));
  beforeEach(async () => {
    templateId = (await createTemplate(db, host, { displayName: 'T', questions: [] }, { now: start, key: 't' })).id;
    [id = ''] = (await publish(start)).ids;
  });
  const submitted = () => [];

  test('is withdrawn and published until then', async () => {
    expect(await withdrawSlots(db, host, 'all', once(nine))).toMatchObject({ withdrawn: 0 });
    expect(await withdrawSlots(db, host, 'all', once(nine - 1))).toMatchObject({ withdrawn: 1 });
    expect(await publish(nine)).toMatchObject({ created: 0 });
    expect(await publish(nine - 1)).toMatchObject({ created: 1 });
  });

  test('is listed until then', async () => {
    const [other = '', withdrawn = ''] = (await publish(start, { start: '09:30', end: '10:30' })).ids;
    await withdrawSlots(db, host, { ids: [withdrawn] }, once(start));
    const filter = { page: 0, q: undefined, location: undefined, provider: 'host' };
    const shown = async (now: number) => {
      const lists = [
        (await listOpenSlots(db, { ...filter, dates: undefined }, now)).rows,
        (await listFreeTimes(db, { ...filter, dates: [date] }, now)).rows,
        (await listOwnOpenSlots(db, host, 0, now)).rows,
        (await findMissedTime(db, withdrawn, now))?.nearest,
      ];
      return lists.map((rows) => rows?.map((row) => row.id));
    };
    const next = async (now: number) => (await listProviders(db, { page: 0 }, now)).rows.map(({ nextAt }) => nextAt);
    expect(await shown(nine - 1)).toEqual(Array(4).fill([id, other]));
    expect(await shown(nine)).toEqual(Array(4).fill([other]));
    expect([await next(nine - 1), await next(nine)]).toEqual([[nine], [nine + 30 * 60_000]]);
    await withdrawSlots(db, host, { ids: [other] }, once(start));
    expect(await listOpenDates(db, 'host', nine - 1)).toEqual([date]);
    expect(await listOpenDates(db, 'host', nine)).toEqual([]);
  });

  test('is booked until then, with answers or without', async () => {
    await expect(bookAppointment(db, guest, { id, submitted: null }, nine)).rejects.toThrow(started);
    await expect(bookAppointment(db, guest, { id, submitted }, nine)).rejects.toThrow(started);
    expect(await bookAppointment(db, guest, { id, submitted }, nine - 1)).toMatchObject({ status: 1 });
  });

  test('is answered and canceled until then', async () => {
    await bookAppointment(db, guest, { id, submitted: null }, start);
    await expect(submitAnswers(db, guest, { id, submitted }, nine)).rejects.toThrow(started);
    expect(await submitAnswers(db, guest, { id, submitted }, nine - 1)).toMatchObject({ answeredAt: nine - 1 });
    for (const who of [guest, host])
      await expect(cancelAppointment(db, who, { id, reason: null }, nine)).rejects.toThrow(started);
    expect(await cancelAppointment(db, guest, { id, reason: null }, nine - 1)).toMatchObject({ status: 2 });
  });
});

describe('an event until nine', () => {
  const common = { title: 'Chess', description: null, date, startTime: '08:00', endTime: '09:00' };
  const place = { address: null, locationUrl: null };
  const once = { now: start, key: 'once' };
  const party = (rsvpBy: string | null = null) => {
    const own = { templateId: null, capacity: null, rsvpBy, plusOnes: 3, hideGoing: false };
    return createParty(db, host, { ...common, ...place, ...own }, once);
  };
  const answer = ({ id }: { id: string }, now: number, guests = 0) =>
    rsvpToParty(db, guest, { id, accepted: true, guests }, () => [], now);

  test('takes answers until then', async () => {
    const it = await party();
    expect(await answer(it, nine - 1)).toMatchObject({ accepted: true });
    await expect(answer(it, nine, 1)).rejects.toThrow('This party is over.');
  });

  test('takes them until the end of the last day to answer', async () => {
    const midnight = instantOf(date, '00:00', 'UTC');
    const it = await party(addDays(date, -1));
    const edit = (rsvpBy: string) => editParty(db, host, 'party', { id: it.id, change: { rsvpBy } }, start);
    const tooLate = 'Answers were welcome until';
    expect(await answer(it, midnight - 1)).toMatchObject({ accepted: true });
    await expect(answer(it, midnight, 1)).rejects.toThrow(tooLate);
    await edit(date);
    expect(await answer(it, midnight, 1)).toMatchObject({ plusOnes: 1 });
    await edit(addDays(date, -2));
    await expect(answer(it, midnight - 1, 2)).rejects.toThrow(tooLate);
  });

  test('takes them by personal links until then', async () => {
    const it = await createMeetup(db, host, { ...common, ...place, attendees: inviteesFromLines(['Ada']) }, once);
    const { id } = it.invitations[0] as { id: string };
    await expect(rsvpByLink(db, { id, accepted: true }, nine)).rejects.toThrow('This meetup is over.');
    expect(await stored('SELECT accepted FROM invitations')).toEqual([{ accepted: null }]);
    // Answered again it is still the answer of the first time.
    for (const now of [nine - 2, nine - 1])
      expect(await rsvpByLink(db, { id, accepted: true }, now)).toMatchObject({ answeredAt: nine - 2 });
  });
});

test('a login lasts thirty days from its last use, for reading and for writing, and is made longer once it is a day old', async () => {
  const end = start + 30 * day;
  const counts = async (now: number) => (await findViewer(db, guest, now)) !== undefined;
  expect([await counts(end - 1), await counts(end)]).toEqual([true, false]);
  const template = { displayName: 'T', questions: [] };
  const publish = (now: number) => createTemplate(db, host, template, { now, key: `at ${now}` });
  await expect(publish(end)).rejects.toThrow('You are not logged in.');
  expect(await publish(end - 1)).toMatchObject({ displayName: 'T' });
  const viewer = (await findViewer(db, guest, start)) as Viewer;
  expect([isExtensionDue(viewer, start + day), isExtensionDue(viewer, start + day + 1)]).toEqual([false, true]);
  await extendSession(db, guest, end - 1);
  expect([await counts(end), await counts(2 * end)]).toEqual([true, false]);
});

test('a one-time key keeps its answer for a day, and is then as new', async () => {
  const create = async (now: number) =>
    (await createTemplate(db, host, { displayName: 'T', questions: [] }, { now, key: 'same' })).id;
  const first = await create(start);
  expect(await create(start + keyLength - 1)).toBe(first);
  expect(await create(start + keyLength)).not.toBe(first);
  await closeSession(db, host);
  await expect(create(start + 2 * keyLength)).rejects.toThrow('You are not logged in.');
});

test('tries are counted anew when their window has ended, and not before', async () => {
  const rateLimit = { bucket: 'b', limit: 2, window: 1000 };
  const attempt = async (now: number) => {
    const [[counted]] = await db.run(countTry(rateLimit, now));
    refuseTooMany([rateLimit], [counted], now);
  };
  for (const now of [start, start + 500]) await attempt(now);
  await expect(attempt(start + 999)).rejects.toMatchObject({ code: 'too_many', retryAfter: 1 });
  for (const now of [start + 1000, start + 1999]) await attempt(now);
  await expect(attempt(start + 1999)).rejects.toMatchObject({ code: 'too_many' });
});

test('what is over is forgotten at that moment, and nothing before', async () => {
  const all = 'SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM one_time_keys) AS count';
  const leftAt = async (now: number) => {
    await forgetExpired(db, now);
    return (await stored<{ count: number }>(all))[0]?.count;
  };
  expect([await leftAt(start + keyLength - 1), await leftAt(start + keyLength)]).toEqual([4, 2]);
  expect([await leftAt(start + sessionLength - 1), await leftAt(start + sessionLength)]).toEqual([2, 0]);
});
