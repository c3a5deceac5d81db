import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wantedSlots } from '../../../app/domain/hours/planned-slots';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { anyDay, anyPlan, plainlyWanted } from '../../support/plain-hours';

// A hundred thousand cases: CASES=100000 npx vitest run test/domain/slots/planned-slots.test.ts
test('hours want what the clocks of any zone say, slot by slot', { timeout: 900_000 }, () => {
  const anyCase = anyDay.chain(({ zone, now }) =>
    fc.record({ zone: fc.constant(zone), now: fc.constant(now), plan: anyPlan(todayIn(zone, now)) }),
  );
  let slots = 0;
  let cases = 0;
  fc.assert(
    fc.property(anyCase, ({ zone, now, plan }) => {
      const from = todayIn(zone, now);
      const span = { from, to: addDays(from, plan.ahead), now };
      const wanted = wantedSlots(plan, zone, { ...span, most: 1e9 })
        .sort(([one], [other]) => one - other)
        .map(([from, to, date]) => ({ from, to, date }));
      expect(wanted, 'hours want what the clocks say').toEqual(plainlyWanted(plan, zone, span));
      cases += 1;
      slots += wanted.length;
    }),
    { numRuns: Number(env.CASES) },
  );
  expect(slots).toBeGreaterThan(10 * cases);
});
