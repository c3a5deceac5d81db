import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { addressAsSent, carriedWords, characters, digitsOf, phone, seenName, tidyLines } from '../input/fields';
import { limits } from '../input/limits';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';
import { beginningOf, lineOf } from './cells';

/* Names, addresses, numbers and notes as other programs write them. What a card can't take is said, never lost unseen. */

/** A cell as read: a value for the card, lines for its note, and words for the reader. */
export type ReadCell = { value: string | null; noted: string[]; said: Words[] };

const empty: ReadCell = { value: null, noted: [], said: [] };
const leftOut = (words: Words): ReadCell => ({ ...empty, said: [words] });

// A sign that the file's encoding has no letter for.
const broken = '\ufffd';

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
  const text = beginningOf(cell);
  if (written.includes(broken)) return leftOut(msg`The e-mail “${text}” is left out: it has signs that can’t be read.`);
  const whole = addressIn(written);
  if (whole) return { ...empty, value: whole };
  const parts = severalOf(cell, /\s*,\s*|\s+\/\s+|\s+(?=[^\s<>@]+@)/);
  const value = parts.map(addressIn).find((address) => address !== null);
  if (!value) {
    const { email: most } = limits;
    return leftOut(
      characters(written) > most
        ? msg`The e-mail “${text}” is left out: it can have at most ${plural({ most }, { one: '# character', other: '# characters' })}.`
        : msg`The e-mail “${text}” is left out: that is no e-mail address.`,
    );
  }
  const others = parts.filter((part) => addressIn(part)?.toLowerCase() !== value.toLowerCase());
  if (others.length === 0) return { ...empty, value };
  const noted = beginningOf(others.join(', '));
  return {
    value,
    noted: [`E-mail: ${others.join(', ')}`],
    said: [msg`A card has one e-mail, so “${noted}” goes to the note of a new card.`],
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
  const text = beginningOf(cell);
  if (shortened.test(written.replace(/^['’]/, ''))) {
    return leftOut(msg`The phone number “${text}” is left out: a spreadsheet has shortened it.`);
  }
  const whole = numberOf(written);
  if (whole) return { ...empty, value: whole };
  const [first = '', ...others] = severalOf(cell, /\s*,\s*(?=\+|\d{5})|\s+(?:or|oder|ou|o)\s+/i);
  const [, main = first, digits] = extension.exec(first) ?? [];
  const value = shortened.test(first) ? null : numberOf(main);
  if (!value) {
    const { min, max } = limits.phone;
    const count = (digitsOf(written) ?? '').length;
    return leftOut(
      count > 0 && (written.length < min || written.length > max)
        ? msg`The phone number “${text}” is left out: a number has ${min} to ${max} characters.`
        : msg`The phone number “${text}” is left out: that is no phone number.`,
    );
  }
  const rest = (digits === undefined ? others : [first, ...others]).join(', ');
  if (rest === '') return { ...empty, value };
  const noted = beginningOf(rest);
  return {
    value,
    noted: [`Phone: ${rest}`],
    said: [
      digits === undefined
        ? msg`A card has one phone number, so “${noted}” goes to the note of a new card.`
        : msg`A card has no extension of a number, so “${noted}” goes to the note of a new card.`,
    ],
  };
}

const nameField = seenName(msg`Name`, limits.displayName);

/** Reads a name. @returns the words why it can't be a card's */
export function nameIn(cell: string): { name: string } | { why: Words } {
  const name = lineOf(cell);
  if (name.includes(broken)) return { why: msg`The name has signs that can’t be read.` };
  const read = z.safeParse(nameField, name);
  if (read.success) return { name: read.data };
  return { why: inARow(read.error.issues.map(({ message }) => carriedWords(message))) };
}

/** Reads a note, with the lines that other cells give it. */
export function noteIn(cell: string, lines: string[]): ReadCell {
  const text = tidyLines(cell.replaceAll(/[\v\f\u0085\u2028\u2029]/g, '\n'))
    .replaceAll(/[^\P{Cc}\n]+|\p{Cs}+/gu, ' ')
    .trim();
  const said: Words[] = [];
  const { personNote: most } = limits;
  const isLong = characters(text) > most;
  if (isLong)
    said.push(
      msg`The note is left out: it has more than ${plural({ most }, { one: '# character', other: '# characters' })}.`,
    );
  let note = isLong ? '' : text;
  for (const line of lines) {
    const longer = note === '' ? line : `${note}\n${line}`;
    const start = beginningOf(line);
    if (characters(longer) > most) said.push(msg`The note has no room for “${start}”.`);
    else note = longer;
  }
  return { value: note || null, noted: [], said };
}
