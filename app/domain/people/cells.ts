import { excerpt } from '../input/fields';
import { isLocalDate, isTimeZone, type LocalDate, type LocalTime, weekdayOf } from '../time/clock';
import { zoneSpelling } from '../time/zones';

/* Dates, times and lengths as programs write them. A cell is read whole, or not at all. */

/** How to read a date such as 3/4/2027. */
export type DateOrder = 'dmy' | 'mdy';

// Signs that nobody sees, which spreadsheets and web pages leave around numbers. Joiners are letters in some scripts.
const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A cell on one line with plain blanks, without signs that nobody sees. */
export const lineOf = (text: string): string =>
  text
    .replace(unseen, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** The beginning of a cell, for words about it. */
export const beginningOf = (cell: string): string => excerpt(lineOf(cell));

/** A cell without accents and in lower case, without the apostrophe by which spreadsheets mark text. */
const plainOf = (text: string): string =>
  lineOf(text)
    .replace(/^['’](?=[\d(+])/, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();

// In English, German, French, Portuguese and Spanish. Programs write as few as two or three letters of them.
const months = [
  'january januar janner janvier janeiro enero',
  'february februar fevrier fevereiro febrero',
  'march marz maerz mrz mars marco marzo',
  'april avril abril',
  'may mai maio mayo',
  'june juni juin junho junio',
  'july juli juillet julho julio',
  'august aout agosto',
  'september septembre setembro septiembre setiembre',
  'october oktober octobre outubro octubre',
  'november novembre novembro noviembre',
  'december dezember decembre dezembro diciembre',
].map((names) => names.split(' '));
const weekdays = [
  'sunday sonntag dimanche domingo',
  'monday montag lundi segunda segunda-feira lunes',
  'tuesday dienstag mardi terca terca-feira martes',
  'wednesday mittwoch mercredi quarta quarta-feira miercoles',
  'thursday donnerstag jeudi quinta quinta-feira jueves',
  'friday freitag vendredi sexta sexta-feira viernes',
  'saturday samstag sonnabend samedi sabado',
].map((names) => names.split(' '));

const startingWith = (lists: string[][], letters: string): number[] =>
  lists.flatMap((names, place) => (names.some((name) => name.startsWith(letters)) ? [place] : []));

const year = '(?:\\d{4}|\\d{2})';
const weekday = '(?:[a-z]{2,13}(?:-feira)?[.,]{0,2} (?:(?:den|der|le|el|the) )?)?';
const slashedDate = `\\d{1,2}([-/.]) ?\\d{1,2}{sign} ?${year}`;
const isoDate = '\\d{4}([-/.]) ?\\d{1,2}{sign} ?\\d{1,2}\\.?';
const dayFirst = `\\d{1,2}(?:\\.|st|nd|rd|th|er|o|º)?[-/ ]*(?:de |of )?[a-z]{3,12}\\.?[-/, ]*(?:del? )?${year}`;
const monthFirst = `[a-z]{3,12}\\.?[-/ ]*\\d{1,2}(?:st|nd|rd|th)?(?:, ?|[-/ ])${year}`;
const yearFirst = '\\d{4}[-/ ][a-z]{3,12}\\.?[-/ ]\\d{1,2}';
const compactDate = '(?:19|20)\\d{6}';

/** A pattern of any date. @param group the number of the group before it, because two groups keep the sign */
const dateAfter = (group: number) =>
  `${weekday}(?:${isoDate.replace('{sign}', `\\${group + 1}`)}|${slashedDate.replace('{sign}', `\\${group + 2}`)}|` +
  `${yearFirst}|${dayFirst}|${monthFirst}|${compactDate})`;

const between = '(?:t(?=\\d)|,? (?:(?:at|um|a las|as|a|@|-|–) )?|, ?)';
const dateThenTime = new RegExp(`^(?<date>${dateAfter(1)})(?:(?<between>${between})(?<rest>.+))?$`);
const timeThenDate = new RegExp(
  `^(?<rest>\\d{1,2}(?:[:.h]\\d{2}){0,2}(?: ?[ap]\\.? ?m\\.?| ?uhr| h)?)(?:, ?| )(?:(?:on|am|le|el|em|-|–) )?(?<date>${dateAfter(2)})$`,
);

// A minus could also stand between two times, so it needs a time with seconds, or a T before.
const zoned =
  /^(?<clock>.*?\d.*?) ?(?:\(?(?<utc>z|utc|gmt)\)?|(?<named>utc|gmt)? ?(?<sign>[+\-−])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?(?: \([^()]*\))?|[ [](?<zone>[a-z]+\/[a-z_/+-]+)\]?)$/;

/** A moment as it is written: '' for what it lacks. `zone` is an offset, or the name of a zone. */
type WrittenMoment = { date: string; clock: string; zone: string };

function zoneOf(text: string, isExact: boolean): { clock: string; zone: string } {
  const { clock, utc, named, sign, hours, minutes = '00', zone } = zoned.exec(text)?.groups ?? {};
  const unzoned = { clock: text, zone: '' };
  if (clock === undefined) return unzoned;
  if (utc !== undefined) return { clock, zone: 'UTC' };
  if (zone !== undefined) {
    const inner = zoneOf(clock, isExact);
    if (inner.zone) return inner;
    return isTimeZone(zone) ? { clock, zone: zoneSpelling(zone) } : unzoned;
  }
  const isNoRange = /\d[:.]\d{2}[:.]\d{2}/.test(clock) || /:.*-\d{4}$/.test(text);
  if (sign !== '+' && !named && !isNoRange && !isExact) return unzoned;
  if (Number(hours) > 14 || Number(minutes) > 59) return unzoned;
  return { clock, zone: `${sign === '+' ? '+' : '-'}${String(hours).padStart(2, '0')}:${minutes}` };
}

/** Parts a cell into its date and its time. Neither is checked: what is no date stands in `clock`. */
export function momentOf(cell: string): WrittenMoment {
  const text = plainOf(cell);
  const { date = '', between, rest = '' } = (dateThenTime.exec(text) ?? timeThenDate.exec(text))?.groups ?? {};
  return { date, ...zoneOf(date ? rest : text, between === 't') };
}

const slashed = new RegExp(`^${weekday}(\\d{1,2})([-/.]) ?(\\d{1,2})\\2 ?(\\d{4})$`);
export const isSlashed = (date: string): boolean => slashed.test(plainOf(date));

/** The order of day and month in these dates; undefined if each date can be read both ways. */
export function orderOf(dates: string[]): DateOrder | undefined {
  const read = dates.flatMap((text) => {
    const [, first, sign, second] = slashed.exec(plainOf(text)) ?? [];
    return first && second ? [{ first: Number(first), second: Number(second), sign }] : [];
  });
  if (read.some(({ first }) => first > 12)) return 'dmy';
  if (read.some(({ second }) => second > 12)) return 'mdy';
  if (read.some(({ sign }) => sign === '.')) return 'dmy';
  return read.every(({ first, second }) => first === second) ? 'dmy' : undefined;
}

const weekdayBefore = /^([a-z]{2,13}(?:-feira)?)[.,]{0,2} (?:(?:den|der|le|el|the) )?(?=.*\d)(.+)$/;

function partsOf(text: string, order: DateOrder): [year: string, month: string, day: string] | undefined {
  const [, isoYear, , isoMonth, isoDay] = /^(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?$/.exec(text) ?? [];
  if (isoYear && isoMonth && isoDay) return [isoYear, isoMonth, isoDay];
  const [, , , , slashedYear] = slashed.exec(text) ?? [];
  const [, first = '', , second = ''] = slashed.exec(text) ?? [];
  if (slashedYear) return order === 'dmy' ? [slashedYear, second, first] : [slashedYear, first, second];
  const [, compactYear, compactMonth, compactDay] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  if (compactYear && compactMonth && compactDay) return [compactYear, compactMonth, compactDay];
  if (!new RegExp(`^(?:${yearFirst}|${dayFirst}|${monthFirst})$`).test(text)) return undefined;
  const withoutSmallWords = text.replaceAll(/ (?:de|del|of) /g, ' ');
  const [word = ''] = /[a-z]{3,12}/.exec(withoutSmallWords.replaceAll(/\d(?:st|nd|rd|th|er|o|º)/g, '')) ?? [];
  const [writtenYear] = /\d{4}/.exec(text) ?? [];
  const [day] = /(?<!\d)\d{1,2}(?!\d)/.exec(text) ?? [];
  const [month, ...others] = startingWith(months, word);
  return writtenYear && day && month !== undefined && others.length === 0
    ? [writtenYear, String(month + 1), day]
    : undefined;
}

/** Reads a date; null if it isn't one, or its weekday is another one's. A year has four digits. */
export function dateOf(cell: string, order: DateOrder): LocalDate | null {
  const text = plainOf(cell);
  const read = (words: string) => {
    const date = partsOf(words, order)
      ?.map((part) => part.padStart(2, '0'))
      .join('-');
    return date !== undefined && isLocalDate(date) ? date : null;
  };
  const [, day, rest] = weekdayBefore.exec(text) ?? [];
  // `mar 4, 2027` begins with a month, `mar 4 mars 2027` with a weekday.
  const unnamed = /^[a-z]{2,13}\S* (?:(?:den|der|le|el|the) )?\d{1,2}[-/.]/.test(text) ? null : read(text);
  if (unnamed || !day || !rest) return unnamed;
  const date = read(rest);
  return date && startingWith(weekdays, day).includes(weekdayOf(date)) ? date : null;
}

/** Whether a date is the first day of a spreadsheet's time, which stands before a time alone. */
export const isNoDate = (date: string): boolean => /^(?:1899|1900)\b|\b(?:1899|1900)$/.test(date);

/** Whether a date's year has two digits: it could be its day. */
export const hasShortYear = (date: string): boolean => !/\d{4}/.test(date);

const clockPattern =
  /^(\d{1,2})(?:(?:[:.]| ?h ?| uhr )(\d{2})(?:[:.]00(?:[.,]0+)?)?)?(?: ?(?:([ap])\.? ?m\.?|([ap])|uhr|h|hs|hrs))?$/;
const digitsOnly = /^(\d{2})(\d{2})(?:00)?$/;

/** Reads 14:30, 14.30, 14h30, 1430 or 2:30 p.m. as HH:mm; null for anything else, and for seconds. */
export function clockOf(cell: string): LocalTime | null {
  const text = plainOf(cell);
  // A spreadsheet writes 6:00 as 0.25 where it lost the format.
  if (/^0\./.test(text)) return null;
  const [, hours = '', minutes = '00', dotted, bare] = clockPattern.exec(text) ?? digitsOnly.exec(text) ?? [];
  const [written, half] = [Number(hours), dotted ?? bare];
  if (hours === '' || written > 23 || Number(minutes) > 59) return null;
  if ((half === 'a' && written > 12) || (half === 'p' && written === 0)) return null;
  const isLater = half === 'p' && written < 12;
  const hour = half === 'a' && written === 12 ? 0 : written + (isLater ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** Whether a time is 24:00, the end of a day. */
export const isEndOfDay = (cell: string): boolean => /^24(?:[:.]00(?:[:.]00)?|h(?:00)?| uhr)$/.test(plainOf(cell));

const unitsOf = (names: string, minutes: number) => names.split(' ').map((name) => [name, minutes] as const);
/** Minutes of each unit, in the languages of `months`. */
const units = new Map([
  ...unitsOf('h hr hrs hour hours std stunde stunden heure heures hora horas', 60),
  ...unitsOf("m min mins minute minutes minuten minuto minutos ' ′", 1),
  ...unitsOf('s sec secs second seconds sek sekunden', 1 / 60),
]);
const fractions: Record<string, string> = { '½': '.5', '¼': '.25', '¾': '.75' };
const amount = /^(\d+(?:[.,]\d+)?|\.\d+) ?([a-z'′]+)\.?(?:,? (?:and |und |et |e |y )?|,|$)?/;

const wholeMinutes = (count: number): number | null => {
  const minutes = Math.round(count);
  return Math.abs(count - minutes) < 1e-6 ? minutes : null;
};

/** Reads '1 h 30' or '1.5 hours': amounts with units, the smaller ones after the larger. */
function minutesOfAmounts(text: string): number | null {
  let [rest, sum, last] = [text, 0, Number.POSITIVE_INFINITY];
  while (rest !== '') {
    const [all = '', count = '', word = ''] = amount.exec(rest) ?? [];
    const unit = units.get(word);
    // In '1 h 30' the minutes have no unit.
    if (last === 60 && /^\d{1,2}$/.test(rest)) return Number(rest) < 60 ? wholeMinutes(sum + Number(rest)) : null;
    if (unit === undefined || unit >= last) return null;
    sum += Number(count.replace(',', '.')) * unit;
    [rest, last] = [rest.slice(all.length), unit];
  }
  return text === '' ? null : wholeMinutes(sum);
}

/**
 * Reads a length in whole minutes: 90, 1:30, 1.5 hours, 1 h 30, PT1H30M; null for anything else.
 * @param isInHours a number without a unit has hours
 */
export function minutesOf(cell: string, isInHours = false): number | null {
  const text = plainOf(cell).replaceAll(/ ?[½¼¾]/g, (sign) => fractions[sign.trim()] as string);
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)(?::00)?(?: ?(?:h|hrs?|hours?|std|stunden)\.?)?$/.exec(text) ?? [];
  if (hours) return Number(hours) * 60 + Number(minutes);
  if (/^\d+(?:[.,]0{1,2})?$/.test(text)) return Number.parseInt(text, 10) * (isInHours ? 60 : 1);
  if (isInHours && /^\d*[.,]\d+$/.test(text)) return wholeMinutes(Number(text.replace(',', '.')) * 60);
  const [, iso] = /^p(?:0d)?t((?:\d+(?:[.,]\d+)?[hms])+)$/.exec(text) ?? [];
  return minutesOfAmounts(
    iso ? iso.replaceAll(/[hms](?=\d)/g, '$& ') : text.replace(/^an? (?=h)/, '1 ').replace(/^half an (?=h)/, '0.5 '),
  );
}
