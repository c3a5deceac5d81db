import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../app/domain/errors';
import { chosenFaults, copyOn, weeklyDays } from '../../../app/domain/parties/weekly';
import { day, localTimeOf } from '../../../app/domain/time/clock';
import { eventInstants } from '../../../app/domain/time/zones';
import { inEnglish } from '../../../app/domain/words/english';

/* A party that is made again for other weeks keeps its local times. */

const party = (date: string, start: string, end: string, zone: string, rsvpBy: string | null = null) => ({
  date,
  timeZone: zone,
  rsvpBy,
  ...eventInstants({ date, start, end, zone }),
});
const at = (text: string) => Date.parse(text);
const dates = (found: ReturnType<typeof weeklyDays>) => (Array.isArray(found) ? found.map(({ date }) => date) : found);

const worded = (found: ReturnType<typeof weeklyDays> | Fault[]) =>
  [found].flat().map((fault) => ({ ...fault, message: 'message' in fault && inEnglish(fault.message) }));

const now = at('2026-11-01T12:00Z');
const club = party('2026-11-03', '19:00', '22:00', 'Europe/Lisbon');

describe('every week until a day', () => {
  test('is each same weekday from the next week on, that day included', () => {
    expect(dates(weeklyDays(club, '2026-11-24', now))).toEqual(['2026-11-10', '2026-11-17', '2026-11-24']);
  });

  test('ends with the last such weekday before that day', () => {
    expect(dates(weeklyDays(club, '2026-11-16', now))).toEqual(['2026-11-10']);
  });

  test('is at most 26 weeks', () => {
    expect(dates(weeklyDays(club, '2027-05-10', now))).toHaveLength(26);
  });

  test('begins with the next such weekday where the party is long over', () => {
    expect(dates(weeklyDays(club, '2026-12-16', at('2026-12-07T12:00Z')))).toEqual(['2026-12-08', '2026-12-15']);
  });

  test('begins a week later where the copy of today has begun', () => {
    expect(dates(weeklyDays(club, '2026-12-16', at('2026-12-08T19:00Z')))).toEqual(['2026-12-15']);
  });

  const last = party('9999-12-28', '19:00', '22:00', 'UTC');

  test.each([
    ['2027-05-11', 'At most 26 copies are made at a time: choose Tuesday, 4 May 2027, or an earlier day.'],
    ['', 'Say until which day.'],
    ['2026-02-30', 'Say until which day.'],
    ['2026-11-09', 'The first copy would be on Tuesday, 10 November 2026: choose that day or a later one.'],
    ['9999-12-31', expect.any(String), last],
  ])('is refused for “%s”', (until, message, event = club) => {
    expect(worded(weeklyDays(event, until, now))).toEqual([{ field: 'until', message }]);
  });
});

describe('the copies of a meetup', () => {
  const copies = ['2026-11-10', '2026-11-17', '2026-11-24'].map((date) => copyOn(club, date, now));

  test('may be 2000 invitations', () => {
    expect(chosenFaults({ ...club, kind: 'meetup', invited: 666 }, copies, now)).toEqual([]);
  });

  test('may not be more than 2000 invitations', () => {
    const message = '667 names have at most 2,000 invitations at a time: tick 2 days at most.';

    expect(worded(chosenFaults({ ...club, kind: 'meetup', invited: 667 }, copies, now))).toEqual([
      { field: 'dates', message },
    ]);
  });
});

test('the copies of a party may have any number of guests', () => {
  const copies = ['2026-11-10', '2026-11-17'].map((date) => copyOn(club, date, now));

  expect(chosenFaults({ ...club, kind: 'party', invited: 2000 }, copies, now)).toEqual([]);
});

describe('a copy', () => {
  test('keeps the time on the wall where the clocks change between', () => {
    const before = party('2027-03-23', '19:00', '22:00', 'Europe/Lisbon');

    const copy = copyOn(before, '2027-03-30', now);

    expect(localTimeOf(copy.startsAt, 'Europe/Lisbon')).toBe('19:00');
    expect(copy.startsAt - before.startsAt).toBe(7 * day - 3_600_000);
    expect(copy.isOtherwise).toBe(false);
  });

  const answered = party('2026-11-20', '19:00', '22:00', 'UTC', '2026-11-08');

  test('takes answers as many days before it', () => {
    expect(copyOn(answered, '2026-11-27', now).rsvpBy).toBe('2026-11-15');
  });

  test('takes answers until today where that day would be past', () => {
    expect(copyOn(answered, '2026-11-27', at('2026-11-22T12:00Z')).rsvpBy).toBe('2026-11-22');
  });
});
