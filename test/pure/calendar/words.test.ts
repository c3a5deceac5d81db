import { describe, expect, test } from 'vitest';
import { linesOnPaper } from '../../../app/domain/calendar/paper';
import type { SheetLine } from '../../../app/domain/calendar/sheet';
import { isUpcoming } from '../../../app/domain/calendar/today';
import { webCalendars } from '../../../app/domain/calendar/web-calendars';
import { weekWords } from '../../../app/domain/calendar/week';
import { inEnglish } from '../../../app/domain/words/english';

test.each([
  ['within a month', '2026-11-02', '2 November to 8 November 2026'],
  ['over the end of a month', '2026-11-29', '29 November to 5 December 2026'],
  ['over the end of a year', '2026-12-28', '28 December 2026 to 3 January 2027'],
])('a week is named by its first and last day: %s', (_, from, words) => {
  expect(inEnglish(weekWords(from))).toBe(words);
});

describe('an appointment of today', () => {
  const line = (endsAt: number, attendance: SheetLine['attendance']) => ({ endsAt, attendance }) as SheetLine;

  test('is still to come until it ends', () => {
    expect(isUpcoming(line(100, 'unknown'), 99)).toBe(true);
  });

  test('is over at its end', () => {
    expect(isUpcoming(line(100, 'unknown'), 100)).toBe(false);
  });

  test('is over once it is marked who came', () => {
    expect(isUpcoming(line(100, 'seen'), 0)).toBe(false);
  });
});

describe('the lines of answers that an appointment gets on the sheet of a day', () => {
  const appointment = (letters: number) => ({
    name: 'Ana',
    answers: [{ question: 'Why?', answer: 'a'.repeat(letters) }],
    privateNote: null,
  });
  const day = (appointments: number, letters: number) =>
    linesOnPaper(Array.from({ length: appointments }, () => appointment(letters)));

  test('are eight on an empty day', () => {
    expect(day(1, 2000)).toBe(8);
  });

  test('are eight on a full day of short answers', () => {
    expect(day(14, 10)).toBe(8);
  });

  test('are fewer where long answers would not fit on the page', () => {
    expect(day(8, 2000)).toBe(5);
  });

  test('are never fewer than three in large letters', () => {
    expect(day(14, 2000)).toBe(3);
  });

  test('are never fewer than two in small letters', () => {
    expect(day(40, 2000)).toBe(2);
  });

  test('count a wide letter twice', () => {
    const wide = { name: 'Ana', answers: [{ question: '?', answer: '字'.repeat(120) }], privateNote: null };
    const narrow = { name: 'Ana', answers: [{ question: '?', answer: 'a'.repeat(120) }], privateNote: null };

    expect(linesOnPaper(Array(10).fill(wide))).toBeLessThan(linesOnPaper(Array(10).fill(narrow)));
  });

  test('count a private note', () => {
    const noted = { ...appointment(10), privateNote: 'n'.repeat(2000) };

    expect(linesOnPaper(Array(8).fill(noted))).toBe(5);
  });
});

test('a web calendar without a place gets none', () => {
  const [google, outlook] = webCalendars({ title: 'Ana', startsAt: 0, endsAt: 1_800_000, location: null });

  expect(google?.href).not.toContain('location');
  expect(outlook?.href).not.toContain('location');
});
