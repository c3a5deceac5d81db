/**
 * What people read, in no language yet: a message with its values, a date, a time of day, a list, or what
 * somebody typed. Doors word
 * it with `worded`. It is plain JSON.
 */
export type Words = string | Message | DateWords | ClockWords | ListWords;

/** What stands in a placeholder of a message. Words are worded with it. */
export type Value = Words | number;

/** As `msg` of `@lingui/core/macro` makes it: the English in ICU, compiled by the build, and the id of its translations. */
export type Message = { id: string; message?: unknown; values?: Record<string, unknown> };

/** `full`: 'Wednesday, 2 December 2026'; `short`: 'Wed 2 Dec'; `shortWithYear`: 'Wed 2 Dec 2026'; `dayAndMonth`: '2 December';
 * `dayMonthYear`: '2 December 2026'; `weekdayHead`: 'Wed', or a
 * letter where the language has no short names; the others are its parts. */
export type DateStyle =
  | 'full'
  | 'short'
  | 'shortWithYear'
  | 'dayAndMonth'
  | 'dayMonthYear'
  | 'day'
  | 'weekday'
  | 'weekdayHead'
  | 'longWeekday'
  | 'month'
  | 'longMonth'
  | 'monthAndYear'
  | 'year';
/** The date is 'YYYY-MM-DD'. */
export type DateWords = { date: string; as: DateStyle };

/** A time of day on a wall clock, 'HH:mm'. */
export type ClockWords = { clock: string };

/** Names or things of one kind, one after the other: 'Ana, Ben and Mia'. */
type ListWords = { list: Words[] };

export const isMessage = (words: Words): words is Message => typeof words === 'object' && 'id' in words;
