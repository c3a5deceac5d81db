import { describe, expect, test } from 'vitest';
import type { SheetLine } from '../../../app/domain/calendar/sheet';
import { soonWords, stripOf } from '../../../app/domain/calendar/today';
import { hour, minute } from '../../../app/domain/time/clock';
import { inEnglish } from '../../../app/domain/words/english';

const span = (from: number, until: number) => ({ startsAt: from * hour, endsAt: until * hour });
const booked = (from: number, until: number, more: Partial<SheetLine> = {}) => {
  const usual = { id: `b${from}`, name: 'Ana', classId: null, people: 1, service: null };
  return { ...usual, ...span(from, until), ...more } as SheetLine;
};
const open = (from: number, until: number) => ({ id: `s${from}`, ...span(from, until) });
const strip = (day: Partial<Parameters<typeof stripOf>[0]>, now = 0) =>
  stripOf({ lines: [], open: [], busy: [], hours: null, ...day }, now);

describe('the strip of a day', () => {
  test('joins free times that follow each other', () => {
    expect(strip({ open: [open(9, 10), open(10, 11)] })).toMatchObject([{ kind: 'free', ...span(9, 11) }]);
  });

  test('leads to the first of the free times that it joins', () => {
    expect(strip({ open: [open(9, 10), open(10, 11)] })).toMatchObject([{ id: 's9' }]);
  });

  test('does not join free times with time between them', () => {
    expect(strip({ open: [open(9, 11), open(12, 13)] })).toEqual([
      { kind: 'free', id: 's9', ...span(9, 11) },
      { kind: 'free', id: 's12', ...span(12, 13) },
    ]);
  });

  test('has one line for a class, with all who come', () => {
    const lines = [booked(8, 9, { classId: 'c', people: 2, service: 'Yoga' }), booked(8, 9, { classId: 'c' })];

    expect(strip({ lines })).toEqual([{ kind: 'class', id: 'c', name: 'Yoga', people: 3, ...span(8, 9) }]);
  });

  test('is in the order of time', () => {
    const lines = [booked(8, 9)];
    const busy = [{ ...span(14, 15), words: 'Dentist' }];

    expect(strip({ lines, open: [open(9, 10)], busy })).toMatchObject([
      { kind: 'booked', ...span(8, 9) },
      { kind: 'free', ...span(9, 10) },
      { kind: 'busy', ...span(14, 15) },
    ]);
  });

  test('has the break between hours', () => {
    const hours = [span(9, 12), span(13, 15)];

    expect(strip({ open: [open(9, 10)], hours })).toMatchObject([
      { kind: 'free', ...span(9, 10) },
      { kind: 'closed', ...span(12, 13) },
    ]);
  });

  test('has a break until it is over', () => {
    const hours = [span(9, 12), span(13, 15)];

    expect(strip({ hours }, 13 * hour - 1)).toMatchObject([{ kind: 'closed', ...span(12, 13) }]);
    expect(strip({ hours }, 13 * hour)).toEqual([]);
  });

  test('has no break over what is booked', () => {
    const hours = [span(13, 15), span(16, 18)];

    expect(strip({ lines: [booked(15, 16)], hours })).toMatchObject([{ kind: 'booked', ...span(15, 16) }]);
  });
});

test.each([
  [0, 'now'],
  [18, 'in 18 minutes'],
  [90, 'in 1 hour 30 minutes'],
  [5 * 60, 'in 5 hours'],
  [3 * 24 * 60, 'Wed 2 Dec'],
])('%i minutes before it, an appointment is %s', (minutes, words) => {
  const startsAt = Date.UTC(2026, 11, 2, 9);
  expect(inEnglish(soonWords({ startsAt, date: '2026-12-02' }, startsAt - minutes * minute))).toBe(words);
});
