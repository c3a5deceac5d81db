import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { carryHours } from '../../../app/domain/hours/carrying.server';
import type { HoursInput } from '../../../app/domain/hours/hours';
import { findHours, listExistingSlots, previewHours, setHours } from '../../../app/domain/hours/hours.server';
import { picture } from '../../../app/domain/hours/picture';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { Service } from '../../../app/domain/services/services';
import { createService } from '../../../app/domain/services/services.server';
import { deleteService } from '../../../app/domain/slots/delete-service.server';
import { editService } from '../../../app/domain/slots/edit-service.server';
import { bringBack, withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays, day, hour, localTimeOf, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { deleteFrom, newBook, once, publishTimes, start, stored, year } from '../../support/history';
import { anyPlan, everyDay, plainlyWanted } from '../../support/plain-hours';

/* The book becomes what hours want, whatever stands in it. */

const zone = 'America/Los_Angeles';
let db: Db;
let host: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook(zone));
});

const today = todayIn(zone, start);
const tomorrow = addDays(today, 1);
const hours = (details: Partial<HoursInput> = {}): HoursInput => ({
  hours: everyDay('12:00', '13:00'),
  except: [],
  len: null,
  gap: null,
  ahead: 3,
  notes: null,
  templateId: null,
  ...details,
});
const set = (details?: Partial<HoursInput>, now = start) => setHours(db, host, hours(details), now);

type Slot = {
  id: string;
  starts_at: number;
  ends_at: number;
  state: number;
  notes: string | null;
  template_id: string | null;
  made_by: number;
  local_date: string;
  seats: number;
  service_id: string | null;
};
const slots = (more = '') => stored<Slot>(`SELECT * FROM slots ${more} ORDER BY starts_at`);
const openSlots = () => slots('WHERE state = 0');
const questions = [{ questionText: 'Why?', questionType: 2 as const, options: null, required: false }];
const template = (key: string) =>
  createTemplate(db, host, { displayName: key, questions }, { now: start, key }).then(({ id }) => id);

describe('times that are withdrawn before hours close their day, and then brought back,', () => {
  const closed = { except: [{ date: tomorrow, hours: [] }] };
  const ofTomorrow = () => slots(`WHERE local_date = '${tomorrow}' AND state = 0`);
  beforeEach(async () => {
    await set();
    await withdrawSlots(db, host, { date: tomorrow }, { now: start, key: 'away' });
    await set(closed);
    await bringBack(db, host, 'away', start);
  });

  test('stay when hours begin anew', async () => {
    await db.run(orm.run(sql`UPDATE hours SET carried_to = '', next_at = 0`));
    await carryHours(db, start);

    expect(await ofTomorrow()).toHaveLength(2);
  });

  test('stay when hours are saved again', async () => {
    await set({ ...closed, notes: 'Ring twice.' });

    expect(await ofTomorrow()).toHaveLength(2);
  });
});

test('times that are brought back while hours want them go with these hours', async () => {
  await set();
  await withdrawSlots(db, host, { date: tomorrow }, { now: start, key: 'away' });
  await bringBack(db, host, 'away', start);
  await set({ except: [{ date: tomorrow, hours: [] }] });

  expect(await slots(`WHERE local_date = '${tomorrow}' AND state = 0`)).toEqual([]);
});

describe('setting hours', () => {
  test('publishes what they want', async () => {
    expect(await set()).toEqual({ created: 8, withdrawn: 0, canceled: 0 });
    expect(await openSlots()).toHaveLength(8);
  });

  test('is previewed', async () => {
    expect(await previewHours(db, host, hours(), start)).toMatchObject({ created: 8, withdrawn: 0, outsideCount: 0 });
    expect(await slots()).toEqual([]);
  });

  test('publishes the new ones at once, also where it cancels what is outside of them', async () => {
    await set();
    const [booked] = (await openSlots()) as [Slot];
    await bookAppointment(db, guest, { id: booked.id, submitted: null }, start);
    const later = hours({ hours: everyDay('14:00', '15:00') });

    const done = await setHours(db, host, later, start, 'a key', { ids: [booked.id], reason: null });

    expect(done).toEqual({ created: 8, withdrawn: 7, canceled: 1 });
    expect(await openSlots()).toHaveLength(8);
  });

  test('saves them', async () => {
    await set();

    expect(await findHours(db, host)).toEqual(hours({ len: 30, gap: 0 }));
  });

  test('changes nothing the second time', async () => {
    await set();
    const before = await slots();

    expect(await set()).toEqual({ created: 0, withdrawn: 0, canceled: 0 });
    expect(await slots()).toEqual(before);
  });

  describe.each([
    ['setting', setHours],
    ['previewing', previewHours],
  ])('that is refused, when %s,', (_, ask) => {
    let before: Slot[];
    beforeEach(async () => {
      await set();
      before = await slots();
    });
    afterEach(async () => {
      expect(await slots(), 'the book stays').toEqual(before);
      expect(await findHours(db, host), 'the hours stay').toEqual(hours({ len: 30, gap: 0 }));
    });

    test('needs a session that has not ended', async () => {
      const loggedOut = { ...host, sessionId: 'gone' };

      await expect(ask(db, loggedOut, hours({ hours: [] }), start)).rejects.toThrow(/not logged in/);
    });

    test('needs a template that is there', async () => {
      const without = hours({ hours: [], templateId: 'none' });

      await expect(ask(db, host, without, start)).rejects.toThrow(/not there any more/);
    });
  });

  describe('beside slots published by hand', () => {
    beforeEach(() => publishTimes(db, host, { start: '12:15', end: '12:45', dates: [tomorrow] }));
    /** Sets the hours, and books the slot that they publish after the one by hand. */
    async function setAndBook() {
      await set();
      const [, , , chosen] = await openSlots();
      await bookAppointment(db, guest, { id: String(chosen?.id), submitted: null }, start);
      return chosen as Slot;
    }

    test('takes no time from them', async () => {
      expect(await set()).toEqual({ created: 6, withdrawn: 0, canceled: 0 });
    });

    test('withdraws neither them nor what is booked', async () => {
      const booked = await setAndBook();

      expect(await set({ hours: [] })).toEqual({ created: 0, withdrawn: 5, canceled: 0 });

      const [byHand, other, ...none] = await slots();
      expect(byHand).toMatchObject({ state: 0, made_by: 0 });
      expect(other).toMatchObject({ id: booked.id, state: 1, made_by: 2 });
      expect(none).toEqual([]);
    });

    test('previews what is booked outside of them', async () => {
      const booked = await setAndBook();

      const preview = await previewHours(db, host, hours({ hours: [] }), start);

      const outside = [{ id: booked.id, startsAt: booked.starts_at }];
      expect(preview).toMatchObject({ withdrawn: 5, outsideCount: 1, outside });
    });
  });

  test('gives open slots other notes without publishing them again', async () => {
    await set();
    const before = await openSlots();

    expect(await set({ notes: 'Ring twice' })).toEqual({ created: 0, withdrawn: 0, canceled: 0 });
    expect(await openSlots()).toEqual(before.map((slot) => ({ ...slot, notes: 'Ring twice' })));
  });

  test('gives open slots other questions without publishing them again', async () => {
    const templateId = await template('asked');
    await set();
    const before = await openSlots();

    expect(await set({ templateId })).toEqual({ created: 0, withdrawn: 0, canceled: 0 });
    expect(await openSlots()).toEqual(before.map((slot) => ({ ...slot, template_id: templateId })));
  });

  describe('sent twice with one key', () => {
    const send = (details?: Partial<HoursInput>) => setHours(db, host, hours(details), start, 'sent twice');
    const later = { hours: everyDay('12:30', '13:30') };

    test('says again what it did', async () => {
      const done = await send();

      expect(done).toEqual({ created: 8, withdrawn: 0, canceled: 0 });
      expect(await send()).toEqual(done);
    });

    test('changes nothing the second time', async () => {
      await send();
      await send(later);
      const before = await slots();

      expect(await send(later)).toEqual({ created: 4, withdrawn: 4, canceled: 0 });
      expect(await slots()).toEqual(before);
    });

    test('is made when it is another change', async () => {
      await send();

      expect(await send(later)).toEqual({ created: 4, withdrawn: 4, canceled: 0 });
    });

    test('is made when it is the first change once more', async () => {
      await send();
      await send(later);

      expect(await send()).toEqual({ created: 4, withdrawn: 4, canceled: 0 });
    });
  });

  describe('to nearly 10,000 coming open slots', () => {
    const full = { hours: everyDay('00:00', '16:40'), len: 5 };
    const extentOfBook = async () => (await stored('SELECT count(*) AS count, max(starts_at) AS last FROM slots'))[0];

    test('is done', async () => {
      expect(await set({ ...full, ahead: 49 })).toEqual({ created: 9_863, withdrawn: 0, canceled: 0 });
    });

    test.each([
      ['previewed', previewHours],
      ['set', setHours],
    ])('is refused when more are %s', async (_, ask) => {
      await set({ ...full, ahead: 49 });
      const before = await extentOfBook();

      const more = ask(db, host, hours({ ...full, ahead: 50 }), start);

      await expect(more).rejects.toThrow(/at most 10,000 free times/);
      expect(await extentOfBook()).toEqual(before);
    });

    test('may be followed by fewer', async () => {
      await set({ ...full, ahead: 49 });

      expect(await set({ ...full, ahead: 48 })).toEqual({ created: 0, withdrawn: 200, canceled: 0 });
      expect(await findHours(db, host)).toMatchObject({ ahead: 48 });
    });
  });
});

describe('hours for services', () => {
  const usual = {
    price: null,
    deposit: null,
    description: null,
    templateId: null,
    isOffered: true,
    gap: 0,
    minutes: 30,
    seats: 1,
  };
  const make = (details: Partial<Service>) =>
    createService(
      db,
      host,
      { ...usual, name: crypto.randomUUID(), where: 'here', link: null, ...details },
      once(start),
    );
  type ShownSlot = { time: string; minutes: number; seats: number; service: string | null };
  /** The open slots of the last day. */
  const slotsOfLastDay = async (): Promise<ShownSlot[]> => {
    const open = await openSlots();
    const last = open.at(-1)?.local_date;
    return open
      .filter(({ local_date }) => local_date === last)
      .map(({ starts_at, ends_at, seats, service_id }) => {
        const minutes = (ends_at - starts_at) / minute;
        return { time: localTimeOf(starts_at, zone), minutes, seats, service: service_id };
      });
  };

  test('counts no time that is kept free after a service', async () => {
    const { id: cut } = await make({ minutes: 30, gap: 15 });
    await set();
    const lastOfDay = (await openSlots())[1] as Slot;
    await bookAppointment(db, guest, { id: lastOfDay.id, submitted: null, service: cut }, start);
    const longer = hours({ hours: everyDay('12:00', '14:00') });
    const before = (await openSlots()).length;

    expect(await previewHours(db, host, longer, start)).toMatchObject({ created: 7 });
    expect(await setHours(db, host, longer, start)).toMatchObject({ created: 7 });
    expect((await openSlots()).length - before).toBe(7);
  });

  test('draws no more new times than it counts', async () => {
    const { id: cut } = await make({ minutes: 30, gap: 15 });
    await set();
    const lastOfDay = (await openSlots())[1] as Slot;
    await bookAppointment(db, guest, { id: lastOfDay.id, submitted: null, service: cut }, start);
    const longer = hours({ hours: everyDay('12:00', '14:00') });
    const { wanted, created } = await previewHours(db, host, longer, start);

    const existing = await listExistingSlots(db, host, longer.ahead, start);

    const bars = picture(wanted, existing, { hours: longer, zone, now: start }).flatMap(({ days }) =>
      days.flatMap((day) => day.bars),
    );
    expect(bars.filter(({ kind }) => kind === 'new')).toHaveLength(created);
  });

  describe('that has a length, a gap, seats and questions,', () => {
    let templateId: string;
    let yoga: string;
    beforeEach(async () => {
      templateId = await template('asked');
      yoga = (await make({ minutes: 20, gap: 10, seats: 8, templateId })).id;
      await set({ serviceId: yoga });
    });

    test('are cut by its length, with its gap and seats', async () => {
      expect(await slotsOfLastDay()).toEqual([
        { time: '12:00', minutes: 20, seats: 8, service: yoga },
        { time: '12:30', minutes: 20, seats: 8, service: yoga },
      ]);
    });

    test('ask its questions', async () => {
      const asked = (await slots()).map(({ template_id }) => template_id);

      expect(new Set(asked)).toEqual(new Set([templateId]));
    });

    test('are shown with its length and gap', async () => {
      expect(await findHours(db, host)).toMatchObject({ serviceId: yoga, len: 20, gap: 10 });
    });

    test('change nothing when they are set again', async () => {
      const before = await slots();

      expect(await set({ serviceId: yoga })).toEqual({ created: 0, withdrawn: 0, canceled: 0 });
      expect(await slots()).toEqual(before);
    });

    test('are carried on by the job', async () => {
      const before = await slots();

      await carryHours(db, start + day);

      expect(await slots()).toHaveLength(before.length + 2);
    });

    test('follow a change of it at the next job', async () => {
      await carryHours(db, start + day);
      await editService(db, host, { id: yoga, change: { minutes: 60, seats: 5 } }, start + day + hour);

      await carryHours(db, start + day + hour);

      expect(await slotsOfLastDay()).toEqual([{ time: '12:00', minutes: 60, seats: 5, service: yoga }]);
    });
  });

  describe('of which a range is for a class', () => {
    let yoga: string;
    let ranges: HoursInput['hours'];
    beforeEach(async () => {
      yoga = (await make({ minutes: 60, seats: 8 })).id;
      ranges = [...everyDay('09:00', '10:00'), ...everyDay('18:00', '19:00', yoga)];
    });

    test('have free time beside it', async () => {
      await set({ hours: ranges });

      expect(await slotsOfLastDay()).toEqual([
        { time: '09:00', minutes: 30, seats: 1, service: null },
        { time: '09:30', minutes: 30, seats: 1, service: null },
        { time: '18:00', minutes: 60, seats: 8, service: yoga },
      ]);
    });

    test('have it on other dates too', async () => {
      const other = [{ start: '07:00', end: '09:00', serviceId: yoga }];

      await set({ hours: ranges, except: [{ date: `${year}-01-01`, to: `${year + 9}-12-31`, hours: other }] });

      expect(await slotsOfLastDay()).toEqual([
        { time: '07:00', minutes: 60, seats: 8, service: yoga },
        { time: '08:00', minutes: 60, seats: 8, service: yoga },
      ]);
    });
  });

  test('keep it from being deleted', async () => {
    const { id } = await make({});
    await set({ hours: everyDay('09:00', '09:10', id) });

    await expect(deleteService(db, host, id, start)).rejects.toThrow('Your hours are for this service.');
  });

  test('let it be deleted when they are for it no longer', async () => {
    const { id } = await make({});
    await set({ hours: everyDay('09:00', '09:10', id) });
    await set({ hours: [] });

    await expect(deleteService(db, host, id, start)).resolves.not.toThrow();
  });

  describe('that go while people come to a class', () => {
    let yoga: string;
    let booking: { id: string };
    let taken: Slot;
    let others: Slot[];
    beforeEach(async () => {
      yoga = (await make({ seats: 8 })).id;
      await set({ serviceId: yoga });
      const [first] = (await slots()) as [Slot];
      booking = await bookAppointment(db, guest, { id: first.id, submitted: null }, start);
      [taken, ...others] = (await slots()) as [Slot, ...Slot[]];
    });

    test('leave that class alone', async () => {
      expect(await set({ hours: [] })).toEqual({ created: 0, withdrawn: others.length, canceled: 0 });
      expect(await slots()).toEqual([{ ...taken, made_by: 2 }]);
    });

    test('keep every other time when the last person leaves that class', async () => {
      await set({ serviceId: yoga, hours: everyDay('12:30', '13:00') });
      const wanted = await slots('WHERE made_by = 1');

      await cancelAppointment(db, guest, { id: booking.id, reason: null }, start);

      expect(wanted).toHaveLength(4);
      expect(await slots()).toEqual(wanted);
    });

    test('have it withdrawn by the next job when they cancel', async () => {
      await set({ hours: [] });
      await cancelAppointment(db, guest, { id: booking.id, reason: null }, start);

      await carryHours(db, start + 1);

      expect(await slots()).toEqual([]);
    });
  });
});

describe('hours of 112 slots', () => {
  const week = (from: number): Partial<HoursInput> => ({
    hours: [],
    except: [{ date: addDays(today, from), to: addDays(today, from + 6), hours: [{ start: '09:00', end: '17:00' }] }],
    ahead: 28,
  });
  const steps: [
    string,
    { before: Partial<HoursInput>[]; act: () => Promise<unknown>; read: number; written: number },
  ][] = [
    [
      'when they are previewed',
      { before: [], act: () => previewHours(db, host, hours(week(2)), start), read: 459, written: 0 },
    ],
    ['when they are new', { before: [], act: () => set(week(2)), read: 2380, written: 479 }],
    ['when they are set again', { before: [week(2)], act: () => set(week(2)), read: 2831, written: 3 }],
    ['when they begin a day later', { before: [week(2), week(2)], act: () => set(week(3)), read: 2975, written: 88 }],
  ];
  describe.each(steps)('%s', (_, { before, act, read, written }) => {
    /** What the act costs, after the hours before it. */
    async function costs() {
      for (const earlier of before) await set(earlier);
      const { trips, rowsRead, rowsWritten } = { ...db.tally };
      await act();
      const { tally } = db;
      return {
        trips: tally.trips - trips,
        rowsRead: tally.rowsRead - rowsRead,
        rowsWritten: tally.rowsWritten - rowsWritten,
      };
    }

    test('cost one round trip', async () => {
      expect((await costs()).trips).toBe(1);
    });

    // Which slot of a day goes first is chance, and so is a row here and there.
    test(`read about ${read} rows`, async () => {
      expect(Math.abs((await costs()).rowsRead - read)).toBeLessThan(25);
    });

    test(`write about ${written} rows`, async () => {
      expect(Math.abs((await costs()).rowsWritten - written)).toBeLessThan(25);
    });
  });
});

describe('any hours, in any book', () => {
  const what = fc.constantFrom('book', 'withdraw', 'cancel', 'call off', 'hand');
  const inBook = fc.record({ what, at: fc.nat(999) });
  const change = fc.record({ plan: anyPlan(today), later: fc.nat(30), between: fc.array(inBook, { maxLength: 6 }) });

  type Event = { what: string; at: number };
  /** Books, withdraws, cancels or publishes something by hand, if there is anything to do it with. */
  async function act({ what, at }: Event, now: number, key: string): Promise<void> {
    if (what === 'hand') {
      const dates = [addDays(todayIn(zone, now), at % 9)];
      await publishTimes(db, host, { start: '11:10', end: '13:00', dates, len: 45 }, { now, key });
      return;
    }
    const state = what === 'book' || what === 'withdraw' ? 0 : 1;
    const coming = await slots(`WHERE state = ${state} AND starts_at > ${now}`);
    const chosen = coming[at % Math.max(1, coming.length)];
    if (!chosen) return;
    if (what === 'book') await bookAppointment(db, guest, { id: chosen.id, submitted: null }, now);
    if (what === 'withdraw') await withdrawSlots(db, host, { ids: [chosen.id] }, once(now));
    if (what === 'cancel') await cancelAppointment(db, guest, { id: chosen.id, reason: null }, now);
    if (what === 'call off') await cancelAppointment(db, host, { id: chosen.id, reason: null }, now);
  }

  const datesIn = (table: string) => stored(`SELECT DISTINCT local_date AS date FROM ${table} ORDER BY date`);

  test('are in it afterwards what they want, less what is taken', async () => {
    const books = Math.ceil(Number(env.CASES) / 25);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        await deleteFrom(['bookings', 'messages', 'slots', 'open_days', 'city_days', 'hours', 'one_time_keys']);
        let now = start;
        for (const [place, { plan, later, between }] of changes.entries()) {
          now += later * hour;
          for (const [n, event] of between.entries()) await act(event, now, `${place} ${n} ${now}`);
          const before = await slots();
          const isOfHours = (slot: Slot) => slot.state === 0 && slot.made_by > 0 && slot.starts_at > now;
          const taken = before.filter((slot) => !isOfHours(slot));
          const from = todayIn(zone, now);
          const wanted = plainlyWanted(plan, zone, { from, to: addDays(from, plan.ahead), now }).filter(
            ({ from, to }) => !taken.some((slot) => slot.starts_at < to && from < slot.ends_at),
          );
          const isWanted = (slot: Slot) =>
            wanted.some(({ from, to }) => from === slot.starts_at && to === slot.ends_at);
          const staying = before.filter((slot) => isOfHours(slot) && isWanted(slot)).length;
          const expected = {
            created: wanted.length - staying,
            withdrawn: before.filter(isOfHours).length - staying,
          };

          const preview = await previewHours(db, host, hours(plan), now);
          expect(preview, 'a preview says what will be done').toMatchObject(expected);

          const done = await set(plan, now);
          expect(done, 'setting hours says what it did').toEqual({ ...expected, canceled: 0 });

          const after = await slots();
          const timesOfHours = after
            .filter(isOfHours)
            .map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at }));
          const wantedTimes = wanted.map(({ from, to }) => ({ from, to }));
          expect(timesOfHours, 'the book has what hours want').toEqual(wantedTimes);

          const othersIn = (list: Slot[]) =>
            list.filter((slot) => !isOfHours(slot)).map(({ id, state }) => ({ id, state }));
          expect(othersIn(after), 'what is no open slot of hours stays').toEqual(othersIn(before));

          const again = await set(plan, now);
          expect(again, 'the same hours change nothing').toEqual({ created: 0, withdrawn: 0, canceled: 0 });

          const openDates = await datesIn('slots WHERE state = 0');
          expect(await datesIn('open_days'), 'open days are the days of open slots').toEqual(openDates);
          made += wanted.length;
        }
      }),
      { numRuns: books },
    );
    expect(made).toBeGreaterThan(10 * books);
  }, 900_000);
});
