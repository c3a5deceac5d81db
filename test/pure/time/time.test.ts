import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, type LocalDate, type LocalTime, localDateOf, localTimeOf } from '../../../app/domain/time/clock';
import { cutDay, endOfDay, eventInstants, instantOf, startOfDay, todayIn } from '../../../app/domain/time/zones';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const iso = (at: Instant) => new Date(at).toISOString().replace(':00.000Z', 'Z');

describe('any day, in any zone', () => {
  const african = ['Africa/Cairo', 'Africa/Casablanca'];
  const american = ['America/New_York', 'America/Nuuk', 'America/Santiago', 'America/Havana'];
  const pacific = ['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Chatham'];
  const zones = [...african, ...american, ...pacific, 'Asia/Kathmandu', 'Asia/Kolkata', 'Europe/Lisbon', 'UTC'];
  const START = Date.UTC(2010, 0, 1);
  const END = Date.UTC(2045, 0, 1);

  const wall = (at: Instant, zone: string) => Date.parse(`${localDateOf(at, zone)}T${localTimeOf(at, zone)}Z`);
  const offset = (at: Instant, zone: string) => wall(at, zone) - at;

  /** 'compatible' worked out from the zone's clocks alone, without Temporal. */
  function readClock(date: LocalDate, time: LocalTime, zone: string): Instant {
    const sought = Date.parse(`${date}T${time}Z`);
    const candidates = [sought - offset(sought - DAY, zone), sought - offset(sought + DAY, zone)];
    const shown = candidates.filter((at) => wall(at, zone) === sought);
    return shown.length > 0 ? Math.min(...shown) : sought - offset(sought - DAY, zone);
  }

  // Days on which the clocks change are rare, so half of all cases are drawn from them.
  const changes = zones.flatMap((zone) =>
    Array.from({ length: (END - START) / DAY - 1 }, (_, i) => START + i * DAY)
      .filter((at) => offset(at, zone) !== offset(at + DAY, zone))
      .flatMap((at) => [at, at + DAY].map((at) => ({ zone, at }))),
  );
  const minute = (at: number) => Math.floor(at / 60_000) * 60_000;
  const moment = fc.oneof(
    fc.record({ zone: fc.constantFrom(...zones), at: fc.integer({ min: START, max: END }).map(minute) }),
    fc
      .record({ change: fc.constantFrom(...changes), shift: fc.integer({ min: -DAY, max: DAY }).map(minute) })
      .map(({ change, shift }) => ({ zone: change.zone, at: change.at + shift })),
  );
  const day = moment.map(({ zone, at }) => ({ zone, date: localDateOf(at, zone) }));
  const pad = (n: number) => String(n).padStart(2, '0');
  const time = fc.oneof(
    fc.integer({ min: 0, max: 24 * 60 - 1 }).map((n) => `${pad(Math.floor(n / 60))}:${pad(n % 60)}`),
    fc.constantFrom('00:00', '01:00', '01:30', '02:00', '02:30', '03:00', '23:00', '23:30'),
  );
  const minutes = fc.integer({ min: 5, max: 1440 });

  test('slots fill the range from its start, one after the other, as many as fit into its real length, inside the day', () => {
    const property = fc.property(day, time, time, minutes, ({ zone, date }, start, end, minutes) => {
      const slots = cutDay({ zone, date, start, end, minutes });
      const from = readClock(date, start, zone);
      const until = end === '00:00' ? endOfDay(date, zone) : readClock(date, end, zone);
      const fits = Math.floor((Math.min(until, endOfDay(date, zone)) - from) / (minutes * 60_000));
      expect(slots.length).toBe(Math.max(0, fits));
      for (const [place, { startsAt, endsAt }] of slots.entries()) {
        expect(startsAt).toBe(slots[place - 1]?.endsAt ?? from);
        expect(endsAt - startsAt).toBe(minutes * 60_000);
        expect([localDateOf(startsAt, zone), localDateOf(endsAt - 1, zone)]).toEqual([date, date]);
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('a day that a zone skipped has none', () => {
    expect(cutDay({ zone: 'Pacific/Apia', date: '2011-12-30', start: '09:00', end: '17:00', minutes: 30 })).toEqual([]);
  });

  test('any reading, real, doubled or skipped, is the instant the clocks themselves tell', () => {
    const property = fc.property(day, time, ({ zone, date }, time) => {
      expect(instantOf(date, time, zone)).toBe(readClock(date, time, zone));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('a day begins at its first instant and ends at its last', () => {
    const property = fc.property(day, ({ zone, date }) => {
      const [start, end] = [startOfDay(date, zone), endOfDay(date, zone)];
      expect([start, end - 1].map((at) => todayIn(zone, at))).toEqual([date, date]);
      expect(localDateOf(start - 1, zone) < date && localDateOf(end, zone) > date).toBe(true);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('an event ends after it begins, at most a day and an hour later', () => {
    const property = fc.property(day, time, time, ({ zone, date }, start, end) => {
      const { startsAt, endsAt } = eventInstants({ zone, date, start, end });
      expect(startsAt).toBe(instantOf(date, start, zone));
      expect(endsAt).toBeGreaterThan(startsAt);
      expect(endsAt - startsAt).toBeLessThanOrEqual(DAY + HOUR);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

test.each([
  ['an end on the next day', 'Europe/Lisbon', '2026-12-31', '22:00-02:00', '2026-12-31T22:00Z', '2027-01-01T02:00Z'],
  ['a whole day', 'Europe/Lisbon', '2026-12-31', '22:00-22:00', '2026-12-31T22:00Z', '2027-01-01T22:00Z'],
  ['a shorter night', 'Europe/Lisbon', '2026-03-28', '22:00-03:00', '2026-03-28T22:00Z', '2026-03-29T02:00Z'],
  ['a gap past its own end', 'Europe/Lisbon', '2026-03-29', '01:30-02:00', '2026-03-29T01:30Z', '2026-03-30T01:00Z'],
  ['the last date we know', 'UTC', '9999-12-31', '23:00-01:00', '9999-12-31T23:00Z', '+010000-01-01T01:00Z'],
])('an event with %s: in %s on %s from %s', (_, zone, date, range, from, until) => {
  const [start = '', end = ''] = range.split('-');
  const { startsAt, endsAt } = eventInstants({ zone, date, start, end });
  expect([iso(startsAt), iso(endsAt)]).toEqual([from, until]);
});
