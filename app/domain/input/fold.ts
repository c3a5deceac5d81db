export const lowerCased = (words: string): string => words.normalize('NFC').toLowerCase().normalize('NFC');

const isAscii = /^[\0-\x7f]*$/;

/**
 * Folds letters as Unicode says (ß becomes ss, ς becomes σ), in NFC. SQLite folds only ASCII, so what is searched or
 * unique is stored folded.
 */
export function fold(words: string): string {
  if (isAscii.test(words)) return words.toLowerCase();
  // Upper case turns ß into SS and splits ligatures. The dotless ı must stay, because it would become I, another
  // letter.
  const upper = lowerCased(words).replace(/[^ı]+/g, (others) => others.toUpperCase());
  return lowerCased(upper).replaceAll('ς', 'σ');
}

/** Letters that Unicode does not split. Alphabets list them beside these others. */
const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ı: 'i' };

/** Folds words and takes the accents off: Zoé is zoe, Łukasz is lukasz. */
export const withoutAccents = (words: string): string =>
  fold(words)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[øłđħæœı]/g, (letter) => plainLetters[letter] ?? letter);

/** The words of a search, without accents, the longest first: each is looked for by itself. */
export const wordsOf = (text: string): string[] =>
  withoutAccents(text)
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length);

/** Sorts names from A to Z in SQLite, with É beside E: the name without accents first, then the folded name. */
export function sortKey(words: string): string {
  const [folded, plain] = [fold(words), withoutAccents(words)];
  return plain === folded ? folded : `${plain}\u0001${folded}`;
}
