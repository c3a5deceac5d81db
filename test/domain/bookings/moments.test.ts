import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment, submitAnswers } from '../../../app/domain/bookings/book.server';
import { findUnavailableTime } from '../../../app/domain/bookings/nearest-times.server';
import { readMoveChoice } from '../../../app/domain/calendar/move-choice.server';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import {
  closeSession,
  extendSession,
  findViewer,
  isExtensionDue,
  type Viewer,
} from '../../../app/domain/login/sessions.server';
import { countTry, refuseTooMany } from '../../../app/domain/login/throttles.server';
import { rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty, editParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { listOwnOpenSlots } from '../../../app/domain/slots/own-open-slots.server';
import { listProviders } from '../../../app/domain/slots/providers.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays, day, minute } from '../../../app/domain/time/clock';
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
const justBefore = nine - 1;
const hasStarted = 'This appointment has already started.';

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

  describe('is withdrawn', () => {
    test('just before', async () => {
      expect(await withdrawSlots(db, host, 'all', once(justBefore))).toMatchObject({ withdrawn: 1 });
    });

    test('no longer at nine', async () => {
      expect(await withdrawSlots(db, host, 'all', once(nine))).toMatchObject({ withdrawn: 0 });
    });
  });

  describe('is published', () => {
    beforeEach(() => withdrawSlots(db, host, 'all', once(start)));

    test('just before', async () => {
      expect(await publish(justBefore)).toMatchObject({ created: 1 });
    });

    test('no longer at nine', async () => {
      expect(await publish(nine)).toMatchObject({ created: 0 });
    });
  });

  describe('is listed just before, no longer at nine,', () => {
    let later: string;
    let withdrawn: string;
    beforeEach(async () => {
      [later = '', withdrawn = ''] = (await publish(start, { start: '09:30', end: '10:30' })).ids;
      await withdrawSlots(db, host, { ids: [withdrawn] }, once(start));
    });

    const filter = { page: 0, q: undefined, location: undefined, provider: 'host' };
    const lists: Record<string, (now: number) => Promise<{ id: string }[] | undefined>> = {
      'to those who look for a time': async (now) =>
        (await listOpenSlots(db, { ...filter, dates: undefined }, now)).rows,
      'on a day of its provider': async (now) => (await listFreeTimes(db, { ...filter, dates: [date] }, now)).rows,
      'to its provider': async (now) => (await listOwnOpenSlots(db, host, 0, now)).rows,
      'to those who missed another': async (now) => (await findUnavailableTime(db, withdrawn, now))?.nearest,
    };
    test.each(Object.entries(lists))('%s', async (_, list) => {
      const idsAt = async (now: number) => (await list(now))?.map((row) => row.id);

      expect(await idsAt(justBefore)).toEqual([id, later]);
      expect(await idsAt(nine)).toEqual([later]);
    });

    test('as the next time of its provider', async () => {
      const nextAt = async (now: number) => (await listProviders(db, { page: 0 }, now)).rows.map((row) => row.nextAt);

      expect(await nextAt(justBefore)).toEqual([nine]);
      expect(await nextAt(nine)).toEqual([nine + 30 * minute]);
    });

    test('as the day of a time to which its provider can move an appointment', async () => {
      await withdrawSlots(db, host, { ids: [later] }, once(start));
      const next = await publish(start, { dates: [addDays(date, 1)] });
      const [booked = ''] = next.ids;
      await bookAppointment(db, guest, { id: booked, submitted: null }, start);
      const daysAt = async (now: number) =>
        (await readMoveChoice(db, { id: booked }, { member: host.accountId }, now)).days;

      expect(await daysAt(justBefore)).toEqual([date]);
      expect(await daysAt(nine)).toEqual([]);
    });

    test('as a time of its day', async () => {
      await withdrawSlots(db, host, { ids: [later] }, once(start));

      expect(await listOpenDates(db, 'host', justBefore)).toEqual([date]);
      expect(await listOpenDates(db, 'host', nine)).toEqual([]);
    });
  });

  describe('is booked', () => {
    test('just before', async () => {
      expect(await bookAppointment(db, guest, { id, submitted }, justBefore)).toMatchObject({ status: 1 });
    });

    test('no longer at nine', async () => {
      await expect(bookAppointment(db, guest, { id, submitted: null }, nine)).rejects.toThrow(hasStarted);
    });

    test('no longer at nine, with answers', async () => {
      await expect(bookAppointment(db, guest, { id, submitted }, nine)).rejects.toThrow(hasStarted);
    });
  });

  describe('that is booked', () => {
    beforeEach(() => bookAppointment(db, guest, { id, submitted: null }, start));

    test('is answered just before', async () => {
      const answered = await submitAnswers(db, guest, { id, submitted }, justBefore);

      expect(answered).toMatchObject({ answeredAt: justBefore });
    });

    test('is not answered where it is canceled while the answers are read', async () => {
      let cancellation: Promise<unknown> | undefined;
      const canceling = () => {
        cancellation = cancelAppointment(db, host, { id, reason: null }, justBefore);
        return [];
      };

      const answering = submitAnswers(db, guest, { id, submitted: canceling }, justBefore);

      await expect(answering).rejects.toThrow('This appointment is canceled.');
      await cancellation;
    });

    test('is no longer answered at nine', async () => {
      await expect(submitAnswers(db, guest, { id, submitted }, nine)).rejects.toThrow(hasStarted);
    });

    test('is canceled just before', async () => {
      expect(await cancelAppointment(db, guest, { id, reason: null }, justBefore)).toMatchObject({ status: 2 });
    });

    test('is no longer canceled by the booker at nine', async () => {
      await expect(cancelAppointment(db, guest, { id, reason: null }, nine)).rejects.toThrow(hasStarted);
    });

    test('is no longer canceled by the provider at nine', async () => {
      await expect(cancelAppointment(db, host, { id, reason: null }, nine)).rejects.toThrow(hasStarted);
    });
  });
});

const common = { title: 'Chess', description: null, date, startTime: '08:00', endTime: '09:00' };
const noPlace = { address: null, locationUrl: null };
const createdOnce = { now: start, key: 'once' };

describe('a party until nine', () => {
  const partyOf = (rsvpBy: string | null = null) => {
    const own = { templateId: null, capacity: null, rsvpBy, plusOnes: 3, hideGoing: false };
    return createParty(db, host, { ...common, ...noPlace, ...own }, createdOnce);
  };
  const rsvp = ({ id }: { id: string }, now: number, guests = 0) =>
    rsvpToParty(db, guest, { id, accepted: true, guests }, () => [], now);

  test('takes an RSVP just before', async () => {
    expect(await rsvp(await partyOf(), justBefore)).toMatchObject({ accepted: true });
  });

  test('takes no other RSVP at nine', async () => {
    const party = await partyOf();
    await rsvp(party, justBefore);

    await expect(rsvp(party, nine, 1)).rejects.toThrow('This party is over.');
  });

  describe('to be answered by the day before', () => {
    const midnight = instantOf(date, '00:00', 'UTC');
    const tooLate = 'Answers were welcome until';
    let party: { id: string };
    beforeEach(async () => {
      party = await partyOf(addDays(date, -1));
    });
    const setRsvpBy = (rsvpBy: string) => editParty(db, host, 'party', { id: party.id, change: { rsvpBy } }, start);

    test('takes an RSVP just before midnight', async () => {
      expect(await rsvp(party, midnight - 1)).toMatchObject({ accepted: true });
    });

    test('takes no other RSVP at midnight', async () => {
      await rsvp(party, midnight - 1);

      await expect(rsvp(party, midnight, 1)).rejects.toThrow(tooLate);
    });

    test('takes an RSVP at midnight once a later day is named', async () => {
      await setRsvpBy(date);

      expect(await rsvp(party, midnight, 1)).toMatchObject({ plusOnes: 1 });
    });

    test('takes no RSVP before midnight once an earlier day is named', async () => {
      await setRsvpBy(addDays(date, -2));

      await expect(rsvp(party, midnight - 1, 2)).rejects.toThrow(tooLate);
    });
  });
});

describe('the personal link to a meetup until nine', () => {
  let id: string;
  beforeEach(async () => {
    const draft = { ...common, ...noPlace, attendees: inviteesFromLines(['Ada']) };
    const { invitations } = await createMeetup(db, host, draft, createdOnce);
    id = (invitations[0] as { id: string }).id;
  });

  test('takes an RSVP just before', async () => {
    expect(await rsvpByLink(db, { id, accepted: true }, justBefore)).toMatchObject({ rsvpAt: justBefore });
  });

  test('takes no RSVP at nine', async () => {
    await expect(rsvpByLink(db, { id, accepted: true }, nine)).rejects.toThrow('This meetup is over.');
    expect(await stored('SELECT accepted FROM invitations')).toEqual([{ accepted: null }]);
  });

  test('keeps the moment of an RSVP that is sent again', async () => {
    await rsvpByLink(db, { id, accepted: true }, nine - 2);

    expect(await rsvpByLink(db, { id, accepted: true }, justBefore)).toMatchObject({ rsvpAt: nine - 2 });
  });
});

describe('a login', () => {
  const end = start + 30 * day;
  const isLoggedIn = async (now: number) => (await findViewer(db, guest, now)) !== undefined;
  const write = (now: number) =>
    createTemplate(db, host, { displayName: 'T', questions: [] }, { now, key: `at ${now}` });

  test('reads for thirty days', async () => {
    expect(await isLoggedIn(end - 1)).toBe(true);
    expect(await isLoggedIn(end)).toBe(false);
  });

  test('writes until just before the end of thirty days', async () => {
    expect(await write(end - 1)).toMatchObject({ displayName: 'T' });
  });

  test('writes nothing after thirty days', async () => {
    await expect(write(end)).rejects.toThrow('You are not logged in.');
  });

  test('is to be extended once it is a day old', async () => {
    const viewer = (await findViewer(db, guest, start)) as Viewer;

    expect(isExtensionDue(viewer, start + day)).toBe(false);
    expect(isExtensionDue(viewer, start + day + 1)).toBe(true);
  });

  test('that is extended lasts thirty days from then', async () => {
    await extendSession(db, guest, end - 1);

    expect(await isLoggedIn(end + 30 * day - 2)).toBe(true);
    expect(await isLoggedIn(end + 30 * day - 1)).toBe(false);
  });
});

describe('a one-time key', () => {
  const create = async (now: number) =>
    (await createTemplate(db, host, { displayName: 'T', questions: [] }, { now, key: 'same' })).id;

  test('gives the same answer for a day', async () => {
    const first = await create(start);

    expect(await create(start + day - 1)).toBe(first);
  });

  test('is as new after a day', async () => {
    const first = await create(start);

    expect(await create(start + day)).not.toBe(first);
  });

  test('does nothing for a session that is closed', async () => {
    await create(start);
    await closeSession(db, host);

    await expect(create(start + 2 * day)).rejects.toThrow('You are not logged in.');
  });
});

describe('two tries a second', () => {
  const rateLimit = { bucket: 'b', limit: 2, window: 1000 };
  const attempt = async (now: number) => {
    const [[counted]] = await db.run(countTry(rateLimit, now));
    refuseTooMany([rateLimit], [counted], now);
  };
  /** Two tries, which are let through. */
  beforeEach(async () => {
    await attempt(start);
    await attempt(start + 500);
  });

  test('leave no third before the second has ended', async () => {
    await expect(attempt(start + 999)).rejects.toMatchObject({ code: 'too_many', retryAfter: 1 });
  });

  test('are two again when the second has ended', async () => {
    await expect(attempt(start + 1000)).resolves.toBeUndefined();
    await expect(attempt(start + 1999)).resolves.toBeUndefined();
  });

  test('leave no third in the next second', async () => {
    await attempt(start + 1000);
    await attempt(start + 1999);

    await expect(attempt(start + 1999)).rejects.toMatchObject({ code: 'too_many' });
  });
});

describe('housekeeping', () => {
  const rowsOf = async (table: string) => (await stored(`SELECT 1 FROM ${table}`)).length;

  test('forgets one-time keys after a day', async () => {
    await forgetExpired(db, start + day - 1);
    expect(await rowsOf('one_time_keys')).toBe(2);

    await forgetExpired(db, start + day);
    expect(await rowsOf('one_time_keys')).toBe(0);
  });
});
