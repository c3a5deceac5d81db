import { expect, test } from 'vitest';
import { whenWordsFor } from '../../../app/domain/time/when-words';
import { inEnglish } from '../../../app/domain/words/english';

/* When something is, on the clock of whoever reads it. */

const inLisbon = (startsAt: string, endsAt: string, readerZone: string) => {
  const words = whenWordsFor(
    { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt), timeZone: 'Europe/Lisbon' },
    readerZone,
  );
  return words && inEnglish(words);
};

test('a reader whose clock shows the same is told the time once', () => {
  expect(inLisbon('2026-12-02T10:00Z', '2026-12-02T10:30Z', 'Europe/London')).toBeNull();
});

test('a reader in another zone is told the time on their clock', () => {
  expect(inLisbon('2026-12-02T10:00Z', '2026-12-02T10:30Z', 'Europe/Berlin')).toContain('11:00 to 11:30');
});

test('a reader whose clock changes during it is told, because its end differs', () => {
  // Morocco turns its clocks forward that night, Portugal a week later.
  expect(inLisbon('2026-03-22T01:30Z', '2026-03-22T02:30Z', 'Africa/Casablanca')).toContain('01:30 to 03:30');
});
