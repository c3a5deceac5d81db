import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCalendar } from '../../app/domain/busy/reading';
import { anyCalendar, plainly, plainlyBusy } from '../support/plain-busy';

// More: CASES=100000 npx vitest run test/domain/busy-compared.test.ts
test('a calendar blocks the times that another program reads in it', () => {
  let [cases, spans] = [0, 0];
  fc.assert(
    fc.property(anyCalendar, ({ text, home, now }) => {
      const reading = readCalendar(text, home, now);
      if (typeof reading === 'string') throw new Error(reading);
      expect(reading.doubts).toEqual([]);
      const busy = plainly(reading.busy, now);
      expect(busy).toEqual(plainlyBusy(text, home, now));
      cases += 1;
      spans += busy.length;
    }),
    { numRuns: Number(env.CASES) },
  );
  expect(spans).toBeGreaterThan(5 * cases);
}, 900_000);
