import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, type LocalDate, type LocalTime, localDateOf, localTimeOf } from '../../../app/domain/time/clock';
import { cutDay, endOfDay, eventInstants, instantOf, startOfDay, todayIn } from '../../../app/domain/time/zones';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const iso = (at: Instant) => new Date(at).toISOString().replace(':00.000Z', 'Z');

/** The day's slots as a provider reads them: what the clock on the wall shows when each begins. */
function startTimes(zone: string, date: LocalDate, start: LocalTime, end: LocalTime, minutes = 30) {
  return cutDay({ zone, date, start, end, minutes }).map((slot) => localTimeOf(slot.startsAt, zone));
}

function firstAndLast(zone: string, date: LocalDate, start: LocalTime, end: LocalTime, minutes = 30) {
  const slots = cutDay({ zone, date, start, end, minutes });
  return [slots.length, iso(slots.at(0)?.startsAt ?? 0), iso(slots.at(-1)?.endsAt ?? 0)];
}

function hoursOf(zone: string, date: LocalDate) {
  return (endOfDay(date, zone) - startOfDay(date, zone)) / HOUR;
}

describe('a day cut into slots', () => {
  test('an ordinary day gives every slot that fits', () => {
    expect(startTimes('Europe/Lisbon', '2026-12-02', '09:00', '11:00')).toEqual(['09:00', '09:30', '10:00', '10:30']);
    expect(cutDay({ zone: 'Europe/Lisbon', date: '2026-07-01', start: '09:00', end: '09:30', minutes: 30 })).toEqual([
      { startsAt: Date.UTC(2026, 6, 1, 8), endsAt: Date.UTC(2026, 6, 1, 8, 30) },
    ]);
  });

  test('a rest shorter than a slot gives none', () => {
    expect(startTimes('UTC', '2026-12-02', '09:00', '10:59')).toEqual(['09:00', '09:30', '10:00']);
    expect(startTimes('UTC', '2026-12-02', '09:00', '09:29')).toEqual([]);
  });

  test('an end of 00:00 is midnight at the end of the day', () => {
    expect(startTimes('UTC', '2026-12-02', '22:45', '00:00')).toEqual(['22:45', '23:15']);
    expect(firstAndLast('UTC', '2026-12-31', '00:00', '00:00')).toEqual([48, '2026-12-31T00:00Z', '2027-01-01T00:00Z']);
  });

  test('a range out of order gives no slot', () => {
    expect(startTimes('UTC', '2026-12-02', '11:00', '09:00')).toEqual([]);
    expect(startTimes('UTC', '2026-12-02', '09:00', '09:00')).toEqual([]);
  });

  test('a day that springs forward has no slot inside the gap', () => {
    const lisbon = ['02:00', '02:30', '03:00', '03:30'];
    expect(startTimes('Europe/Lisbon', '2026-03-29', '01:00', '04:00')).toEqual(lisbon);
    expect(startTimes('Europe/Lisbon', '2026-03-29', '00:30', '02:30')).toEqual(['00:30', '02:00']);
    const newYork = ['01:00', '01:30', '03:00', '03:30'];
    expect(startTimes('America/New_York', '2026-03-08', '01:00', '04:00')).toEqual(newYork);
  });

  test('a start or end inside the gap moves on by the length of the gap', () => {
    expect(startTimes('Europe/Lisbon', '2026-03-29', '01:15', '03:00')).toEqual(['02:15']);
    expect(startTimes('Europe/Lisbon', '2026-03-29', '00:00', '01:30')).toEqual(['00:00', '00:30', '02:00']);
    expect(startTimes('Europe/Lisbon', '2026-03-29', '01:30', '02:00')).toEqual([]);
  });

  test('a day that falls back has the repeated hour twice', () => {
    const twice = ['00:00', '00:30', '01:00', '01:30', '01:00', '01:30', '02:00', '02:30'];
    expect(startTimes('Europe/Lisbon', '2026-10-25', '00:00', '03:00')).toEqual(twice);
    expect(startTimes('America/New_York', '2026-11-01', '00:00', '03:00')).toEqual(twice);
  });

  test('a start or end that the clock shows twice is the earlier one', () => {
    expect(startTimes('Europe/Lisbon', '2026-10-25', '01:30', '02:30')).toEqual(['01:30', '01:00', '01:30', '02:00']);
    expect(startTimes('Europe/Lisbon', '2026-10-25', '00:30', '01:30')).toEqual(['00:30', '01:00']);
    expect(startTimes('Europe/Lisbon', '2026-10-25', '01:00', '01:30')).toEqual(['01:00']);
  });

  test('a clock that changes by half an hour loses and gains one slot', () => {
    const spring = ['01:00', '01:30', '02:30', '03:00', '03:30'];
    expect(startTimes('Australia/Lord_Howe', '2026-10-04', '01:00', '04:00')).toEqual(spring);
    const autumn = ['00:00', '00:30', '01:00', '01:30', '01:30', '02:00', '02:30'];
    expect(startTimes('Australia/Lord_Howe', '2026-04-05', '00:00', '03:00')).toEqual(autumn);
  });

  test('a day that springs forward at midnight begins at 01:00', () => {
    expect(iso(startOfDay('2026-04-24', 'Africa/Cairo'))).toBe('2026-04-23T22:00Z');
    expect(startTimes('Africa/Cairo', '2026-04-24', '00:00', '02:00')).toEqual(['01:00', '01:30']);
    expect(startTimes('Africa/Cairo', '2026-04-24', '00:00', '01:00')).toEqual([]);
    expect(iso(startOfDay('2026-09-06', 'America/Santiago'))).toBe('2026-09-06T04:00Z');
    expect(startTimes('America/Santiago', '2026-09-06', '00:00', '02:00')).toEqual(['01:00', '01:30']);
  });

  test('the day before a change at midnight ends where the next one begins', () => {
    const eve = ['23:00', '23:30'];
    expect(startTimes('Africa/Cairo', '2026-04-23', '23:00', '00:00')).toEqual(eve);
    // Santiago falls back from 24:00 to 23:00.
    expect(startTimes('America/Santiago', '2026-04-04', '23:00', '00:00')).toEqual([...eve, ...eve]);
  });

  test('no slot leaves the day where the gap does', () => {
    // Nuuk springs forward from 23:00 to 24:00.
    expect(startTimes('America/Nuuk', '2026-03-28', '22:00', '23:30')).toEqual(['22:00', '22:30']);
    expect(startTimes('America/Nuuk', '2026-03-28', '23:00', '00:00')).toEqual([]);
  });

  test('a day that a zone skipped has no slots', () => {
    expect(startTimes('Pacific/Apia', '2011-12-30', '09:00', '17:00')).toEqual([]);
    expect(startTimes('Pacific/Apia', '2011-12-30', '00:00', '00:00')).toEqual([]);
    expect(firstAndLast('Pacific/Apia', '2011-12-31', '09:00', '10:00')).toEqual([
      2,
      '2011-12-30T19:00Z',
      '2011-12-30T20:00Z',
    ]);
  });

  test('zones off the full hour keep their minutes', () => {
    const kolkata = [16, '2026-03-29T03:30Z', '2026-03-29T11:30Z'];
    expect(firstAndLast('Asia/Kolkata', '2026-03-29', '09:00', '17:00')).toEqual(kolkata);
    const kathmandu = [16, '2026-10-25T03:15Z', '2026-10-25T11:15Z'];
    expect(firstAndLast('Asia/Kathmandu', '2026-10-25', '09:00', '17:00')).toEqual(kathmandu);
  });

  test('a day lasts as long as its clocks take', () => {
    expect(hoursOf('Europe/Lisbon', '2026-03-29')).toBe(23);
    expect(hoursOf('Europe/Lisbon', '2026-10-25')).toBe(25);
    expect(hoursOf('Asia/Kolkata', '2026-03-29')).toBe(24);
    expect(hoursOf('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
    expect(hoursOf('Australia/Lord_Howe', '2026-04-05')).toBe(24.5);
    expect(hoursOf('America/Santiago', '2026-09-06')).toBe(23);
    expect(hoursOf('Pacific/Apia', '2011-12-30')).toBe(0);
  });

  test('the last date we know can still be cut and passed', () => {
    expect(firstAndLast('UTC', '9999-12-31', '23:00', '00:00')).toEqual([
      2,
      '9999-12-31T23:00Z',
      '+010000-01-01T00:00Z',
    ]);
    const { endsAt } = eventInstants({ date: '9999-12-31', start: '23:00', end: '01:00', zone: 'UTC' });
    expect(iso(endsAt)).toBe('+010000-01-01T01:00Z');
  });
});

describe('any day, in any zone', () => {
  const zones = [
    'Africa/Cairo',
    'Africa/Casablanca',
    'America/New_York',
    'America/Nuuk',
    'America/Santiago',
    'America/Havana',
    'Asia/Kathmandu',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Europe/Lisbon',
    'Pacific/Apia',
    'Pacific/Chatham',
    'UTC',
  ];
  const START = Date.UTC(2010, 0, 1);
  const END = Date.UTC(2045, 0, 1);

  const wall = (at: Instant, zone: string) => Date.parse(`${localDateOf(at, zone)}T${localTimeOf(at, zone)}Z`);
  const offset = (at: Instant, zone: string) => wall(at, zone) - at;
  const changesNear = (at: Instant, zone: string) => offset(at - DAY, zone) !== offset(at + DAY, zone);

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
      .flatMap((at) => [
        { zone, at },
        { zone, at: at + DAY },
      ]),
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
  const check = (property: fc.IProperty<[{ zone: string; date: string }, string, string, number]>) =>
    fc.assert(property, { numRuns: 1000 });

  test('the sample knows days on which clocks change', () => {
    expect(changes.length).toBeGreaterThan(500);
  });

  test('slots follow one another without overlap or hole, each exactly as long as asked', () => {
    check(
      fc.property(day, time, time, minutes, ({ zone, date }, start, end, minutes) => {
        const slots = cutDay({ zone, date, start, end, minutes });
        slots.forEach((slot, i) => {
          expect(slot.endsAt - slot.startsAt).toBe(minutes * 60_000);
          if (i > 0) expect(slot.startsAt).toBe(slots[i - 1]?.endsAt);
        });
      }),
    );
  });

  test('slots fill the range from its start, as many as fit into its real length, and stay inside the day', () => {
    check(
      fc.property(day, time, time, minutes, ({ zone, date }, start, end, minutes) => {
        const slots = cutDay({ zone, date, start, end, minutes });
        const from = readClock(date, start, zone);
        const until = end === '00:00' ? endOfDay(date, zone) : readClock(date, end, zone);
        const fits = Math.floor((Math.min(until, endOfDay(date, zone)) - from) / (minutes * 60_000));
        expect(slots.length).toBe(Math.max(0, fits));
        if (slots.length > 0) expect(slots[0]?.startsAt).toBe(from);
        for (const { startsAt, endsAt } of slots) {
          expect(localDateOf(startsAt, zone)).toBe(date);
          expect(localDateOf(endsAt - 1, zone)).toBe(date);
        }
      }),
    );
  });

  test('a slot can be found again by the date and time it is shown with', () => {
    check(
      fc.property(day, time, time, minutes, ({ zone, date }, start, end, minutes) => {
        for (const { startsAt } of cutDay({ zone, date, start, end, minutes })) {
          const found = instantOf(localDateOf(startsAt, zone), localTimeOf(startsAt, zone), zone);
          // Shown twice is found as the earlier one; a reading inside a gap would be found later than it is.
          expect(found).toBeLessThanOrEqual(startsAt);
          expect(wall(found, zone)).toBe(wall(startsAt, zone));
        }
      }),
    );
  });

  test('an instant read off the clock and back is the same, unless the clock shows it twice', () => {
    fc.assert(
      fc.property(moment, ({ zone, at }) => {
        const back = instantOf(localDateOf(at, zone), localTimeOf(at, zone), zone);
        if (!changesNear(at, zone)) expect(back).toBe(at);
        if (back !== at) {
          expect(back).toBeLessThan(at);
          expect(wall(back, zone)).toBe(wall(at, zone));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('any reading, real, doubled or skipped, is the instant the clocks themselves tell', () => {
    fc.assert(
      fc.property(day, time, ({ zone, date }, time) => {
        expect(iso(instantOf(date, time, zone))).toBe(iso(readClock(date, time, zone)));
      }),
      { numRuns: 2000 },
    );
  });

  test('a day begins at its first instant and ends at its last', () => {
    fc.assert(
      fc.property(day, ({ zone, date }) => {
        const [start, end] = [startOfDay(date, zone), endOfDay(date, zone)];
        expect([start, end - 1].map((at) => localDateOf(at, zone))).toEqual([date, date]);
        expect(localDateOf(start - 1, zone) < date).toBe(true);
        expect(localDateOf(end, zone) > date).toBe(true);
        expect(todayIn(zone, start)).toBe(date);
      }),
      { numRuns: 1000 },
    );
  });

  test('an event ends after it begins, at most a day and an hour later', () => {
    fc.assert(
      fc.property(day, time, time, ({ zone, date }, start, end) => {
        const { startsAt, endsAt } = eventInstants({ zone, date, start, end });
        expect(startsAt).toBe(instantOf(date, start, zone));
        expect(endsAt).toBeGreaterThan(startsAt);
        expect(endsAt - startsAt).toBeLessThanOrEqual(DAY + HOUR);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an event', () => {
  const lisbon = (date: LocalDate, start: LocalTime, end: LocalTime) => {
    const { startsAt, endsAt } = eventInstants({ date, start, end, zone: 'Europe/Lisbon' });
    return [iso(startsAt), iso(endsAt)];
  };

  test('that ends after its start ends on the same day', () => {
    expect(lisbon('2026-12-31', '18:00', '22:30')).toEqual(['2026-12-31T18:00Z', '2026-12-31T22:30Z']);
  });

  test('whose end is not after its start ends the next day', () => {
    expect(lisbon('2026-12-31', '22:00', '02:00')).toEqual(['2026-12-31T22:00Z', '2027-01-01T02:00Z']);
    expect(lisbon('2026-12-31', '22:00', '00:00')).toEqual(['2026-12-31T22:00Z', '2027-01-01T00:00Z']);
    expect(lisbon('2026-12-31', '22:00', '22:00')).toEqual(['2026-12-31T22:00Z', '2027-01-01T22:00Z']);
  });

  test('that passes midnight into a change of the clocks ends at the reading it was given', () => {
    expect(lisbon('2026-03-28', '22:00', '03:00')).toEqual(['2026-03-28T22:00Z', '2026-03-29T02:00Z']);
    expect(lisbon('2026-10-24', '22:00', '03:00')).toEqual(['2026-10-24T21:00Z', '2026-10-25T03:00Z']);
  });

  test('that a gap would carry past its own end, ends a day later', () => {
    expect(lisbon('2026-03-29', '01:30', '02:00')).toEqual(['2026-03-29T01:30Z', '2026-03-30T01:00Z']);
    // Nuuk springs forward from 23:00 to 24:00.
    const nuuk = eventInstants({ date: '2026-03-28', start: '23:30', end: '00:00', zone: 'America/Nuuk' });
    expect([iso(nuuk.startsAt), iso(nuuk.endsAt)]).toEqual(['2026-03-29T01:30Z', '2026-03-30T01:00Z']);
  });
});
