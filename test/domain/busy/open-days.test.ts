import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { minute } from '../../../app/domain/time/clock';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, stored, year } from '../../support/history';

/* A day is open until the start of its last time that nothing of the provider's blocks. */

const [today, tomorrow] = [`${year}-03-12`, `${year}-03-13`];
const at = (time: string) => Date.parse(`${today}T${time}Z`);

let db: Db;
let host: Actor;
beforeEach(async () => {
  ({ db, host } = await newBook());
  await publishTimes(db, host, { start: '09:00', end: '11:00', dates: [today, tomorrow] });
});

const block = (time: string) =>
  stored(
    "INSERT INTO busy_times (provider_id, source, starts_at, ends_at) VALUES (?, 'other', ?, ?)",
    ...[host.accountId, at(time), at(time) + 30 * minute],
  );
const isOpenAt = async (time: string) => (await listOpenDates(db, 'host', at(time))).includes(today);

test('without anything else it is open until its last time', async () => {
  expect(await isOpenAt('10:29')).toBe(true);
  expect(await isOpenAt('10:30')).toBe(false);
});

describe('with something else at its last time', () => {
  beforeEach(() => block('10:30'));

  test('it is open until the time before', async () => {
    expect(await isOpenAt('09:59')).toBe(true);
    expect(await isOpenAt('10:00')).toBe(false);
  });

  test('it is open until the one before that, if that is blocked too', async () => {
    await block('10:00');

    expect(await isOpenAt('09:29')).toBe(true);
    expect(await isOpenAt('09:30')).toBe(false);
  });

  test('it is open until the time before once that is free again', async () => {
    await block('10:00');

    await stored('DELETE FROM busy_times WHERE starts_at = ?', at('10:00'));

    expect(await isOpenAt('09:59')).toBe(true);
    expect(await isOpenAt('10:00')).toBe(false);
  });

  test('it is open until its last time again once that is free', async () => {
    await stored('DELETE FROM busy_times');

    expect(await isOpenAt('10:29')).toBe(true);
    expect(await isOpenAt('10:30')).toBe(false);
  });
});

test('with something else at each of its times it is not open', async () => {
  for (const time of ['09:00', '09:30', '10:00', '10:30']) await block(time);

  expect(await isOpenAt('08:00')).toBe(false);
});
