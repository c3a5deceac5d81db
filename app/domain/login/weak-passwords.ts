import { msg } from '@lingui/core/macro';
import { fold } from '../input/fold';
import type { Words } from '../words/words';
import { alsoUsed } from './also-used-passwords';
import { mostLeaked } from './most-used-passwords';

// We refuse a common password only as a whole, and a name only if hardly anything else is in the password.

export const weakWords = {
  mostUsed: msg`Password is one of the most used ones. Choose another.`,
  product: msg`Password is hardly more than the name Daybook. Choose another.`,
  username: msg`Password is hardly more than your username. Choose another.`,
  displayName: msg`Password is hardly more than your name. Choose another.`,
};

const mostUsed: ReadonlySet<string> = new Set(`${mostLeaked} ${alsoUsed}`.trim().split(/\s+/));

export const isMostUsed = (password: string): boolean => mostUsed.has(password.toLowerCase());

const product = 'daybook';
/** With this many letters beside the product's name, a password is hard to guess. */
const ownLetters = 4;

const letters = (words: string) => fold(words).replace(/\P{L}/gu, '');

/** True for the product's name with only digits, punctuation or a short word. */
export const isProductName = (password: string): boolean => {
  const word = letters(password);
  return word.includes(product) && word.length - product.length < ownLetters;
};

/** In letters. Shorter names are part of many words by chance. */
const shortestName = 4;

export function isName(password: string, name: string | null): boolean {
  if (name === null) return false;
  const [word, plain] = [fold(password), fold(name)];
  if (letters(plain).length >= shortestName && letters(word) === letters(plain)) return true;
  return plain.length >= shortestName && word.includes(plain) && letters(word.replace(plain, '')) === '';
}

export function nameFault(
  password: string,
  { username, displayName }: { username: string | null; displayName: string },
): Words | undefined {
  if (isName(password, username)) return weakWords.username;
  return isName(password, displayName) ? weakWords.displayName : undefined;
}
