import { describe, expect, test } from 'vitest';
import { copyOn, weeklyDays } from '../../../app/domain/parties/weekly';
import { day, localTimeOf } from '../../../app/domain/time/clock';
import { eventInstants } from '../../../app/domain/time/zones';

/* A party that is made again for other weeks keeps its local times. */

const party = (date: string, start: string, end: string, zone: string, rsvpBy: string | null = null) => ({
  date,
  timeZone: zone,
  rsvpBy,
  ...eventInstants({ date, start, end, zone }),
});
const at = (text: string) => Date.parse(text);
const dates = (found: ReturnType<typeof weeklyDays>) => (Array.isArray(found) ? found.map(({ date }) => date) : found);

const now = at('2026-11-01T12:00Z');
const club = party('2026-11-03', '19:00', '22:00', 'Europe/Lisbon');

test('every week until a day is each same weekday from the next week on, that day included, at most 26', () => {
  expect(dates(weeklyDays(club, '2026-11-24', now))).toEqual(['2026-11-10', '2026-11-17', '2026-11-24']);
  expect(dates(weeklyDays(club, '2026-11-16', now))).toEqual(['2026-11-10']);
  expect(dates(weeklyDays(club, '2027-05-10', now))).toHaveLength(26);
});

const last = party('9999-12-28', '19:00', '22:00', 'UTC');
test.each([
  ['2027-05-11', 'At most 26 copies are made at a time: choose Tuesday, 4 May 2027, or an earlier day.'],
  ['', 'Say until which day.'],
  ['2026-02-30', 'Say until which day.'],
  ['2026-11-09', 'The first copy would be on Tuesday, 10 November 2026: choose that day or a later one.'],
  ['9999-12-31', expect.any(String), last],
])('every week until “%s” is none', (until, message, event = club) => {
  expect(weeklyDays(event, until, now)).toMatchObject({ field: 'until', message });
});

describe('a copy', () => {
  test('keeps the time on the wall where the clocks change between', () => {
    const club = party('2027-03-23', '19:00', '22:00', 'Europe/Lisbon');
    const copy = copyOn(club, '2027-03-30', now);
    expect([copy.startsAt - club.startsAt, copy.isOtherwise]).toEqual([7 * day - 3_600_000, false]);
    expect(localTimeOf(copy.startsAt, 'Europe/Lisbon')).toBe('19:00');
  });

  test('takes answers as many days before it, but not until a day that is past', () => {
    const club = party('2026-11-20', '19:00', '22:00', 'UTC', '2026-11-08');
    expect(copyOn(club, '2026-11-27', now).rsvpBy).toBe('2026-11-15');
    expect(copyOn(club, '2026-11-27', at('2026-11-22T12:00Z')).rsvpBy).toBe('2026-11-22');
  });
});
