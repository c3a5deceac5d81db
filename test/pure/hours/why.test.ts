import { describe, expect, test } from 'vitest';
import type { Hours } from '../../../app/domain/hours/hours';
import { type TimeContext, whyOf } from '../../../app/domain/hours/why';
import type { LocalDate, LocalTime } from '../../../app/domain/time/clock';
import { instantOf } from '../../../app/domain/time/zones';
import { inEnglish } from '../../../app/domain/words/english';

/* Why a time of a provider is offered or not, one reason at a time. */

const zone = 'Europe/Berlin';
const at = (date: LocalDate, time: LocalTime) => instantOf(date, time, zone);
/** A Wednesday at noon. */
const now = at('2026-12-02', '12:00');

/** Wednesdays and Sundays from nine, in half hours with ten minutes between them. */
const hours: Hours = {
  hours: [
    { day: 3, start: '09:00', end: '11:20' },
    { day: 0, start: '01:00', end: '04:00' },
  ],
  except: [{ date: '2026-12-16', hours: [] }],
  len: 30,
  gap: 10,
  ahead: 120,
  notes: null,
  templateId: null,
};

const noRules = { notice: 0, horizonDays: null, perDay: null, booked: 0 };
const nothingElse: TimeContext = { slots: [], rules: noRules, busy: [] };

/** What is said of a time on the Wednesday in a week, unless another date is named. */
function whyNot(time: LocalTime, around: Partial<TimeContext> = {}, date = '2026-12-09', own: Hours | null = hours) {
  const { short, more } = whyOf({ date, time }, zone, own, { ...nothingElse, ...around }, now);
  return { short: inEnglish(short), more: inEnglish(more) };
}

/** A slot on the Wednesday in a week. */
const slot = (start: LocalTime, end: LocalTime, status: 0 | 1 | 2) => ({
  startsAt: at('2026-12-09', start),
  endsAt: at('2026-12-09', end),
  status,
  hiddenBy: null,
});
const open = slot('09:00', '09:30', 0);

/** Something else at the time of the open slot. */
const busy = {
  startsAt: at('2026-12-09', '09:15'),
  endsAt: at('2026-12-09', '10:00'),
  name: null,
  calendar: 'Family',
  readAt: null,
  failure: null,
  doubts: null,
};

test('an open time is offered', () => {
  expect(whyNot('09:10', { slots: [open] })).toEqual({
    short: 'It is offered.',
    more: 'People can book the time from 09:00 to 09:30 (Berlin time).',
  });
});

test('a booked time says from when to when', () => {
  expect(whyNot('09:10', { slots: [slot('09:00', '09:30', 1)] })).toEqual({
    short: 'It is booked.',
    more: 'The appointment is from 09:00 to 09:30 (Berlin time).',
  });
});

test('a canceled time is one that hours leave alone', () => {
  expect(whyNot('09:10', { slots: [slot('09:00', '09:30', 2)] })).toEqual({
    short: 'You removed or canceled it.',
    more: 'Hours do not publish it again. You can publish it by hand.',
  });
});

test('a canceled time that is published again is offered', () => {
  const slots = [slot('09:00', '09:30', 2), open];

  expect(whyNot('09:10', { slots }).short).toBe('It is offered.');
});

test('a time that has passed is over, whatever was there', () => {
  expect(whyNot('12:00', {}, '2026-12-02').short).toBe('It is over.');
});

test('a time that the clocks skip has the one that they show', () => {
  expect(whyNot('02:30', {}, '2027-03-28')).toEqual({
    short: 'The clocks change.',
    more: 'On that day the clocks skip 02:30 and show 03:30 (Berlin time).',
  });
});

describe('an open time is hidden', () => {
  test.each([
    [
      'within the notice',
      'notice',
      { notice: 170 * 60 },
      'It is too soon.',
      'Your rules ask for a notice of 170 hours.',
    ],
    [
      'after the horizon',
      'horizonDays',
      { horizonDays: 3 },
      'It is too far ahead.',
      'By your rules people book up to 3 days ahead.',
    ],
    [
      'of a service that is switched off',
      'service',
      {},
      'Its service is not offered.',
      'You have switched the service of that time off.',
    ],
    [
      'on a full day',
      'perDay',
      { perDay: 4, booked: 4 },
      'That day is full.',
      'By your rules a day takes 4 appointments, and has 4.',
    ],
  ] as const)('%s', (_, hiddenBy, rules, short, more) => {
    const slots = [{ ...open, hiddenBy }];

    expect(whyNot('09:10', { slots, rules: { ...noRules, ...rules } })).toEqual({ short, more });
  });

  const slots = [{ ...open, hiddenBy: 'busy' as const }];

  test('by an event of another calendar, which is not named', () => {
    expect(whyNot('09:10', { slots, busy: [busy] })).toEqual({
      short: 'You have something else.',
      more: 'Something in your calendar Family is from 09:15 to 10:00 (Berlin time).',
    });
  });

  test('by a party of their own, by its name', () => {
    const party = { ...busy, name: 'Lanterns', calendar: null };

    expect(whyNot('09:10', { slots, busy: [party] }).more).toBe('“Lanterns” is from 09:15 to 10:00 (Berlin time).');
  });

  test.each([
    ['within the hour', 59, 'We read it within the last hour.'],
    ['hours ago', 150, 'We read it 2 hours ago.'],
  ])('by a calendar that was read %s, which is said', (_, minutes, words) => {
    const read = { ...busy, readAt: now - minutes * 60_000 };

    expect(whyNot('09:10', { slots, busy: [read] }).more).toContain(words);
  });

  test('by a calendar in doubt, with the doubts and the failure since', () => {
    const doubtful = { ...busy, doubts: ['1 event has no end.'], failure: 'not_found' as const };

    const { more } = whyNot('09:10', { slots, busy: [doubtful] });

    expect(more).toContain('1 event has no end.');
    expect(more).toContain('Since then: There is nothing at its address any more.');
  });
});

describe('a time that is not there', () => {
  test.each([
    ['without hours', null],
    ['with hours on no day', { ...hours, hours: [], except: [] }],
  ])('is by hand alone %s', (_, own) => {
    expect(whyNot('09:10', {}, '2026-12-09', own)).toEqual({
      short: 'You have set no hours.',
      more: 'Nothing is published but what you publish by hand.',
    });
  });

  test('is too far ahead for the hours', () => {
    expect(whyNot('09:10', {}, '2026-12-09', { ...hours, ahead: 5 })).toEqual({
      short: 'It is too far ahead.',
      more: 'Your hours publish 5 days ahead, up to Monday, 7 December 2026.',
    });
  });

  test('is on a weekday without hours', () => {
    expect(whyNot('09:10', {}, '2026-12-10')).toEqual({
      short: 'You are closed.',
      more: 'Your week has no hours on Thursdays.',
    });
  });

  test('is on a day off', () => {
    expect(whyNot('09:10', {}, '2026-12-16')).toEqual({
      short: 'You are closed.',
      more: 'It is one of your days off.',
    });
  });

  test('is outside the hours of its day', () => {
    expect(whyNot('11:20')).toEqual({
      short: 'You are closed.',
      more: 'On that day you are there from 09:00 to 11:20 (Berlin time).',
    });
  });

  test('is in the gap between two times', () => {
    expect(whyNot('09:35')).toEqual({ short: 'It is in the gap.', more: 'You keep 10 minutes between two times.' });
  });

  test('has no room before the hours end', () => {
    expect(whyNot('11:00')).toEqual({
      short: 'There is no room.',
      more: 'What is left until 11:20 (Berlin time) is shorter than 30 minutes.',
    });
  });

  test('is wanted by hours that are not saved since', () => {
    expect(whyNot('09:10')).toEqual({
      short: 'It is not published yet.',
      more: 'Save your hours to publish 09:00 to 09:30.',
    });
  });

  test.each([
    ['an open time', 0, 'is published'],
    ['an appointment', 1, 'is booked'],
    ['a canceled time', 2, 'you removed'],
  ] as const)('has %s in the way', (_, status, words) => {
    expect(whyNot('09:10', { slots: [slot('09:20', '09:50', status)] })).toEqual({
      short: 'Something is in the way.',
      more: `09:00 to 09:30 would overlap 09:20 to 09:50 (Berlin time), which ${words}.`,
    });
  });

  test('has other hours on the day on which the clocks change', () => {
    expect(whyNot('03:55', {}, '2027-03-28').short).toBe('The clocks change on that day.');
  });
});
