import * as z from 'zod/mini';
import { addressAsSent, characters, digitsOf, phone, seenName, tidyLines } from '../input/fields';
import { limits } from '../input/limits';
import { lineOf, quoted } from './cells';

/* Names, addresses, numbers and notes as other programs write them. What a card can't take is said, never lost unseen. */

/** A cell as read: a value for the card, lines for its note, and words for the reader. */
export type ReadCell = { value: string | null; noted: string[]; said: string[] };

const empty: ReadCell = { value: null, noted: [], said: [] };
const leftOut = (what: string, text: string, why: string): ReadCell => ({
  ...empty,
  said: [`${what} ${quoted(text)} is left out: ${why}`],
});

// A sign that the file's encoding has no letter for.
const broken = '\ufffd';
const brokenWords = 'it has signs that can’t be read.';

/** Parts a cell where programs put several values: Google writes ` ::: ` between them, others a semicolon or a line. */
const severalOf = (text: string, also: RegExp | null = null): string[] =>
  text
    .split(/\s+:::\s+|[;|\r\n]+/)
    .flatMap((part) => (also ? part.split(also) : [part]))
    .map(lineOf)
    .filter((part) => part !== '');

/** An address as it is written alone, with the name of its owner, or as a link. */
const addressIn = (text: string): string | null =>
  addressAsSent(/^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '').replace(/^\* /, ''));

/** Reads the first address of a cell. The others go to the note. */
export function emailIn(cell: string): ReadCell {
  const written = lineOf(cell);
  if (written === '') return empty;
  if (written.includes(broken)) return leftOut('The e-mail', cell, brokenWords);
  const whole = addressIn(written);
  if (whole) return { ...empty, value: whole };
  const parts = severalOf(cell, /\s*,\s*|\s+\/\s+|\s+(?=[^\s<>@]+@)/);
  const value = parts.map(addressIn).find((address) => address !== null);
  if (!value) {
    const isLong = characters(written) > limits.email;
    const why = isLong ? `it can have at most ${limits.email} characters.` : 'that is no e-mail address.';
    return leftOut('The e-mail', cell, why);
  }
  const others = parts.filter((part) => addressIn(part)?.toLowerCase() !== value.toLowerCase());
  if (others.length === 0) return { ...empty, value };
  return {
    value,
    noted: [`E-mail: ${others.join(', ')}`],
    said: [`A card has one e-mail, so ${quoted(others.join(', '))} goes to the note of a new card.`],
  };
}

const extension =
  /^(.*\d\)?)[\s,]*(?:(?:ext(?:ension)?|extn|x|durchwahl|dw|nst|poste|ramal|int)\.?|#)[\s:.]*(\d{1,8})$/i;
const shortened = /^\+?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/** A number in the signs that a card takes; null if it has others. */
function numberOf(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/^(?:tel|phone):\s*/i, '')
    .replace(/^['’](?=[\d+(])/, '')
    .replace(/^(\+?\d{5,})[.,]00?$/, '$1') // a number that a program took for a measure
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[[{]/g, '(')
    .replaceAll(/[\]}]/g, ')')
    .replaceAll(/(?<=\d)\.(?=\d{2})|(?<=\))\.|\.(?=\()/g, ' ')
    .replaceAll(/[⁄∕]/g, '/');
  const read = z.safeParse(phone, lineOf(plain));
  return read.success ? (read.data ?? null) : null;
}

/** Reads the first number of a cell. An extension, and other numbers, go to the note. */
export function phoneIn(cell: string): ReadCell {
  const written = lineOf(cell);
  if (written === '') return empty;
  if (shortened.test(written.replace(/^['’]/, ''))) {
    return leftOut('The phone number', cell, 'a spreadsheet has shortened it.');
  }
  const whole = numberOf(written);
  if (whole) return { ...empty, value: whole };
  const [first = '', ...others] = severalOf(cell, /\s*,\s*(?=\+|\d{5})|\s+(?:or|oder|ou|o)\s+/i);
  const [, main = first, digits] = extension.exec(first) ?? [];
  const value = shortened.test(first) ? null : numberOf(main);
  if (!value) {
    const { min, max } = limits.phone;
    const count = (digitsOf(written) ?? '').length;
    const why =
      count > 0 && (written.length < min || written.length > max)
        ? `a number has ${min} to ${max} characters.`
        : 'that is no phone number.';
    return leftOut('The phone number', cell, why);
  }
  const noted = digits === undefined ? others : [first, ...others];
  if (noted.length === 0) return { ...empty, value };
  const why = digits === undefined ? 'A card has one phone number' : 'A card has no extension of a number';
  return {
    value,
    noted: [`Phone: ${noted.join(', ')}`],
    said: [`${why}, so ${quoted(noted.join(', '))} goes to the note of a new card.`],
  };
}

const nameField = seenName('Name', limits.displayName);

/** Reads a name. @returns the words why it can't be a card's */
export function nameIn(cell: string): { name: string } | { why: string } {
  const name = lineOf(cell);
  if (name.includes(broken)) return { why: `The name ${brokenWords.replace('it ', '')}` };
  const read = z.safeParse(nameField, name);
  return read.success ? { name: read.data } : { why: read.error.issues.map(({ message }) => message).join(' ') };
}

/** Reads a note, with the lines that other cells give it. */
export function noteIn(cell: string, lines: string[]): ReadCell {
  const text = tidyLines(cell.replaceAll(/[\v\f\u0085\u2028\u2029]/g, '\n'))
    .replaceAll(/[^\P{Cc}\n]+|\p{Cs}+/gu, ' ')
    .trim();
  const said: string[] = [];
  const isLong = characters(text) > limits.personNote;
  if (isLong) said.push(`The note is left out: it has more than ${limits.personNote.toLocaleString('en')} characters.`);
  let note = isLong ? '' : text;
  for (const line of lines) {
    const longer = note === '' ? line : `${note}\n${line}`;
    if (characters(longer) > limits.personNote) said.push(`The note has no room for ${quoted(line)}.`);
    else note = longer;
  }
  return { value: note || null, noted: [], said };
}
