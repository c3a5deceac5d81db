import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { carryHours } from '../../../app/domain/hours/carrying.server';
import type { Hours } from '../../../app/domain/hours/hours';
import { setHours } from '../../../app/domain/hours/hours.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { addDays, day, hour } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { tidyUp } from '../../../app/serve/serve.server';
import type { Db } from '../../../db/client';
import { StorageUnavailable } from '../../../db/errors';
import { counting } from '../../support/faulty-d1';
import { newBook, newDb, once, start, stored } from '../../support/history';
import { everyDay, plainlyWanted } from '../../support/plain-hours';
import { slotId } from '../../support/stored-bookings';

/* The hourly job publishes the next day of everyone's hours. */

const zone = 'America/Los_Angeles';
let db: Db;
let host: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook(zone));
});

const hours = (details: Partial<Hours> = {}): Hours => ({
  hours: everyDay('12:00', '13:00'),
  except: [],
  len: 30,
  gap: 0,
  ahead: 3,
  notes: 'Ring twice',
  templateId: null,
  ...details,
});
type Slot = { id: string; starts_at: number; ends_at: number; status: number };
const coming = (now: number) =>
  stored<Slot>('SELECT * FROM slots WHERE state = 0 AND starts_at > ? ORDER BY starts_at', now);
/** Expects of the book to come what the hours want, and no more. */
async function expectWanted(plan: Hours, now: number, timeZone = zone): Promise<void> {
  const from = todayIn(timeZone, now);
  const wanted = plainlyWanted(plan, timeZone, { from, to: addDays(from, plan.ahead), now });
  const times = (await coming(now)).map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at }));
  expect(times).toEqual(wanted.map(({ from, to }) => ({ from, to })));
}

describe('the job', () => {
  test.each([
    ['an hour', start + hour],
    ['a day', start + day],
    ['nine days', start + 9 * day],
  ])('publishes all days that are missing after %s', async (_, now) => {
    await setHours(db, host, hours(), start);

    expect(await carryHours(db, now)).toBe(false);

    await expectWanted(hours(), now);
  });

  test('publishes with the notes of the hours, in the zone of the provider', async () => {
    await setHours(db, host, hours(), start);

    await carryHours(db, start + 9 * day);

    const published = await stored('SELECT DISTINCT notes, time_zone FROM slots');
    expect(published).toEqual([{ notes: 'Ring twice', time_zone: zone }]);
  });

  test('changes nothing the second time', async () => {
    await setHours(db, host, hours(), start);
    await carryHours(db, start + 9 * day);
    const before = await stored('SELECT * FROM slots ORDER BY id');

    await carryHours(db, start + 9 * day);
    await carryHours(db, start + 9 * day + hour);

    expect(await stored('SELECT * FROM slots ORDER BY id')).toEqual(before);
  });

  describe('after the provider has gone to another zone', () => {
    let booked: Slot;
    beforeEach(async () => {
      await setHours(db, host, hours(), start);
      [booked] = (await coming(start)) as [Slot];
      await bookAppointment(db, guest, { id: booked.id, submitted: null }, start);
      await editProfile(db, host, { displayName: 'H', timeZone: 'Asia/Kolkata' }, start);

      await carryHours(db, start);
    });

    test('publishes by the clocks there', async () => {
      await expectWanted(hours(), start, 'Asia/Kolkata');
    });

    test('leaves what is booked', async () => {
      expect(await stored('SELECT id FROM slots WHERE state = 1')).toEqual([{ id: booked.id }]);
    });
  });

  test('looks again at a day once a booking that hours no longer wanted is canceled', async () => {
    await setHours(db, host, hours(), start);
    const [, second] = await coming(start);
    await bookAppointment(db, guest, { id: String(second?.id), submitted: null }, start);
    const later = hours({ hours: everyDay('12:15', '13:15') });
    await setHours(db, host, later, start);
    await cancelAppointment(db, guest, { id: String(second?.id), reason: null }, start);
    expect(await coming(start)).toHaveLength(6);

    await carryHours(db, start);

    await expectWanted(later, start);
  });

  describe('at 10,000 coming open slots', () => {
    const full = hours({ hours: everyDay('00:00', '16:40'), len: 5, ahead: 49 });
    beforeEach(async () => {
      await setHours(db, host, full, start);
      await stored(
        `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, publication)
          SELECT ${slotId('?1', '(?2 + value * 60000)')}, ?1, 'lisbon', ?2 + value * 60000, ?2 + value * 60000 + 60000, '2031-01-01', 'UTC', 'hand'
          FROM json_each(?3)`,
        host.accountId,
        start + 400 * day,
        JSON.stringify(Array.from({ length: 210 }, (_, place) => place)),
      );
    });

    test('publishes no more', async () => {
      const before = await coming(start + day);

      expect(await carryHours(db, start + day)).toBe(false);
      expect(await coming(start + day)).toEqual(before);
    });

    test('goes on when there is room', async () => {
      await carryHours(db, start + day);
      await withdrawSlots(db, host, { publication: 'hand' }, once(start));

      expect(await carryHours(db, start + 2 * day)).toBe(false);
      await expectWanted(full, start + 2 * day);
    });
  });
});

describe('many providers with hours', () => {
  const plan = JSON.stringify({ hours: everyDay('09:00', '17:00'), except: [], len: 30, gap: 0, ahead: 28 });
  const zones = ['UTC', 'Europe/Lisbon', 'Asia/Kolkata', 'Australia/Lord_Howe'];
  const [day28, day29] = [28, 29].map((days) => addDays(todayIn('UTC', start), days));

  async function makeProviders(many: number): Promise<void> {
    const list = Array.from({ length: many }, (_, place) => {
      const timeZone = zones[place % zones.length] as string;
      return [`host-${place}`, timeZone, addDays(todayIn(timeZone, start), 27)];
    });
    await stored(
      `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, password_hash,
          role, time_zone, city, created_at)
        SELECT value ->> 0, value ->> 0, value ->> 0, 'H', 'h', 'h', '', 'Provider', value ->> 1, 'lisbon', 1 FROM json_each(?)`,
      JSON.stringify(list),
    );
    await stored(
      `INSERT INTO hours (provider_id, plan, version, carried_to, next_at)
        SELECT value ->> 0, ?, 'v', value ->> 2, 1 FROM json_each(?)`,
      plan,
      JSON.stringify(list),
    );
  }
  /** Each of them has one day more: 16 slots, on one of two dates. */
  const expectCarried = async (many: number) =>
    expect(
      await stored(
        'SELECT count(*) AS slots, count(DISTINCT provider_id) AS providers, min(local_date) AS first, max(local_date) AS last FROM slots',
      ),
    ).toEqual([{ slots: many * 16, providers: many, first: day28, last: day29 }]);

  test('are carried on a day for few rows in few runs', async () => {
    const many = 2000;
    await makeProviders(many);
    const before = { ...db.tally };

    let runs = 1;
    while (await carryHours(db, start)) runs += 1;

    await expectCarried(many);
    const { statements, rowsRead, rowsWritten } = db.tally;
    expect(runs, 'runs').toBeLessThanOrEqual(8);
    expect((statements - before.statements) / runs, 'statements of a run').toBeLessThan(20);
    expect((rowsRead - before.rowsRead) / many, 'rows read for each').toBeLessThan(310);
    expect((rowsWritten - before.rowsWritten) / many, 'rows written for each').toBeLessThan(74);
  }, 120_000);

  describe('take the hourly job no more than the 50 queries of the free plan', () => {
    /** Runs the whole job. @returns how many queries it sends */
    async function queriesOfJob(): Promise<number> {
      const clock = vi.spyOn(Date, 'now').mockReturnValue(start);
      onTestFinished(() => clock.mockRestore());
      const DB = counting(env.DB as unknown as D1Database);
      await tidyUp({ DB, PLAIN_HTTP: undefined });
      return DB.queries;
    }
    /** Their hours are published from the beginning. */
    const beginAnew = (ids: string[], changed = plan) =>
      stored(
        "UPDATE hours SET carried_to = '', plan = ? WHERE provider_id IN (SELECT value FROM json_each(?))",
        changed,
        JSON.stringify(ids),
      );
    beforeEach(() => makeProviders(400));

    test('where two full steps are due', async () => {
      expect(await queriesOfJob()).toBeLessThanOrEqual(50);
      expect(await stored('SELECT DISTINCT provider_id FROM slots')).toHaveLength(300);
    });

    test('where some begin anew', async () => {
      await beginAnew(['host-0', 'host-1', 'host-2']);

      expect(await queriesOfJob()).toBeLessThanOrEqual(50);
      expect(await stored('SELECT DISTINCT provider_id FROM slots')).toHaveLength(151);
    });

    test('where somebody who begins anew has too many times', async () => {
      const tooMany = JSON.stringify({ hours: everyDay('00:00', '23:55'), except: [], len: 5, gap: 0, ahead: 60 });
      await beginAnew(['host-0'], tooMany);

      expect(await queriesOfJob()).toBeLessThanOrEqual(50);
      expect(await stored('SELECT DISTINCT provider_id FROM slots')).toHaveLength(150);
    });
  });

  describe('whose job stops anywhere', () => {
    const many = 600;
    /** Carries the hours on with a database that fails at this trip. */
    async function stopAt(trip: number) {
      const broken = newDb();
      const run = broken.run.bind(broken);
      let trips = 0;
      const breaking = (...queries: never[]) =>
        ++trips === trip ? Promise.reject(new StorageUnavailable('gone')) : run(...queries);
      broken.run = breaking as typeof broken.run;
      await expect(carryHours(broken, start)).rejects.toThrow('gone');
    }
    /** Four of each hundred, one of each zone, have ten o'clock of both days as somebody's standing time. */
    const addStandingTimes = () =>
      env.DB.prepare(
        `INSERT INTO standing_times (provider_id, id, person_id, booker_id, day, minute, weeks, from_date, set_at)
          SELECT accounts.id, accounts.id || value, accounts.id || '-card', ?1, (strftime('%w', ?2) + value) % 7, 600, 1, '2020-01-01', 1
          FROM accounts, json_each('[0, 1]') WHERE accounts.id GLOB 'host-*0[0-3]'`,
      )
        .bind(host.accountId, day28)
        .run();
    beforeEach(async () => {
      await makeProviders(many);
      await addStandingTimes();
      for (const trip of [1, 2, 3, 4, 5]) await stopAt(trip);

      while (await carryHours(db, start));
    }, 120_000);

    test('are carried on by the next run', async () => {
      await expectCarried(many);
      expect(await stored('SELECT DISTINCT carried_to FROM hours')).toHaveLength(2);
    });

    // Each of them publishes one of the two days.
    test('have each standing time booked once', async () => {
      const [bookings] = await stored(`SELECT count(*) AS booked, count(DISTINCT provider_id || local_date) AS dates,
        count(DISTINCT standing_id) AS times, sum(standing_id IS NULL) AS others FROM bookings`);

      expect(bookings).toEqual({ booked: 20, dates: 20, times: 20, others: 0 });
    });

    test('have no standing time that can’t be kept', async () => {
      expect(await stored("SELECT id FROM standing_times WHERE missed <> '[]'")).toEqual([]);
    });
  });
});
