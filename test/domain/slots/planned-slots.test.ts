import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Plan, wantedSlots } from '../../../app/domain/hours/planned-slots';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { anyDay, anyPlan, plainlyWanted } from '../../support/plain-hours';

const plan = (details: Partial<Plan>): Plan => ({ hours: [], except: [], len: 30, gap: 0, ahead: 14, ...details });
const iso = (at: number) => new Date(at).toISOString().slice(5, 16);
/** The starts of what is wanted, in order. */
const starts = (details: Partial<Plan>, zone: string, from: string, to = from, now = 0) =>
  wantedSlots(plan(details), zone, { from, to, now, most: 1e9 })
    .map(([startsAt]) => iso(startsAt))
    .sort();

describe('hours want', () => {
  test('each weekday its own ranges, with a gap between two slots and none after the last', () => {
    const hours = [
      { day: 2, start: '09:00', end: '10:20' },
      { day: 2, start: '14:00', end: '15:00' },
      { day: 3, start: '23:00', end: '00:00' },
    ];
    expect(starts({ hours, len: 30, gap: 20 }, 'UTC', '2026-12-01', '2026-12-03')).toEqual([
      '12-01T09:00',
      '12-01T09:50',
      '12-01T14:00',
      '12-02T23:00',
    ]);
  });

  // A hundred thousand cases: CASES=100000 npx vitest run test/domain/slots/planned-slots.test.ts
  test('what the clocks of any zone say, slot by slot', () => {
    const anyCase = anyDay.chain(({ zone, now }) =>
      fc.record({ zone: fc.constant(zone), now: fc.constant(now), plan: anyPlan(todayIn(zone, now)) }),
    );
    let [slots, cases] = [0, 0];
    fc.assert(
      fc.property(anyCase, ({ zone, now, plan }) => {
        const from = todayIn(zone, now);
        const span = { from, to: addDays(from, plan.ahead), now };
        const wanted = wantedSlots(plan, zone, { ...span, most: 1e9 })
          .sort(([one], [other]) => one - other)
          .map(([from, to, date]) => ({ from, to, date }));
        expect(wanted).toEqual(plainlyWanted(plan, zone, span));
        cases += 1;
        slots += wanted.length;
      }),
      { numRuns: Number(env.CASES) },
    );
    expect(slots).toBeGreaterThan(10 * cases);
  }, 900_000);
});
