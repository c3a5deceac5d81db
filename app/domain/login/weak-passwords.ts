import { fold } from '../input/fold';
import { alsoUsed } from './also-used-passwords';
import { mostLeaked } from './most-used-passwords';

/*
 * Passwords that satisfy the rules for characters and are guessed first all the same. A common one is refused only as a
 * whole, and a name only with hardly anything else: words of one's own make it safe enough.
 */

export const weak = {
  mostUsed: 'Password is one of the most used ones. Choose another.',
  product: 'Password is hardly more than the name Daybook. Choose another.',
  username: 'Password is hardly more than your username. Choose another.',
  displayName: 'Password is hardly more than your name. Choose another.',
} as const;

const mostUsed: ReadonlySet<string> = new Set(`${mostLeaked} ${alsoUsed}`.trim().split(/\s+/));

/** True for a password that is tried first everywhere, in any case. */
export const isMostUsed = (password: string): boolean => mostUsed.has(password.toLowerCase());

const product = 'daybook';
/** So many letters beside the product's name make a password one's own. */
const ownLetters = 4;

const letters = (words: string) => fold(words).replace(/\P{L}/gu, '');

/** True for the product's name with little else: digits, punctuation, a short word. */
export const isProductName = (password: string): boolean => {
  const word = letters(password);
  return word.includes(product) && word.length - product.length < ownLetters;
};

/** In letters: shorter names are in many a word by chance. */
const shortestName = 4;

/** True for that name with nothing but digits and punctuation. */
export function isName(password: string, name: string | null): boolean {
  if (name === null) return false;
  const [word, plain] = [fold(password), fold(name)];
  if (letters(plain).length >= shortestName && letters(word) === letters(plain)) return true;
  return plain.length >= shortestName && word.includes(plain) && letters(word.replace(plain, '')) === '';
}

/** The message that refuses a password which is one of these names; undefined for any other. */
export function nameFault(
  password: string,
  { username, displayName }: { username: string | null; displayName: string },
): string | undefined {
  if (isName(password, username)) return weak.username;
  return isName(password, displayName) ? weak.displayName : undefined;
}
