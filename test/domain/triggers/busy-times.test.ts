import { expect } from 'vitest';
import { at, bookedSlot, openBook, slot } from '../../support/trigger-book';
import { keeps, put, run, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/busy-times.sql, one by one. */

/** The host has something else in the last half of this hour and the first half of the next. */
const busyAround = (hours: number, source = 'dentist') =>
  put('busy_times', { provider_id: 'host', source, starts_at: at(hours + 0.5), ends_at: at(hours + 1.5) });
const free = (source: string) => run('DELETE FROM busy_times WHERE source = ?', source);
const busySlots = () => valuesOf('SELECT is_busy FROM slots ORDER BY starts_at');

keeps('busy_times_begin', 'slots that a busy time overlaps are busy', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);

  await busyAround(0);

  expect(await busySlots()).toEqual([1, 1, 0]);
});

keeps('busy_times_stay', 'a busy time is never changed', async () => {
  await openBook();
  await busyAround(0);

  await expect(run('UPDATE busy_times SET ends_at = ends_at + 1')).rejects.toThrow(/busy_time_stays/);
});

keeps('busy_times_end', 'slots are free without their last busy time', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);
  await busyAround(0);
  await busyAround(1, 'school');

  await free('dentist');

  expect(await busySlots()).toEqual([0, 1, 1]);
});

keeps('busy_times_end', 'a day whose open times are free knows it', async () => {
  await openBook();
  await slot(0);
  await bookedSlot(2, 'ana');
  await busyAround(0);

  await free('dentist');

  expect(await valuesOf('SELECT free_at FROM open_days')).toEqual([null]);
});
