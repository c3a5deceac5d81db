import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { endHolds } from '../../../app/domain/bookings/holds.server';
import { carryHours } from '../../../app/domain/hours/carrying.server';
import type { Hours } from '../../../app/domain/hours/hours';
import { setHours } from '../../../app/domain/hours/hours.server';
import { parse } from '../../../app/domain/input/fields';
import { deleteAccount } from '../../../app/domain/leaving/delete.server';
import { linksBy } from '../../../app/domain/links.server';
import { sentenceOf } from '../../../app/domain/messages/messages';
import { listNews } from '../../../app/domain/messages/news.server';
import { createPerson } from '../../../app/domain/people/edit.server';
import { mergePeople } from '../../../app/domain/people/merge.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { bookStanding, spansOf } from '../../../app/domain/slots/standing-dates.server';
import { bringBack, withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import type { StandingInput } from '../../../app/domain/standing/standing';
import { listStandingTimes, setStandingTimes } from '../../../app/domain/standing/standing.server';
import { addDays, day, hour, localTimeOf, weekdayOf } from '../../../app/domain/time/clock';
import { instantOf } from '../../../app/domain/time/zones';
import { addWish, removeWish } from '../../../app/domain/waitlist/wish.server';
import { wishInput } from '../../../app/domain/waitlist/wishes';
import { inEnglish } from '../../../app/domain/words/english';
import type { Db } from '../../../db/client';
import { rules } from '../../habits/rules';
import { forgetAll, join, newDb, once, publishTimes, start, stored, year } from '../../support/history';

/* What a provider keeps for somebody is booked in the step that publishes it, whoever publishes it. The clocks change on the second day. */

const zone = 'America/Los_Angeles';
const links = linksBy('a secret of this test');
/** Tuesdays. */
const [first, second, third] = [`${year}-03-12`, `${year}-03-19`, `${year}-03-26`] as const;
const at = (date: string, time = '10:00') => instantOf(date, time, zone);

const provider = { timeZone: zone, role: 'Provider' as const, location: 'Lisbon' };

let db: Db;
let host: Actor;
let maya: Actor;
let card: string;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  host = await join(db, { ...provider, username: 'host', displayName: 'Host' });
  maya = await consumer('maya');
  card = await newCard('June');
});

const consumer = (username: string) => join(db, { username, displayName: username, timeZone: 'UTC', role: 'Consumer' });
const newCard = async (name: string) => {
  const card = { name, email: null, phone: null, note: null, key: `card of ${name}` };
  return (await createPerson(db, links, host, card, start)).id;
};
const tuesday: StandingInput = { day: 2, start: '10:00', every: 7, from: first, until: null, service: null };
const set = (list: Partial<StandingInput>[], person = card, now = start) =>
  setStandingTimes(db, links, host, { id: person, list: list.map((one) => ({ ...tuesday, ...one })) }, now);
const publish = (dates: string[], details: object = {}, now = start) =>
  publishTimes(db, host, { start: '09:00', end: '12:00', dates, ...details }, once(now));
const hours = (details: Partial<Hours> = {}): Hours => ({
  hours: [{ day: 2, start: '09:00', end: '12:00' }],
  ...{ except: [], len: 30, gap: 0, ahead: 12, notes: null, templateId: null },
  ...details,
});
/** The starts that are booked for a card, or for all. */
const booked = async (person = '%') => {
  const sql = 'SELECT starts_at AS at FROM bookings WHERE status = 1 AND person_id LIKE ? ORDER BY starts_at';
  return (await stored<{ at: number }>(sql, person)).map(({ at }) => at);
};
const news = async (who = host) => (await listNews(db, who, 0)).rows.map((message) => inEnglish(sentenceOf(message)));
const missedDates = async (person = card) =>
  (await listStandingTimes(db, host, person, start)).flatMap((one) => one.missed);
const missed = async (person = card) => (await missedDates(person)).map(({ date, why }) => [date, why]);
/** The times that are shown for each missed date. */
const nearest = async () =>
  (await missedDates()).map((one) => one.nearest.map(({ startsAt }) => localTimeOf(startsAt, zone)).sort());
const slotAt = async (startsAt: number) => {
  const sql = 'SELECT id, state, taken FROM slots WHERE starts_at = ?';
  const [slot] = await stored<{ id: string; state: number; taken: number }>(sql, startsAt);
  if (!slot) throw new Error(`Nothing begins at ${new Date(startsAt).toISOString()}.`);
  return slot;
};
const bookAt = async (startsAt: number, now = start) =>
  bookAppointment(db, maya, { id: (await slotAt(startsAt)).id, submitted: null }, now);
/** Cancels what is booked then, as its provider who has the time free again, unless `details` say otherwise. */
const cancelAt = async (startsAt: number, now: number, who = host, details: object = { republish: true }) => {
  const [row] = await stored<{ id: string }>('SELECT id FROM bookings WHERE starts_at = ? AND status = 1', startsAt);
  if (!row) throw new Error(`Nothing is booked at ${new Date(startsAt).toISOString()}.`);
  return cancelAppointment(db, who, { id: row.id, reason: null, ...details }, now);
};
const addService = (id: string, { minutes = 60, gap = 0, seats = 1 } = {}) =>
  stored(
    'INSERT INTO services (provider_id, id, name, name_folded, minutes, gap, seats) VALUES (?1, ?2, ?2, ?2, ?3, ?4, ?5)',
    ...[host.accountId, id, minutes, gap, seats],
  );

afterEach(async () => {
  for (const [name, rule] of Object.entries(rules)) expect(await stored(rule), name).toEqual([{ many: 0 }]);
});

describe('what is published', () => {
  test('is booked at once', async () => {
    await publish([first, second]);

    const list = await set([{}]);

    expect(list).toMatchObject([{ day: 2, start: '10:00', every: 7, from: first, missed: [] }]);
    expect(await booked(card)).toEqual([at(first), at(second)]);
    expect(await stored('SELECT DISTINCT series_id, booker_id FROM bookings')).toHaveLength(1);
  });

  test('is booked once for a standing time that is set again', async () => {
    await publish([first, second]);
    await set([{}]);

    await set([{}]);

    expect(await booked()).toEqual([at(first), at(second)]);
  });

  test('at another time of its day is nothing that can’t be kept', async () => {
    await publish([first]);
    await set([{}]);

    await publish([first], { start: '13:00', end: '15:00' });

    expect(await missed()).toEqual([]);
    expect(await news()).toEqual([]);
  });

  test('keeps the local time where the clocks change', async () => {
    const sunday = `${year}-11-03`;
    await set([{ day: weekdayOf(sunday), start: '09:30', from: `${year}-10-27` }]);

    await publish([`${year}-10-27`, sunday]);

    const starts = await booked(card);
    expect(starts.map((startsAt) => localTimeOf(startsAt, zone))).toEqual(['09:30', '09:30']);
    expect((starts[1] as number) - (starts[0] as number)).toBe(7 * day + hour);
  });
});

describe('what can’t be kept', () => {
  describe('because it is taken', () => {
    async function taken() {
      await publish([first]);
      await bookAt(at(first));
      return set([{}]);
    }

    test('is listed with why', async () => {
      expect(await taken()).toMatchObject([{ missed: [{ date: first, why: 'taken' }] }]);
    });

    test('is listed with what is free near it', async () => {
      await taken();

      expect(await nearest()).toEqual([['09:00', '09:30', '10:30']]);
    });

    test('is read in one trip', async () => {
      await taken();
      const asked = newDb();

      await listStandingTimes(asked, host, card, start);

      expect(asked.tally.trips).toBe(1);
    });

    test('is told to the provider', async () => {
      await taken();

      expect(await news()).toContainEqual(
        `The standing time of June can't be kept on Tuesday, 12 March ${year}, because it is taken. Their card shows what is free near it.`,
      );
    });

    test('is told once', async () => {
      await taken();
      const before = await news();

      await set([{}]);
      await publish([first], { start: '13:00', end: '15:00' });

      expect(await news()).toEqual(before);
    });
  });

  describe('because the hours have it no longer', () => {
    /** Twelve days of hours at ten, and then at one o'clock. */
    beforeEach(async () => {
      await set([{}]);
      await setHours(db, host, hours(), start);
      await setHours(db, host, hours({ hours: [{ day: 2, start: '13:00', end: '15:00' }] }), start);
    });
    const week = start + 7 * day;

    test('leaves what is booked', async () => {
      expect(await booked()).toEqual([at(first), at(second)]);
    });

    test('is listed with why once the job comes to it', async () => {
      await carryHours(db, week);

      expect(await missed()).toEqual([[third, 'closed']]);
    });

    test('is told to the provider once the job comes to it', async () => {
      await carryHours(db, week);

      expect(await news()).toEqual([expect.stringContaining(`can't be kept on Tuesday, 26 March ${year}`)]);
    });

    test('is booked when they have it again', async () => {
      await carryHours(db, week);

      await setHours(db, host, hours(), week);

      expect(await booked(card)).toEqual([at(first), at(second), at(third)]);
    });
  });

  describe('because another calendar blocks it', () => {
    const block = (source: string, until: number) => {
      const sql = 'INSERT INTO busy_times (provider_id, source, starts_at, ends_at) VALUES (?, ?, ?, ?)';
      return stored(sql, host.accountId, source, at(first), until);
    };
    beforeEach(async () => {
      await block('other', at(first, '10:15'));
      await publish([first, second]);
      await set([{}]);
    });
    /** The calendar no longer blocks it, and the provider publishes something of that day. */
    async function freeAgain() {
      await stored('DELETE FROM busy_times');
      await publish([first], { start: '12:00', end: '13:00' });
    }

    test('leaves the other dates booked', async () => {
      expect(await booked()).toEqual([at(second)]);
    });

    test('is listed with why', async () => {
      expect(await missed()).toEqual([[first, 'busy']]);
    });

    test('is booked when its day is published again', async () => {
      await freeAgain();

      expect(await booked(card)).toEqual([at(first), at(second)]);
    });

    test('is listed no longer when it is booked', async () => {
      await freeAgain();

      expect(await missed()).toEqual([]);
    });

    test('is told once', async () => {
      await freeAgain();

      expect((await news()).filter((text) => text.includes("can't be kept"))).toHaveLength(1);
    });

    test('stays booked when a calendar blocks it later', async () => {
      await freeAgain();

      await block('later', at(first, '11:00'));

      expect(await booked(card)).toEqual([at(first), at(second)]);
    });
  });
});

describe('a date that was canceled', () => {
  beforeEach(async () => {
    await set([{}]);
    await setHours(db, host, hours(), start);
    await cancelAt(at(first), start + 1);
  });
  const setAgain = () => set([{}], card, start + 2);
  /** No hours, and then the same again. */
  async function publishAgain() {
    await setHours(db, host, hours({ hours: [] }), start + 3);
    await setHours(db, host, hours(), start + 4);
  }

  test('is booked no longer', async () => {
    expect(await booked()).toEqual([at(second)]);
  });

  test('is not booked when the standing time is set again', async () => {
    await setAgain();

    expect(await booked()).toEqual([at(second)]);
  });

  test('is not booked when the hours publish it again', async () => {
    await setAgain();

    await publishAgain();

    expect(await booked()).toEqual([at(second)]);
    expect((await slotAt(at(first))).state).toBe(0);
  });

  test('is nothing that can’t be kept', async () => {
    await setAgain();

    await publishAgain();

    expect(await missed()).toEqual([]);
  });
});

describe('a date that is canceled with all that follow', () => {
  beforeEach(async () => {
    await set([{}]);
    await publish([first, second]);
    await cancelAt(at(second), start + 1, host, { following: true, republish: true });
  });

  test('leaves those before it booked', async () => {
    expect(await booked()).toEqual([at(first)]);
  });

  test('is the last that is booked, whatever is published later', async () => {
    await publish([third], {}, start + 2);

    expect(await booked()).toEqual([at(first)]);
  });

  test('ends the standing time on the day before', async () => {
    expect(await listStandingTimes(db, host, card, start)).toMatchObject([{ until: addDays(second, -1) }]);
  });
});

describe('a service', () => {
  test('takes as many slots of free time as it needs', async () => {
    await addService('long', { minutes: 60, gap: 15 });
    await set([{ service: 'long' }]);

    await publish([first]);

    const stateAt = async (time: string) => (await slotAt(at(first, time))).state;
    expect(await stateAt('10:30')).toBe(1);
    expect(await stateAt('11:00')).toBe(1);
    expect(await stateAt('11:30')).toBe(0);
  });

  test('can’t be kept where less is free than it needs', async () => {
    await addService('long', { minutes: 60, gap: 15 });
    await set([{ service: 'long' }]);

    await publish([first], { end: '10:30' });

    expect(await missed()).toEqual([[first, 'length']]);
  });

  /** Three people have a standing time at a class for two. */
  async function threeForTwoSeats() {
    await addService('class', { minutes: 30, seats: 2 });
    const last = await newCard('Lena');
    for (const [place, person] of [card, await newCard('Karla'), last].entries())
      await set([{}], person, start + place);
    await publish([first], { serviceId: 'class', start: '10:00', end: '10:30' }, start + 5);
    return { last };
  }

  test('of several seats has one for each standing time', async () => {
    await threeForTwoSeats();

    expect(await slotAt(at(first))).toMatchObject({ state: 1, taken: 2 });
  });

  test('of several seats has no more than there are', async () => {
    const { last } = await threeForTwoSeats();

    expect(await booked(last)).toEqual([]);
    expect(await missed(last)).toEqual([[first, 'taken']]);
  });
});

describe('people', () => {
  describe('who are merged', () => {
    /** June's card has ten and Karla's eleven; Karla's becomes June's. */
    async function merged() {
      const other = await newCard('Karla');
      await set([{}]);
      await set([{ start: '11:00' }], other);
      await mergePeople(db, host, { id: other, into: card }, start);
      return { other };
    }

    test('keep what each had', async () => {
      await merged();

      await publish([first]);

      expect(await booked(card)).toEqual([at(first), at(first, '11:00')]);
    });

    test('are listed by either id', async () => {
      const { other } = await merged();

      expect(await listStandingTimes(db, host, card, start)).toHaveLength(2);
      expect(await listStandingTimes(db, host, other, start)).toHaveLength(2);
    });

    test('are changed by the id that is no more', async () => {
      const { other } = await merged();

      await set([{}], other);

      expect(await listStandingTimes(db, host, card, start)).toHaveLength(1);
    });
  });

  describe('who leave', () => {
    beforeEach(async () => {
      await publish([first]);
      await bookAt(at(first));
      await set([{}], maya.accountId);
      const passwords = { hash: async () => 'none', verify: async () => ({ right: true, outdated: false }) };
      await deleteAccount(db, passwords, maya, { password: 'any' }, { now: start, origin: null });
    });

    test('have no standing time', async () => {
      expect(await stored('SELECT * FROM standing_times')).toEqual([]);
    });

    test('are booked for nothing that is published later', async () => {
      await publish([second], {}, start + 1);

      expect(await booked()).toEqual([]);
    });
  });
});

describe('whoever waits', () => {
  const waitFor = async (actor: Actor, wish: object = {}) => {
    const input = parse(wishInput, { provider: 'host', ...wish });
    return (await addWish(db, { actor }, input, { now: start, origin: null })).id;
  };
  const wire = (date: string) => `${date.slice(5)}-${date.slice(0, 4)}`;
  const atTen = { after: '10:00', before: '10:30' };
  type Held = { at: number; who: string; until: number };
  const heldTimes = async () =>
    (await stored('SELECT starts_at AS at, booker_id AS who, held_until AS until FROM bookings WHERE status = 0')) as [
      Held,
    ];
  const endOfHold = async () => (await heldTimes())[0].until;
  const withdrawFirst = () => withdrawSlots(db, host, { date: first }, { now: start, key: 'away' });
  let june: Actor;
  beforeEach(async () => {
    june = await consumer('june');
  });

  describe.each<[string, string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['by hand', first, async () => {}, () => publish([first])],
    ['by hours', second, async () => {}, () => setHours(db, host, hours(), start)],
    ['by the job', third, () => setHours(db, host, hours(), start), () => carryHours(db, start + 7 * day)],
    ['again', first, () => publish([first]).then(withdrawFirst), () => bringBack(db, host, 'away', start)],
  ])('for what is published %s', (_, date, before, act) => {
    /** June waits for ten o'clock, which is a standing time; Maya for any time of that day. */
    beforeEach(async () => {
      await before();
      await set([{ from: date, until: date }]);
      const thatDay = { from: wire(date), to: wire(date) };
      await waitFor(june, { ...thatDay, ...atTen });
      await waitFor(maya, thatDay);
      await act();
    });

    test('leaves the standing time to whom it is', async () => {
      expect(await booked()).toEqual([at(date)]);
      expect(await missed()).toEqual([]);
    });

    test('has another time held', async () => {
      expect(await heldTimes()).toMatchObject([{ at: at(date, '09:00'), who: maya.accountId }]);
    });
  });

  describe('for a date of a standing time that is canceled', () => {
    beforeEach(async () => {
      await set([{}]);
      await setHours(db, host, hours(), start);
      await waitFor(june, { ...atTen, from: wire(first) });
      await cancelAt(at(first), start + 1);
    });
    async function setAgain() {
      await set([{}], card, start + 2);
      await setHours(db, host, hours(), start + 3);
    }

    test('has it held', async () => {
      expect(await heldTimes()).toMatchObject([{ at: at(first), who: june.accountId }]);
    });

    test('has it held when the standing time is set again', async () => {
      await setAgain();

      expect(await heldTimes()).toMatchObject([{ at: at(first), who: june.accountId }]);
    });

    test('leaves it free when the hold ends', async () => {
      await setAgain();

      await db.run(endHolds(await endOfHold()));

      expect(await heldTimes()).toEqual([]);
      expect(await booked()).toEqual([at(second)]);
      expect((await slotAt(at(first))).state).toBe(0);
    });

    test('does not make it a date that can’t be kept', async () => {
      await setAgain();

      await db.run(endHolds(await endOfHold()));

      expect(await missed()).toEqual([]);
    });
  });

  describe('and has a time held', () => {
    let wish: string;
    beforeEach(async () => {
      wish = await waitFor(june, atTen);
      await publish([first]);
    });

    test('keeps it from a standing time', async () => {
      await set([{}]);

      expect(await heldTimes()).toMatchObject([{ at: at(first), who: june.accountId }]);
      expect(await booked()).toEqual([]);
    });

    test('has the standing time told that it is taken', async () => {
      await set([{}]);

      expect(await missed()).toEqual([[first, 'taken']]);
    });

    // What comes free is not published: it waits for the provider, or for whoever waits.
    test('leaves it to no standing time when they give it up', async () => {
      await set([{}]);

      await removeWish(db, june, wish, start + 1);

      expect(await heldTimes()).toEqual([]);
      expect(await booked()).toEqual([]);
    });
  });

  describe('for what somebody else cancels, which is a standing time now', () => {
    beforeEach(async () => {
      await publish([first]);
      await bookAt(at(first));
      await set([{}]);
      await waitFor(june, atTen);
      await cancelAt(at(first), start + 3, maya, {});
    });

    test('has it held', async () => {
      expect(await heldTimes()).toMatchObject([{ at: at(first), who: june.accountId }]);
      expect(await booked()).toEqual([]);
    });

    test('leaves it to a standing time that is set after the hold', async () => {
      await db.run(endHolds(await endOfHold()));

      await set([{}], card, start + 4);

      expect(await booked(card)).toEqual([at(first)]);
      expect(await missed()).toEqual([]);
    });
  });
});

test.each([0, 350])('a provider without standing times pays one row for a publication of %i days', async (days) => {
  const spans = spansOf([{ provider: host.accountId, zone, from: first, to: addDays(first, days) }]);
  const before = db.tally.rowsRead;

  await db.run(bookStanding(spans, { now: start, act: 'none' }));

  expect(db.tally.rowsRead - before).toBe(1);
});
