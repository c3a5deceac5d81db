import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { orm } from '../../../db/statement';
import { sumOf } from '../../../db/streamed-list';
import { newDb } from '../../support/history';

test.each([1, 2, 3, 7, 64, 250])('a sum of %i terms has each of them', async (many) => {
  const terms = Array.from({ length: many }, (_, place) => sql.raw(String(place + 1)));
  const select = orm.select({ sum: sql<number>`${sumOf(terms)}`.as('sum') }).from(sql`(SELECT 1)`);

  const [rows] = await newDb().run(select);

  expect(rows).toEqual([{ sum: (many * (many + 1)) / 2 }]);
});
