import { describe, expect, test } from 'vitest';
import { fewSpans, inDays, mergeSpans } from '../../../app/domain/busy/spans';
import { countWords, startWords } from '../../../app/domain/busy/words';
import { inEnglish } from '../../../app/domain/words/english';

/* The spans that another calendar blocks, and how a screen says what was found in it. */

const minute = 60_000;
const day = 86_400_000;
const span = (startsAt: number, endsAt: number) => ({ startsAt, endsAt });

describe('spans are merged', () => {
  test('where they overlap', () => {
    expect(mergeSpans([span(0, 10), span(5, 20)])).toEqual([span(0, 20)]);
  });

  test('where one follows the other', () => {
    expect(mergeSpans([span(0, 10), span(10, 20)])).toEqual([span(0, 20)]);
  });

  test('where one lies within the other', () => {
    expect(mergeSpans([span(0, 20), span(5, 10)])).toEqual([span(0, 20)]);
  });

  test('in any order', () => {
    expect(mergeSpans([span(10, 20), span(0, 10)])).toEqual([span(0, 20)]);
  });

  test('not where there is a gap', () => {
    expect(mergeSpans([span(0, 10), span(11, 20)])).toEqual([span(0, 10), span(11, 20)]);
  });

  test('where the gap is as short as is asked', () => {
    expect(mergeSpans([span(0, 10), span(11, 20), span(22, 30)], 1)).toEqual([span(0, 20), span(22, 30)]);
  });
});

describe('of many spans', () => {
  /** So many spans of a minute, with such gaps between them. */
  const spaced = (many: number, gap: number) =>
    Array.from({ length: many }, (_, place) => span(place * (gap + minute), place * (gap + minute) + minute));

  test('a thousand stay as they are', () => {
    expect(fewSpans(spaced(1000, minute))).toEqual({ spans: spaced(1000, minute), gap: 0 });
  });

  test('more than a thousand lose the shortest gaps that are enough', () => {
    const { spans, gap } = fewSpans([...spaced(1001, 20 * minute)]);

    expect(spans).toHaveLength(1);
    expect(gap).toBe(60 * minute);
  });

  test('more than a thousand with a day between them lose gaps of two days', () => {
    expect(fewSpans(spaced(1001, day + minute)).gap).toBe(2 * day);
  });
});

describe('a span of several days', () => {
  test('is cut into pieces of a day from its start', () => {
    expect(inDays([span(100, 2 * day + 50)], { from: 0, until: 10 * day })).toEqual([
      span(100, day + 100),
      span(day + 100, 2 * day + 50),
    ]);
  });

  test('has no pieces that are over before the window', () => {
    expect(inDays([span(0, 3 * day)], { from: 2 * day, until: 10 * day })).toEqual([span(2 * day, 3 * day)]);
  });

  test('has no pieces that begin after the window', () => {
    expect(inDays([span(0, 9 * day)], { from: 0, until: 2 * day })).toEqual([span(0, day), span(day, 2 * day)]);
  });
});

test.each([
  [0, 'No events'],
  [1, '1 event'],
  [12, '12 events'],
])('%i events are “%s”', (many, words) => {
  expect(inEnglish(countWords(many))).toBe(words);
});

test.each([
  ['today', '2026-12-02T22:00', 'today at 23:00, Berlin time'],
  ['tomorrow by the reader’s clock', '2026-12-02T23:30', 'tomorrow at 00:30, Berlin time'],
  ['later', '2026-12-08T08:00', 'on Tue 8 Dec at 09:00, Berlin time'],
])('the next event is said to be %s', (_, at, words) => {
  expect(inEnglish(startWords(Date.parse(`${at}Z`), 'Europe/Berlin', Date.parse('2026-12-02T11:00Z')))).toBe(words);
});
