import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../app/domain/profile/accounts';
import { readOpenMonth } from '../../../app/domain/slots/own-open-slots.server';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, start, year } from '../../support/history';

/* The months in which a provider looks through the own open times. */

const [march, april, may] = [`${year}-03`, `${year}-04`, `${year}-05`];

let db: Db;
let host: Actor;
beforeEach(async () => {
  ({ db, host } = await newBook());
});

const read = (chosen: object = {}) => readOpenMonth(db, host, chosen, start);

test('there is no month to look through without open times', async () => {
  expect(await read()).toMatchObject({ months: null, day: null, slots: [] });
});

describe('with open times in March and in May', () => {
  let ids: string[];
  beforeEach(async () => {
    ({ ids } = await publishTimes(db, host, { start: '09:00', end: '10:00', dates: [`${march}-12`, `${may}-02`] }));
  });

  test('the months reach from the first to the last', async () => {
    expect((await read()).months).toEqual([march, may]);
  });

  test('the first month is shown with its first day', async () => {
    const { month, days, day, slots } = await read();

    expect({ month, days, day }).toEqual({
      month: march,
      days: [{ date: `${march}-12`, count: 2 }],
      day: `${march}-12`,
    });
    expect(slots.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  test('a month between is shown without a day', async () => {
    expect(await read({ month: april })).toMatchObject({ month: april, months: [march, may], days: [], day: null });
  });

  test('a chosen day is shown in its month', async () => {
    const { month, day, slots } = await read({ day: `${may}-02` });

    expect({ month, day }).toEqual({ month: may, day: `${may}-02` });
    expect(slots.map(({ id }) => id)).toEqual(ids.slice(2));
  });
});
