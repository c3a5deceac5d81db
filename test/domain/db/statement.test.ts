import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { and, eq, gt, type Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { getTableConfig, type SQLiteTable, unionAll } from 'drizzle-orm/sqlite-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('two columns of one name', () => {
  const columns = { id: slots.id, startsAt: slots.startsAt, booked: bookings.startsAt };
  const joined = () => orm.select(columns).from(slots).innerJoin(bookings, sql`true`);

  test('are an error that names them', async () => {
    const words = 'Two columns have one name: id, startsAt, booked came as id, starts_at';

    await expect(db.run(joined())).rejects.toThrow(words);
  });

  test('are an error where they are nested', async () => {
    const nested = orm.select({ of: { at: slots.startsAt }, booking: { at: bookings.startsAt } }).from(slots);

    await expect(db.run(nested.innerJoin(bookings, sql`true`))).rejects.toThrow('Two columns have one name');
  });

  test('are none where there are no rows', async () => {
    await expect(db.run(joined().where(sql`false`))).resolves.toEqual([[]]);
  });
});

describe('a row inserted by the names of its columns', () => {
  const row = { id: 'no', accountId: 'ana', createdAt: 1 };

  test('does not compile without one that it needs', () => {
    // @ts-expect-error: expiresAt is missing
    insertFrom(sessions, row, sql``);
  });

  test('does not compile with one that there is not', () => {
    // @ts-expect-error: there is no such column
    insertFrom(sessions, { ...row, expiresAt: 1, telephone: '1' }, sql``);
  });
});

describe('statements that are given by name', () => {
  const db = new Db(env.DB as unknown as D1Database, 'first-primary');
  const count = () => orm.select({ count: sql<number>`count(*)`.as('count') }).from(schema.cities);
  const add = (folded: string) => orm.insert(schema.cities).values({ folded, name: folded });
  beforeEach(() => db.run({ emptied: orm.delete(schema.cities) }));

  test('run in that order', async () => {
    const { before, after } = await db.run({ before: count(), added: add('bern'), after: count() });

    expect(before).toEqual([{ count: 0 }]);
    expect(after).toEqual([{ count: 1 }]);
  });

  test('run all or none', async () => {
    await db.run({ added: add('bern') });

    await expect(db.run({ added: add('basel'), again: add('bern') })).rejects.toThrow('cities.folded');

    expect(await db.run({ count: count() })).toEqual({ count: [{ count: 1 }] });
  });
});
