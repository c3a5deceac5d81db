import { beforeEach, describe, expect, test } from 'vitest';
import { findProviderPage } from '../../../app/domain/calendar/provider-page.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, start, stored, year } from '../../support/history';

/* Before anybody has chosen a day, the page of a provider shows the first one that has what is looked for. */

const [march, april] = [`${year}-03`, `${year}-04`];
const [short, long] = [`${april}-02`, `${april}-03`];

let db: Db;
let host: Actor;
/** The ids of the times in April: half an hour on the first day, an hour and a half on the second. */
let [ofShort, ofLong] = [[''], ['']];
beforeEach(async () => {
  ({ db, host } = await newBook());
  await stored(
    `INSERT INTO services (provider_id, id, name, name_folded, minutes, gap, price, seats)
     VALUES (?1, 'hour', 'An hour', 'an hour', 60, 0, NULL, 1), (?1, 'half', 'Half an hour', 'half an hour', 30, 0, NULL, 1)`,
    host.accountId,
  );
  await publishTimes(db, host, { start: '09:00', end: '11:00', dates: [`${march}-12`] });
  ofShort = (await publishTimes(db, host, { start: '09:00', end: '09:30', dates: [short] })).ids;
  ofLong = (await publishTimes(db, host, { start: '09:00', end: '10:30', dates: [long] })).ids;
});

const pageOf = async (chosen: object) => {
  const page = await findProviderPage(db, { username: 'host', page: 0, ...chosen }, start);
  return { days: page?.dates, ids: page?.times.map(({ id }) => id) };
};

describe('in a chosen month', () => {
  test('that is its first day with free time', async () => {
    expect(await pageOf({ month: april })).toEqual({ days: [short], ids: ofShort });
  });

  test('that is its first day with room for a chosen service', async () => {
    expect(await pageOf({ month: april, service: 'hour' })).toEqual({ days: [long], ids: ofLong.slice(0, 2) });
  });
});

describe('in a chosen month without free time', () => {
  beforeEach(async () => {
    await publishTimes(db, host, { start: '09:00', end: '09:30', dates: [`${year}-06-02`] });
    await publishTimes(db, host, { start: '09:00', end: '10:30', dates: [`${year}-06-03`] });
  });
  const insteadOf = async (chosen: object) =>
    (await findProviderPage(db, { username: 'host', page: 0, month: `${year}-05`, ...chosen }, start))?.instead;

  test('the next day with free time is named', async () => {
    expect(await insteadOf({})).toBe(`${year}-06-02`);
  });

  test('the next day with room for a chosen service is named', async () => {
    expect(await insteadOf({ service: 'hour' })).toBe(`${year}-06-03`);
  });
});

describe('in no chosen month', () => {
  test('that is the first day of all with free time', async () => {
    expect(await pageOf({})).toMatchObject({ days: [`${march}-12`] });
  });

  test('that is the first day of all with room for a chosen service', async () => {
    await stored("UPDATE services SET minutes = 150 WHERE id = 'hour'");
    const { ids } = await publishTimes(db, host, { start: '09:00', end: '11:30', dates: [`${april}-20`] });

    expect(await pageOf({ service: 'hour' })).toEqual({ days: [`${april}-20`], ids: ids.slice(0, 1) });
  });
});

describe('on chosen days', () => {
  test('the next free time of all is named', async () => {
    const page = await findProviderPage(db, { username: 'host', page: 0, dates: [short] }, start);

    expect(page?.next?.date).toBe(`${march}-12`);
  });

  test('the next free time for a chosen service is named', async () => {
    await stored("UPDATE services SET minutes = 150 WHERE id = 'hour'");
    const { ids } = await publishTimes(db, host, { start: '09:00', end: '11:30', dates: [`${april}-20`] });

    const page = await findProviderPage(db, { username: 'host', page: 0, dates: [short], service: 'hour' }, start);

    expect(page?.next?.id).toBe(ids[0]);
  });
});
