import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStillChangeable } from '../../../app/domain/bookings/conditions.server';
import { isChangeable } from '../../../app/domain/bookings/deadline';
import { linksBy } from '../../../app/domain/links.server';
import { createPerson } from '../../../app/domain/people/edit.server';
import { mergedCard, mergePeople, readMerge } from '../../../app/domain/people/merge.server';
import { orm } from '../../../db/statement';
import { newBook, newDb, start } from '../../support/history';

/* Rules that stand in SQL, where a write decides by them, and in TypeScript, where a screen shows them beforehand. */

const cases = Number(env.CASES);
const minute = 60_000;
const links = linksBy('pepper');

test('what may be changed until when is the same in both', async () => {
  const db = newDb();
  const anyBooking = fc.record({
    startsIn: fc.integer({ min: 1, max: 4 * minute }),
    cancelUntil: fc.nat(4),
    late: fc.constantFrom(-1, 0, 1),
    isAtDeadline: fc.boolean(),
  });

  await fc.assert(
    fc.asyncProperty(anyBooking, async ({ startsIn, cancelUntil, late, isAtDeadline }) => {
      const startsAt = start + (isAtDeadline ? Math.max(1, cancelUntil * minute + late) : startsIn);
      const { rows } = await db.run({
        rows: orm
          .select({ isAllowed: sql<number>`${isStillChangeable(start)}`.as('is_allowed') })
          .from(sql`(SELECT ${startsAt} AS starts_at, ${cancelUntil} AS cancel_until) AS bookings`),
      });

      const shown = isChangeable({ startsAt, changeableUntil: startsAt - cancelUntil * minute }, start);

      expect(rows[0]?.isAllowed).toBe(shown ? 1 : 0);
    }),
    { numRuns: cases },
  );
});

test('a card after a merge is the one that was shown before', async () => {
  const { db, host } = await newBook();
  const maybe = (...texts: string[]) => fc.constantFrom(null, ...texts);
  const anyCard = (of: string) =>
    fc.record({
      email: maybe(`${of}@mail.test`),
      phone: maybe('+351 21 0000', '030 1234'),
      note: maybe('Likes tea', 'Two\nlines', '🦷'.repeat(300)),
      seen: fc.nat(9),
      excused: fc.nat(9),
      missed: fc.nat(9),
    });
  let made = 0;

  await fc.assert(
    fc.asyncProperty(anyCard('one'), anyCard('other'), async (...cards) => {
      made += 1;
      const ids = [];
      for (const { seen, excused, missed, email, ...typed } of cards) {
        const address = email && `${made}-${email}`;
        const { id } = await createPerson(
          db,
          links,
          host,
          { name: 'Ida', ...typed, email: address, key: crypto.randomUUID() },
          start,
        );
        await env.DB.prepare('UPDATE people SET seen = ?, excused = ?, missed = ? WHERE id = ?')
          .bind(seen, excused, missed, id)
          .run();
        ids.push(id);
      }
      const [id, into] = ids as [string, string];
      const merge = await readMerge(db, host, { id, into }, start);

      const { booked, ...card } = await mergePeople(db, host, { id, into }, start);

      expect(booked).toBe(0);
      expect(card).toEqual(merge && mergedCard(merge));
    }),
    { numRuns: Math.ceil(cases / 10) },
  );
});
