import type { I18n } from '@lingui/core';
import { memo } from '../memo';
import type { LocalDate, LocalTime } from '../time/clock';
import { englishDate, englishTime } from './english-date';
import { tagOf } from './i18n';
import { habitsOf } from './region';
import { type DateStyle, isMessage, type Value, type Words } from './words';

/** What `words` say in the reader's language. */
export function worded(i18n: I18n, words: Words): string {
  if (typeof words === 'string') return words;
  if (isMessage(words)) {
    const values = Object.entries(words.values ?? {}).map(([name, value]) => [name, wordedValue(i18n, value as Value)]);
    // The type of Lingui's option doesn't know of compiled messages, its function does.
    return i18n._(words.id, Object.fromEntries(values), { message: words.message as string });
  }
  if ('list' in words)
    return listed(
      i18n,
      words.list.map((item) => worded(i18n, item)),
    );
  const tag = tagOf(i18n);
  // English is written out below, so that each browser writes it as the server did.
  const english = i18n.locale === 'en' && habitsOf(tag);
  if ('clock' in words) return english ? englishTime(words.clock, english) : timeIn(tag, words.clock);
  return english ? englishDate(words.date, english)[words.as] : dateIn(tag, words.date, words.as);
}

/** 'Ana, Ben and Mia', or as the reader's language lists names. */
function listed(i18n: I18n, names: string[]): string {
  if (i18n.locale !== 'en') return listFormatOf(tagOf(i18n)).format(names);
  const [others, last = ''] = [names.slice(0, -1), names.at(-1)];
  return others.length > 0 ? `${others.join(', ')} and ${last}` : last;
}

// To make a format takes 38 µs, to use it 3.
const mostFormats = 1000;
const listFormatBy = memo<Intl.ListFormat>(mostFormats);
const dateFormatBy = memo<Intl.DateTimeFormat>(mostFormats);

const listFormatOf = (tag: string): Intl.ListFormat => listFormatBy(tag, () => new Intl.ListFormat(tag));

const wordedValue = (i18n: I18n, value: Value) => (typeof value === 'number' ? value : worded(i18n, value));

const short = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const styles: Record<DateStyle | 'clock', Intl.DateTimeFormatOptions> = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  short,
  shortWithYear: { ...short, year: 'numeric' },
  dayAndMonth: { day: 'numeric', month: 'long' },
  dayMonthYear: { day: 'numeric', month: 'long', year: 'numeric' },
  monthAndYear: { month: 'long', year: 'numeric' },
  day: { day: 'numeric' },
  weekday: { weekday: 'short' },
  weekdayHead: { weekday: 'narrow' },
  longWeekday: { weekday: 'long' },
  month: { month: 'short' },
  longMonth: { month: 'long' },
  year: { year: 'numeric' },
  clock: { hour: 'numeric', minute: '2-digit' },
};

// Arabic in some countries would count the years of another calendar.
const formatOf = (tag: string, style: keyof typeof styles): Intl.DateTimeFormat =>
  dateFormatBy(
    `${tag} ${style}`,
    () => new Intl.DateTimeFormat(tag, { ...styles[style], calendar: 'gregory', timeZone: 'UTC' }),
  );

// Seven names stand side by side on a phone: more letters than these are no short name.
const shortName = 4;

function dateIn(tag: string, date: LocalDate, style: DateStyle): string {
  const at = Date.parse(date);
  if (style !== 'weekdayHead') return formatOf(tag, style).format(at);
  const name = formatOf(tag, 'weekday').format(at);
  return name.length > shortName ? formatOf(tag, style).format(at) : name;
}
const timeIn = (tag: string, time: LocalTime) => formatOf(tag, 'clock').format(Date.parse(`1970-01-01T${time}Z`));
