import { expect, test } from 'vitest';
import { missed } from '../../../app/domain/messages/kinds/missed';
import { inEnglish } from '../../../app/domain/words/english';

/* How a provider reads which dates of a standing time can't be kept. */

type Message = Parameters<typeof missed.sentence>[0];

const saidOf = (days: number) => {
  const dates = Array.from({ length: days }, (_, place) => ({ date: `2026-12-0${place + 1}`, why: 'taken' as const }));
  const message: Message = {
    id: 'missed',
    at: 0,
    isRead: false,
    isToHost: true,
    subject: null,
    other: 'Bo',
    host: null,
    invitationId: null,
    count: 1,
    data: { personId: 'bo', dates },
  };
  return inEnglish(missed.sentence(message));
};

const [first, second] = ['Tuesday, 1 December 2026', 'Wednesday, 2 December 2026'].map(
  (date) => `${date}, because it is taken`,
);

test.each([
  [1, `${first}.`],
  [2, `${first}; ${second}.`],
  [3, `${first}; ${second}; one more date.`],
  [9, `${first}; ${second}; 7 more dates.`],
])('of %i dates the first two are named', (days, words) => {
  expect(saidOf(days)).toBe(`The standing time of Bo can't be kept on ${words} Their card shows what is free near it.`);
});
