import { expect } from 'vitest';
import { stored } from '../../support/history';
import { at, book, bookedSlot, cancel, dateAt, idAt, now, openBook, slot, stateAt } from '../../support/trigger-book';
import { keeps, put, run, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/slots.sql, one by one. */

const openDays = () => stored('SELECT local_date, first_at, last_at, free_at FROM open_days');
const openDay = (first: number, last: number, free: number | null = null) => [
  { local_date: dateAt(first), first_at: at(first), last_at: at(last), free_at: free },
];
const cityDays = (city: string) => stored('SELECT first_at, last_at FROM city_days WHERE city = ?', city);
const starts = () => valuesOf('SELECT starts_at FROM slots ORDER BY starts_at');
const withdraw = (hours: number) =>
  run('UPDATE slots SET state = 2, withdrawn_at = ? WHERE starts_at = ?', now, at(hours));
/** As the product does: with another id. */
const bringBack = (hours: number) =>
  run("UPDATE slots SET state = 0, withdrawn_at = NULL, id = replace(id, '-', '+') WHERE starts_at = ?", at(hours));
const dentist = (hours: number) =>
  put('busy_times', { provider_id: 'host', source: 'dentist', starts_at: at(hours), ends_at: at(hours + 1) });

keeps('slots_begin_open', 'no slot begins as a withdrawn one', async () => {
  await openBook();

  await expect(slot(0, { state: 2 })).rejects.toThrow(/slot_begins_open/);
});

keeps('slots_begin_open', 'no slot lasts longer than a day', async () => {
  await openBook();

  await expect(slot(0, { ends_at: at(24) + 1 })).rejects.toThrow(/slot_lasts_a_day_at_most/);
});

keeps('slots_begin_free', 'no slot begins within another', async () => {
  await openBook();
  await slot(0, { ends_at: at(2) });

  await slot(1);

  expect(await starts()).toEqual([at(0)]);
});

keeps('slots_begin_free', 'no slot reaches into a later one', async () => {
  await openBook();
  await slot(1);

  await slot(0, { ends_at: at(2) });

  expect(await starts()).toEqual([at(1)]);
});

keeps('slots_begin_free', 'no slot begins in the gap after a service', async () => {
  await openBook();
  await bookedSlot(0, 'ana', { taken_until: at(1.5) });

  await slot(1);

  expect(await starts()).toEqual([at(0)]);
});

keeps('slots_begin_free', 'a new slot replaces withdrawn time under it', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) {
    await slot(hours);
    await withdraw(hours);
  }

  await slot(0.5);

  expect(await starts()).toEqual([at(0.5), at(2)]);
});

keeps('days_open_with_their_slots', 'a day knows its first and last open slot', async () => {
  await openBook();

  for (const hours of [1, 3, 0, 2]) await slot(hours);

  expect(await openDays()).toEqual(openDay(0, 3));
});

keeps('days_close_with_their_slots', 'a day knows its last slot when that closes', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);

  await withdraw(2);

  expect(await openDays()).toEqual(openDay(0, 1));
});

keeps('days_close_with_their_slots', 'a day without open slots is not open', async () => {
  await openBook();
  await slot(0);

  await withdraw(0);

  expect(await openDays()).toEqual([]);
});

keeps('slots_open_their_day', 'a day with a slot is open', async () => {
  await openBook();

  await slot(0);

  expect(await openDays()).toEqual(openDay(0, 0));
});

keeps('slots_open_their_day', 'a new slot in a busy time is busy', async () => {
  await openBook();
  await dentist(0);

  await slot(0);

  expect(await valuesOf('SELECT is_busy FROM slots')).toEqual([1]);
});

keeps('city_days_reach_their_slots', 'a city knows when its days begin and end', async () => {
  await openBook();

  await slot(1);
  await slot(2, { provider_id: 'other' });
  await slot(0, { provider_id: 'other' });

  expect(await cityDays('lisbon')).toEqual([{ first_at: at(0), last_at: at(2) }]);
});

keeps('slots_begin_in_their_city', 'a city knows of a new slot', async () => {
  await openBook();

  await slot(0);

  expect(await cityDays('lisbon')).toEqual([{ first_at: at(0), last_at: at(0) }]);
});

keeps('slots_open_in_their_city', 'a city knows of slots that move into it', async () => {
  await openBook();
  await slot(0);

  await run("UPDATE slots SET city = 'porto'");

  expect(await cityDays('porto')).toEqual([{ first_at: at(0), last_at: at(0) }]);
});

keeps('slots_open_in_their_city', 'a city knows of slots that are brought back', async () => {
  await openBook();
  await slot(0);
  await withdraw(0);
  await run('DELETE FROM city_days');

  await bringBack(0);

  expect(await cityDays('lisbon')).toEqual([{ first_at: at(0), last_at: at(0) }]);
});

keeps('slots_stay_where_they_are', 'a slot stays at its time', async () => {
  await openBook();
  await slot(0);

  await expect(run('UPDATE slots SET ends_at = ends_at + 1')).rejects.toThrow(/slot_keeps_its_time/);
});

keeps('slots_stay_where_they_are', 'a booked slot keeps its questions', async () => {
  await openBook();
  await put('templates', {
    id: 'asked',
    provider_id: 'host',
    display_name: 'Asked',
    questions: '[]',
    listed_at: 0,
    created_at: 0,
  });
  await bookedSlot(0, 'ana');

  await expect(run("UPDATE slots SET template_id = 'asked'")).rejects.toThrow(/slot_keeps_its_questions/);
});

keeps('slots_stay_where_they_are', 'a booked slot comes free under another id alone', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await expect(run('UPDATE slots SET state = 0, taken = 0')).rejects.toThrow(/slot_lives_once/);
});

keeps('slots_close', 'a day does not count slots that are booked', async () => {
  await openBook();
  for (const hours of [0, 1]) await slot(hours);

  await book(1, 'ana');

  expect(await openDays()).toEqual(openDay(0, 0));
});

keeps('slots_open_again', 'a day counts slots that are brought back', async () => {
  await openBook();
  for (const hours of [0, 1]) await slot(hours);
  await withdraw(1);

  await bringBack(1);

  expect(await openDays()).toEqual(openDay(0, 1));
});

keeps('slots_open_again', 'what hours want no longer goes when it is free', async () => {
  await openBook();
  await slot(0, { made_by: 2 });
  await book(0, 'ana');

  await cancel(0);

  expect(await stateAt(0)).toBeUndefined();
});

keeps('slots_go_with_the_last_person', 'a class that hours want no longer goes once it is empty', async () => {
  await openBook();
  await slot(0, { made_by: 2, seats: 3 });
  await book(0, 'ana', { slot_id: idAt(0), people: 2 });

  await cancel(0);

  expect(await stateAt(0)).toBeUndefined();
});

keeps('slots_become_busy', 'a day knows its last slot that is not busy', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);

  await dentist(2);

  expect(await openDays()).toEqual(openDay(0, 2, at(1)));
});

keeps('slots_go_free', 'no slot is deleted that is booked', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await expect(run('DELETE FROM slots')).rejects.toThrow(/slot_is_taken/);
});

keeps('slots_leave_their_day', 'a day does not count slots that are deleted', async () => {
  await openBook();
  for (const hours of [0, 1]) await slot(hours);

  await run('DELETE FROM slots WHERE starts_at = ?', at(1));

  expect(await openDays()).toEqual(openDay(0, 0));
});
