import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, type LocalDate, type LocalTime, localDateOf, localTimeOf } from '../../../app/domain/time/clock';
import { cutDay, endOfDay, eventInstants, instantOf, startOfDay, todayIn } from '../../../app/domain/time/zones';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Slot = ReturnType<typeof cutDay>[number];

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

  describe('slots', () => {
    const checkSlots = (
      check: (
        range: { zone: string; date: LocalDate; from: Instant; until: Instant; minutes: number },
        slots: Slot[],
      ) => void,
    ) => {
      const property = fc.property(day, time, time, minutes, ({ zone, date }, start, end, minutes) => {
        const from = readClock(date, start, zone);
        const until = end === '00:00' ? endOfDay(date, zone) : readClock(date, end, zone);
        check({ zone, date, from, until, minutes }, cutDay({ zone, date, start, end, minutes }));
      });
      fc.assert(property, { numRuns: 1000 });
    };

    test('are as many as fit into the real length of the range', () => {
      checkSlots(({ zone, date, from, until, minutes }, slots) => {
        const fitting = Math.floor((Math.min(until, endOfDay(date, zone)) - from) / (minutes * 60_000));
        expect(slots.length).toBe(Math.max(0, fitting));
      });
    });

    test('follow one another from the start of the range', () => {
      checkSlots(({ from }, slots) => {
        for (const [place, { startsAt }] of slots.entries()) expect(startsAt).toBe(slots[place - 1]?.endsAt ?? from);
      });
    });

    test('have the length that was asked for', () => {
      checkSlots(({ minutes }, slots) => {
        for (const { startsAt, endsAt } of slots) expect(endsAt - startsAt).toBe(minutes * 60_000);
      });
    });

    test('lie inside the day', () => {
      checkSlots(({ zone, date }, slots) => {
        for (const { startsAt, endsAt } of slots) {
          expect(localDateOf(startsAt, zone)).toBe(date);
          expect(localDateOf(endsAt - 1, zone)).toBe(date);
        }
      });
    });
  });

  test('a day that a zone skipped has no slots', () => {
    expect(cutDay({ zone: 'Pacific/Apia', date: '2011-12-30', start: '09:00', end: '17:00', minutes: 30 })).toEqual([]);
  });

  test('any reading, real, doubled or skipped, is the instant the clocks themselves tell', () => {
    const property = fc.property(day, time, ({ zone, date }, time) => {
      expect(instantOf(date, time, zone)).toBe(readClock(date, time, zone));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  const checkDays = (check: (zone: string, date: LocalDate) => void) =>
    fc.assert(
      fc.property(day, ({ zone, date }) => check(zone, date)),
      { numRuns: 1000 },
    );

  test('a day begins at its first instant', () => {
    checkDays((zone, date) => {
      const start = startOfDay(date, zone);
      expect(todayIn(zone, start)).toBe(date);
      expect(localDateOf(start - 1, zone) < date).toBe(true);
    });
  });

  test('a day ends after its last instant', () => {
    checkDays((zone, date) => {
      const end = endOfDay(date, zone);
      expect(todayIn(zone, end - 1)).toBe(date);
      expect(localDateOf(end, zone) > date).toBe(true);
    });
  });

  const checkEvents = (
    check: (
      event: { startsAt: Instant; endsAt: Instant },
      start: { zone: string; date: LocalDate; time: LocalTime },
    ) => void,
  ) => {
    const property = fc.property(day, time, time, ({ zone, date }, start, end) =>
      check(eventInstants({ zone, date, start, end }), { zone, date, time: start }),
    );
    fc.assert(property, { numRuns: 1000 });
  };

  test('an event begins when the clocks tell its start', () => {
    checkEvents(({ startsAt }, { zone, date, time }) => {
      expect(startsAt).toBe(instantOf(date, time, zone));
    });
  });

  test('an event ends after it begins', () => {
    checkEvents(({ startsAt, endsAt }) => {
      expect(endsAt).toBeGreaterThan(startsAt);
    });
  });

  test('an event takes a day and an hour at most', () => {
    checkEvents(({ startsAt, endsAt }) => {
      expect(endsAt - startsAt).toBeLessThanOrEqual(DAY + HOUR);
    });
  });
});

test.each([
  ['that the clocks skip is as much later as they skip', '2026-03-29', '2026-03-29T01:30Z'],
  ['that the clocks show twice is the first', '2026-10-25', '2026-10-25T00:30Z'],
])('a time %s', (_, date, at) => {
  expect(iso(instantOf(date, '01:30', 'Europe/Lisbon'))).toBe(at);
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

  expect(iso(startsAt)).toBe(from);
  expect(iso(endsAt)).toBe(until);
});
