export const lowerCased = (words: string): string => words.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Unicode's full case folding, so ß is ss and ς is σ, in NFC. SQLite folds only ASCII, so columns that are searched or
 * unique store folded text.
 */
export function fold(words: string): string {
  // Upper case turns ß into SS, and ligatures into letters. It would turn the dotless ı into I, another letter.
  const upper = lowerCased(words).replace(/[^ı]+/g, (others) => others.toUpperCase());
  return lowerCased(upper).replaceAll('ς', 'σ');
}

/** Unicode does not split these letters. Alphabets list them beside others. */
const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ı: 'i' };

/** Sorts names A to Z in SQLite, É beside E: first without accents, then by the folded name. */
export function sortKey(words: string): string {
  const folded = fold(words);
  const plain = folded
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[øłđħæœı]/g, (letter) => plainLetters[letter] ?? letter);
  return plain === folded ? folded : `${plain}\u0001${folded}`;
}
