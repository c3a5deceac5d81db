import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCalendar } from '../../../app/domain/busy/reading';
import { corpus } from '../../support/calendar-corpus';
import { anyCalendar, plainly, plainlyBusy } from '../../support/plain-busy';

test.each(Object.entries(corpus))('another program reads the same in the calendar of %s', (_, text) => {
  const now = Date.UTC(2026, 11, 1);
  for (const home of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) {
    const reading = readCalendar(text, home, now);
    if (typeof reading === 'string') throw new Error(reading);
    expect(reading.doubts).toEqual([]);
    expect(plainly(reading.busy, now)).toEqual(plainlyBusy(text, home, now));
    expect(reading.busy.length).toBeGreaterThan(1);
  }
});

// More: CASES=100000 npx vitest run test/domain/busy/busy-compared.test.ts
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
  expect(spans).toBeGreaterThan(3 * cases);
}, 900_000);
