import { expect, test } from 'vitest';
import { attendanceSummary } from '../../../app/domain/people/attendance-words';
import { inEnglish } from '../../../app/domain/words/english';

/* How a card says who came. */

test.each([
  [{ seen: 1, excused: 0, missed: 0 }, 'Came once'],
  [{ seen: 2, excused: 0, missed: 0 }, 'Came twice'],
  [{ seen: 3, excused: 0, missed: 0 }, 'Came 3 times'],
  [{ seen: 0, excused: 0, missed: 2 }, 'Missed twice'],
  [{ seen: 0, excused: 1, missed: 12 }, 'Excused once, missed 12 times'],
  [{ seen: 5, excused: 2, missed: 1 }, 'Came 5 times, excused twice, missed once'],
  [{ seen: 0, excused: 0, missed: 0 }, null],
])('%j is "%s"', (counts, words) => {
  const summary = attendanceSummary(counts);

  expect(summary && inEnglish(summary)).toBe(words);
});
