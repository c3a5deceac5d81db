import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { sql } from 'drizzle-orm';
import { expect, expectTypeOf, test } from 'vitest';
import { Db } from '../../../db/client';
import { cities } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';

const newDb = () => new Db(env.DB as unknown as D1Database, 'first-primary');
const number = (value: number) => orm.select({ value: sql<number>`${value}`.as('value') }).from(sql`(SELECT 1)`);
const doubled = statement<{ value: number }>()(({ value }) =>
  orm.select({ value: sql<number>`2 * ${value}`.as('value') }).from(sql`(SELECT 1)`),
);

test('statements that are given by name have their results by name, in one round trip', async () => {
  const db = newDb();
  const { first, twice, leftOut } = await db.run({
    first: number(1),
    leftOut: undefined as ReturnType<typeof number> | undefined,
    twice: doubled({ value: 4 }),
  });
  expectTypeOf(first).toEqualTypeOf<{ value: number }[]>();
  expectTypeOf(leftOut).toEqualTypeOf<{ value: number }[] | undefined>();
  expect([first, twice, leftOut]).toEqual([[{ value: 1 }], [{ value: 8 }], undefined]);
  expect(db.tally.trips).toBe(1);
});

test('they share a batch with statements in a list, and each gets its own', async () => {
  const db = newDb();
  const [[[three]], { four }] = await Promise.all([db.run(number(3)), db.run({ four: number(4) })]);
  expect([three, four]).toEqual([{ value: 3 }, [{ value: 4 }]]);
  expect(db.tally).toMatchObject({ trips: 1, statements: 2 });
});

test('they run in the order in which they are named, and all or none', async () => {
  const db = newDb();
  const count = () => orm.select({ count: sql<number>`count(*)`.as('count') }).from(cities);
  const add = (folded: string) => orm.insert(cities).values({ folded, name: folded });
  const { before, after } = await db.run({ before: count(), added: add('bern'), after: count() });
  expect([before, after]).toEqual([[{ count: 0 }], [{ count: 1 }]]);
  await expect(db.run({ added: add('basel'), again: add('bern') })).rejects.toThrow('cities.folded');
  expect(await db.run({ count: count() })).toEqual({ count: [{ count: 1 }] });
});
