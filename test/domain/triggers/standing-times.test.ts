import { expect } from 'vitest';
import { stored } from '../../support/history';
import { at, bookedSlot, cancel, dateAt, now, openBook, slot, toldTo } from '../../support/trigger-book';
import { keeps, put, type Row, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/standing-times.sql, one by one. */

/** Each week at this time is Ana's. */
const standing = (details: Row = {}) =>
  put('standing_times', {
    provider_id: 'host',
    id: 'weekly',
    person_id: 'ana',
    booker_id: 'ana',
    day: 1,
    minute: 9 * 60,
    weeks: 1,
    from_date: dateAt(0),
    set_at: now,
    ...details,
  });
const claimBy = (procedure: string) => (hours: number) =>
  put(procedure, {
    provider_id: 'host',
    standing_id: 'weekly',
    local_date: dateAt(hours),
    starts_at: at(hours),
    now,
    told_with: 'all',
  });
const claim = claimBy('standing_dates');
const count = claimBy('booked_dates');
const miss = claimBy('missed_dates');

/** How many dates the message about all of them counts. */
const countOfDates = () => valuesOf("SELECT data ->> 'count' FROM messages WHERE account_id = 'ana'");

const missed = (hours: number) => ({ date: dateAt(hours), why: 'taken', start: at(hours) });
const listIn = async (sql: string) => JSON.parse(`${(await valuesOf(sql))[0]}`);
const missedDates = () => listIn('SELECT missed FROM standing_times');

keeps('booked_dates_are_counted', 'one message counts all dates that are booked', async () => {
  await openBook();
  await standing();

  for (const hours of [0, 7 * 24]) {
    await slot(hours);
    await claim(hours);
  }

  expect(await countOfDates()).toEqual([2]);
});

keeps('booked_dates_are_counted', 'a date that is booked is missed no longer', async () => {
  await openBook();
  await standing({ missed: JSON.stringify([missed(0), missed(7 * 24)]) });

  await count(0);

  expect(await missedDates()).toEqual([missed(7 * 24)]);
});

keeps('missed_dates_are_told', 'a provider is told once of a missed date', async () => {
  await openBook();
  await bookedSlot(0, 'bo');
  await standing();

  for (const _ of [1, 2]) await miss(0);

  expect(await missedDates()).toEqual([missed(0)]);
  expect(await listIn("SELECT data -> 'dates' FROM messages WHERE kind = 'missed'")).toEqual([missed(0)]);
});

keeps('missed_dates_are_told', 'dates that are not published yet are not missed', async () => {
  await openBook();
  await standing();
  await bookedSlot(0, 'bo');

  for (const hours of [0, 7 * 24]) await miss(hours);

  expect(await missedDates()).toEqual([missed(0)]);
});

keeps('standing_dates_are_booked', 'a date of a standing time is booked', async () => {
  await openBook();
  await slot(0);
  await standing();

  await claim(0);

  expect(await stored('SELECT starts_at, booker_id, standing_id FROM bookings')).toEqual([
    { starts_at: at(0), booker_id: 'ana', standing_id: 'weekly' },
  ]);
  expect(await countOfDates()).toEqual([1]);
});

keeps('standing_dates_are_booked', 'a date that somebody else has is missed', async () => {
  await openBook();
  await bookedSlot(0, 'bo');
  await standing();

  await claim(0);

  expect(await toldTo('host')).toEqual(['booked', 'missed']);
});

keeps('standing_dates_are_booked', 'a date that was canceled is not booked again', async () => {
  await openBook();
  await slot(0);
  await standing();
  await claim(0);
  await cancel(0);

  await claim(0);

  expect(await valuesOf('SELECT status FROM bookings')).toEqual([2]);
});
