import { type I18n, setupI18n } from '@lingui/core';

/*
 * A language that nobody speaks, made of the English: its letters have accents, its words are 40 % longer, and each message stands in
 * brackets. What is read in it without an accent was never marked, and what is read outside of brackets was cut from a message.
 */

const accents: Record<string, string> = Object.fromEntries(
  [...'bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ'].map((letter, place) => [
    letter,
    [...'ƀçďƒĝĥĵķļḿñþǫŕšťṽŵẋžƁÇĎƑĜĤĴĶĻḾÑÞǪŔŠŤṼŴẊŽ'][place] ?? letter,
  ]),
);
// A vowel in three letters or so, twice: two fifths.
const vowels: Record<string, string> = { a: 'áá', e: 'éé', i: 'íí', o: 'óó', u: 'úú', y: 'ýý' };

const longerWord = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const vowel = vowels[letter.toLowerCase()];
    if (!vowel) return accents[letter] ?? letter;
    return letter === letter.toLowerCase() ? vowel : `${vowel[0]?.toUpperCase()}${vowel[1]}`;
  });

/** Tags stay as they are. */
const longer = (text: string) =>
  text
    .split(/(<\/?\d+\/?>)/)
    .map((part, place) => (place % 2 === 0 ? longerWord(part) : part))
    .join('');

/** A message as `compileMessage` gives it: a text, or a list of texts, placeholders and choices. */
type Compiled = string | readonly unknown[];

const isMessage = (value: unknown): value is Compiled => typeof value === 'string' || Array.isArray(value);

function longerMessage(message: Compiled): Compiled {
  if (typeof message === 'string') return longer(message);
  return message.map((token) => {
    if (typeof token === 'string') return longer(token);
    const [name, kind, choices] = token as [string, string?, unknown?];
    if (typeof choices !== 'object' || choices === null) return token;
    const forms = Object.entries(choices).map(([form, text]) => [form, isMessage(text) ? longerMessage(text) : text]);
    return [name, kind, Object.fromEntries(forms)];
  });
}

/** The same in the made-up language. */
export const madeUp = (message: Compiled): unknown[] => ['[', longerMessage(message), ']'].flat();

/** Words things in it, with the dates of another language. */
export function madeUpI18n(locale: string): I18n {
  const i18n = setupI18n({ locale, locales: [locale], messages: { [locale]: {} } });
  const worded = i18n._.bind(i18n) as (id: string, values?: object, options?: { message?: unknown }) => string;
  const made: typeof worded = (id, values, options) =>
    worded(id, values, { ...options, message: madeUp(options?.message as Compiled) });
  return Object.assign(i18n, { _: made });
}

/** Each of these texts, where it stands as a word or as whole words. */
export function anyOf(texts: readonly string[]): RegExp {
  const longestFirst = [...new Set(texts)].filter(Boolean).sort((one, other) => other.length - one.length);
  const escaped = longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${escaped.join('|')})(?![\\p{L}\\p{M}])`, 'gu');
}

/**
 * What stands in a text of the made-up language without an accent, or outside of brackets.
 * @param parts the parts of the text in their order, which may have a message's beginning and its end in different ones
 * @param known what people typed, and what is the same in each language
 */
export function strangeWords(parts: readonly string[], known: RegExp): string[] {
  let depth = 0;
  const strange: string[] = [];
  for (const part of parts) {
    const words = part.replaceAll(known, ' ').match(/[\p{L}\p{M}]+|[[\]]/gu) ?? [];
    const wrong = words.filter((word) => {
      if (word === '[') depth += 1;
      else if (word === ']') depth -= 1;
      else return depth < 1 || /[a-z]/i.test(word);
      return depth < 0;
    });
    if (wrong.length > 0) strange.push(`${wrong.join(' ')} in: ${part.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`);
  }
  return depth === 0 ? strange : [...strange, `${depth} messages have no end`];
}

const styles: Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((style) => [
  { weekday: style, timeZone: 'UTC' },
  { month: style, timeZone: 'UTC' },
  { month: style, day: 'numeric', timeZone: 'UTC' },
]);
/** The names of months and weekdays, which `Intl` gives in the language that the made-up one takes the place of. */
export const namesOfDates = (tag: string): string[] => [
  ...new Set(
    styles.flatMap((style) => {
      const format = new Intl.DateTimeFormat(tag, { ...style, calendar: 'gregory' });
      return Array.from({ length: 366 }, (_, day) =>
        format
          .formatToParts(Date.UTC(2028, 0, day + 1))
          .filter(({ type }) => type === 'weekday' || type === 'month')
          .map(({ value }) => value),
      ).flat();
    }),
  ),
];
