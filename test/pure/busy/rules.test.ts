import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCalendar } from '../../../app/domain/busy/reading';
import { anyCalendarOfRules, busyByRules } from '../../support/any-rules';
import { plainly } from '../../support/plain-busy';

/* Rules of every kind, as another program repeats them. More: CASES=10000 npx vitest run test/pure/busy/rules.test.ts */

test('a calendar of any rules blocks the times that another program reads in it', () => {
  let [cases, spans] = [0, 0];
  fc.assert(
    fc.property(anyCalendarOfRules, ({ text, home, now }) => {
      const reading = readCalendar(text, home, now);
      if (typeof reading === 'string') throw new Error(reading);
      expect(reading.doubts).toEqual([]);
      const busy = plainly(reading.busy, now);
      expect(busy).toEqual(busyByRules(text, home, now));
      cases += 1;
      spans += busy.length;
    }),
    { numRuns: Math.ceil(Number(env.CASES) / 5) },
  );
  expect(spans).toBeGreaterThan(2 * cases);
}, 900_000);
