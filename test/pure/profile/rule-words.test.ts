import { describe, expect, test } from 'vitest';
import {
  cancelExample,
  horizonExample,
  minutesWords,
  noticeExample,
  perDayExample,
  perPersonExample,
} from '../../../app/domain/profile/rule-words';
import { inEnglish } from '../../../app/domain/words/english';

const [hour, day] = [60, 1440];

test.each([
  [0, '0 minutes'],
  [30, '30 minutes'],
  [2 * hour, '2 hours'],
  [day - 1, '23 hours 59 minutes'],
  [day, '1 day'],
  [day + 30, '1 day 30 minutes'],
  [3 * day, '3 days'],
])('%i minutes are %s', (minutes, words) => {
  expect(inEnglish(minutesWords(minutes))).toBe(words);
});

describe('an example says', () => {
  test.each([
    [0, 'Someone who opens your page at 10:00 can book a time at 10:05.'],
    [90, 'Someone who opens your page at 10:00 sees times from 11:30.'],
    [14 * hour - 1, 'Someone who opens your page at 10:00 sees times from 23:59.'],
    [14 * hour, 'Someone who opens your page at 10:00 sees times from 00:00 of the next day.'],
    [2 * day, 'Someone who opens your page at 10:00 sees times from 10:00 2 days later.'],
  ])('of a notice of %i minutes: %s', (notice, words) => {
    expect(inEnglish(noticeExample(notice))).toBe(words);
  });

  test.each([
    [0, 'An appointment at 15:00 can be canceled or moved until 15:00.'],
    [1, 'An appointment at 15:00 can be canceled or moved until 14:59.'],
    [90, 'An appointment at 15:00 can be canceled or moved until 13:30.'],
    [15 * hour, 'An appointment at 15:00 can be canceled or moved until 00:00.'],
    [15 * hour + 1, 'An appointment at 15:00 can be canceled or moved until 23:59 of the day before.'],
    [2 * day, 'An appointment at 15:00 can be canceled or moved until 15:00 2 days before.'],
  ])('of %i minutes to cancel: %s', (cancelUntil, words) => {
    expect(inEnglish(cancelExample(cancelUntil))).toBe(words);
  });

  test.each([
    [null, 'Every time that you have published can be booked.'],
    [30, 'Today people can book up to Thursday, 31 December 2026, at the time of day that it is now.'],
  ])('of %s days ahead: %s', (horizonDays, words) => {
    expect(inEnglish(horizonExample(horizonDays, '2026-12-01'))).toBe(words);
  });

  test.each([
    [null, 'One person can book as many of your times as they like.'],
    [1, 'Someone who has one coming appointment with you books again when one of them is over or canceled.'],
    [2, 'Someone who has 2 coming appointments with you books again when one of them is over or canceled.'],
  ])('of %s appointments of a person: %s', (perPerson, words) => {
    expect(inEnglish(perPersonExample(perPerson))).toBe(words);
  });

  test.each([
    [null, 'A day can be booked until no time of it is open.'],
    [1, "When one appointment is booked on a day, the other times of that day can't be booked."],
    [5, "When 5 appointments are booked on a day, the other times of that day can't be booked."],
  ])('of %s appointments of a day: %s', (perDay, words) => {
    expect(inEnglish(perDayExample(perDay))).toBe(words);
  });
});
