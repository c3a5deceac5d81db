import { describe, expect, test } from 'vitest';
import { briefOf, type Message } from '../../../app/domain/messages/messages';
import { agoWords } from '../../../app/domain/time/when-words';
import { inEnglish } from '../../../app/domain/words/english';

/* The short lines of news on a provider's home. */

const startsAt = Date.UTC(2026, 10, 25, 14);
const booked = {
  kind: 'booked',
  isToHost: true,
  other: 'Zoë Martins',
  host: 'Karla',
  count: 1,
  data: { several: null, filled: 0 },
  subject: {
    noun: 'appointment',
    startsAt,
    endsAt: startsAt + 1_800_000,
    timeZone: 'UTC',
    service: null,
    people: 1,
    title: null,
  },
} as unknown as Message<'booked'>;

describe('a line of news', () => {
  test('says who booked, and when', () => {
    expect(inEnglish(briefOf(booked))).toBe('Zoë Martins booked Wed 25 Nov, 14:00');
  });

  test('says who canceled, and why', () => {
    expect(inEnglish(briefOf({ ...booked, kind: 'canceled', data: { several: null, reason: 'ill' } }))).toBe(
      'Zoë Martins canceled Wed 25 Nov, 14:00: ill',
    );
  });

  test('says from when to when somebody moved', () => {
    const data = {
      was: { startsAt: startsAt - 86_400_000 },
      reason: null,
      filled: 0,
      from: null,
      to: null,
      several: null,
    };
    const moved = { ...booked, kind: 'moved' as const, data };

    expect(inEnglish(briefOf(moved))).toBe('Zoë Martins moved from Tue 24 Nov, 14:00 to Wed 25 Nov, 14:00');
  });

  test('is the whole sentence of what it has no short words for', () => {
    expect(inEnglish(briefOf({ ...booked, kind: 'answers', data: {} }))).toBe(
      'Zoë Martins changed their answers for Wednesday, 25 November 2026, 14:00 to 14:30, UTC.',
    );
  });

  test('is the whole sentence for who is not the provider', () => {
    expect(inEnglish(briefOf({ ...booked, isToHost: false }))).toMatch(
      /^Your appointment with Karla is on Wednesday, 25 November/,
    );
  });
});

test.each([
  ['under a minute', 59, 'Just now'],
  ['minutes', 12 * 60, '12 minutes ago'],
  ['an hour and a half', 90 * 60, '1 hour ago'],
  ['under a day', 24 * 3600 - 1, '23 hours ago'],
  ['a day', 24 * 3600, 'Tue 24 Nov'],
])('the age of news is said: %s', (_, seconds, words) => {
  expect(inEnglish(agoWords(startsAt - seconds * 1000, startsAt, 'UTC'))).toBe(words);
});
