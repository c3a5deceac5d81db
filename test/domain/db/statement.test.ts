import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { and, eq, gt, type Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { getTableConfig, type SQLiteTable, unionAll } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import * as schema from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { idAt, rowsOf } from '../../support/first-rows';

/* db/statement.ts reads rows by private parts of Drizzle: what it reads is what Drizzle reads, or one of these fails. */

const { accounts, bookings, parties, sessions, slots, templates } = schema;
const d1 = env.EMPTY as unknown as D1Database;
const theirs = drizzle(d1);
const db = new Db(d1, 'first-primary');

// Each migration finds the rows of those before it: what a later one forbids was not always so.
beforeAll(async () => {
  const apply = (statements: string[]) => env.EMPTY.batch(statements.map((one) => env.EMPTY.prepare(one)));
  for (const { name, statements } of env.TEST_MIGRATIONS) {
    await apply(statements);
    if (rowsOf[name]) await apply(rowsOf[name]);
  }
});

describe('rows are as Drizzle reads them', () => {
  const tables = Object.values(schema).map((table) => ({ table: table as SQLiteTable, ...getTableConfig(table) }));

  test.each(tables)('of all columns of $name', async ({ table, name }) => {
    const [rows] = await db.run(orm.select().from(table));
    expect(rows).toEqual(await theirs.select().from(table));
    // What is refused is never stored.
    expect(rows.length > 0).toBe(name !== 'refusals');
  });

  const queries = {
    'of a join, with nulls, and SQL under a name of its own': (by: typeof orm) =>
      by
        .select({
          id: slots.id,
          answers: bookings.answers,
          withdraws: bookings.withdraws,
          title: sql<string>`'Slot of ' || ${accounts.displayName}`.as('title'),
          isOpen: sql<boolean>`${slots.state} = 0`.mapWith(Boolean).as('is_open'),
          none: sql<null>`NULL`.mapWith(Boolean).as('none'),
          kept: sql<unknown>`${templates.questions}`.mapWith(templates.questions).as('kept'),
        })
        .from(slots)
        .innerJoin(accounts, eq(accounts.id, slots.providerId))
        .leftJoin(bookings, eq(bookings.id, slots.id))
        .leftJoin(templates, eq(templates.id, slots.templateId))
        .orderBy(slots.id),
    'of a union': (by: typeof orm) =>
      unionAll(
        by.select({ id: slots.id, is: sql<number>`${slots.state}`.as('is') }).from(slots),
        by.select({ id: parties.id, is: sql<number>`${parties.going}`.as('is') }).from(parties),
      ).orderBy(sql`id`),
  };
  test.each(Object.entries(queries))('%s', async (_, build) => {
    const [rows] = await db.run(build(orm));
    expect(rows).toEqual(await build(theirs));
  });

  test('of what a write gives back', async () => {
    const answers = [{ question: 'Why?', answer: 'Because' }];
    const id = idAt(200, 'booked');
    const write = (by: typeof orm) => by.update(bookings).set({ answers }).where(eq(bookings.id, id)).returning();
    const [rows] = await db.run(write(orm));
    expect(rows).toMatchObject([{ id, answers, withdraws: false }]);
    expect(rows).toEqual(await write(theirs));
  });

  test('with values that are filled in later', async () => {
    type Given = { state: number; after: number; most: number };
    const build = (by: typeof orm, { state, after, most }: { [Name in keyof Given]: Placeholder }) =>
      by
        .select({ id: slots.id })
        .from(slots)
        .where(and(eq(slots.state, state), gt(slots.startsAt, after)))
        .limit(most);
    const given = { state: sql.placeholder('state'), after: sql.placeholder('after'), most: sql.placeholder('most') };
    const values = { state: 1, after: 200, most: 1 };
    const [rows] = await db.run(statement<Given>()((filled) => build(orm, filled))(values));
    expect(rows).toHaveLength(1);
    expect(rows).toEqual(await build(theirs, given).all(values));
  });
});

test('two columns of one name are an error, and no row that is read wrong', async () => {
  const columns = { id: slots.id, startsAt: slots.startsAt, booked: bookings.startsAt };
  const joined = () => orm.select(columns).from(slots).innerJoin(bookings, sql`true`);
  const nested = orm.select({ of: { at: slots.startsAt }, booking: { at: bookings.startsAt } }).from(slots);
  await expect(db.run(joined())).rejects.toThrow(
    'Two columns have one name: id, startsAt, booked came as id, starts_at',
  );
  await expect(db.run(nested.innerJoin(bookings, sql`true`))).rejects.toThrow('Two columns have one name');
  await expect(db.run(joined().where(sql`false`))).resolves.toEqual([[]]);
});

describe('a row inserted by the names of its columns', () => {
  test('gets each value in its column, in whatever order they are named, and defaults elsewhere', async () => {
    const read = async (id: string) => (await theirs.select().from(slots).where(eq(slots.id, id)))[0];
    const [id, copy] = [idAt(100, 'open'), idAt(10_100, 'copy')];
    const { timeZone, city, providerId } = slots;
    const given = { publication: 'p', notes: sql`'from ' || slots.id`, id: copy, localDate: '2030-02-01' };
    const times = { endsAt: sql`${slots.endsAt} + 10000`, startsAt: sql`${slots.startsAt} + 10000` };
    await db.run(
      insertFrom(slots, { ...given, ...times, timeZone, city, providerId }, sql`FROM slots WHERE id = ${id}`),
    );
    const moved = { notes: `from ${id}`, startsAt: 10_100, endsAt: 10_110 };
    expect(await read(copy)).toEqual({ ...(await read(id)), ...given, ...moved });
  });

  test('is written as the code has it: lists as JSON, yes as 1', async () => {
    const questions = [{ id: 'q', questionText: 'É?', questionType: 2 as const, options: null, required: false }];
    const own = { id: 'new', providerId: 'host' };
    const row = { ...own, displayName: 'N', questions, listedAt: 1, createdAt: 2 };
    const party = { ...own, kind: 'party' as const, title: 'T', startsAt: 1, endsAt: 2, createdAt: 0 };
    await db.run(
      insertFrom(templates, row, sql`WHERE true`),
      insertFrom(parties, { ...party, localDate: '2030-01-01', timeZone: 'UTC', hideGoing: true }, sql`WHERE true`),
    );
    const [[template], [hidden]] = await db.run(
      orm.select().from(templates).where(eq(templates.id, 'new')),
      orm.select().from(parties).where(eq(parties.id, 'new')),
    );
    expect(template).toEqual({ ...row, replaces: null, retiredAt: null });
    expect(hidden).toMatchObject({ hideGoing: true, capacity: null, going: 0, plusOnes: 0, openTo: 'accounts' });
  });

  test('does not compile with a column that there is not, or without one that it needs', () => {
    const row = { id: 'no', accountId: 'ana', createdAt: 1 };
    // @ts-expect-error: expiresAt is missing
    insertFrom(sessions, row, sql``);
    // @ts-expect-error: there is no such column
    insertFrom(sessions, { ...row, expiresAt: 1, telephone: '1' }, sql``);
  });
});

describe('statements that are given by name', () => {
  const newDb = () => new Db(env.DB as unknown as D1Database, 'first-primary');
  const number = (value: number) => orm.select({ value: sql<number>`${value}`.as('value') }).from(sql`(SELECT 1)`);
  const doubled = statement<{ value: number }>()(({ value }) =>
    orm.select({ value: sql<number>`2 * ${value}`.as('value') }).from(sql`(SELECT 1)`),
  );

  test('have their results by name, in one round trip', async () => {
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

  test('run in the order in which they are named, and all or none', async () => {
    const db = newDb();
    const count = () => orm.select({ count: sql<number>`count(*)`.as('count') }).from(schema.cities);
    const add = (folded: string) => orm.insert(schema.cities).values({ folded, name: folded });
    const { before, after } = await db.run({ before: count(), added: add('bern'), after: count() });
    expect([before, after]).toEqual([[{ count: 0 }], [{ count: 1 }]]);
    await expect(db.run({ added: add('basel'), again: add('bern') })).rejects.toThrow('cities.folded');
    expect(await db.run({ count: count() })).toEqual({ count: [{ count: 1 }] });
  });
});
