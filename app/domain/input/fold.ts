/** In lower case and NFC, for what we store and show so. */
export const lowerCased = (words: string): string => words.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Text for comparing, as people do: Unicode's full case folding, for which ß is ss and ς is σ, in NFC. SQLite folds ASCII
 * only, so columns that are searched or unique store folded text. It is never shown.
 */
export function fold(words: string): string {
  // Upper case turns ß into SS, and ligatures into letters. The dotless ı is left out: it would become I, then i,
  // another letter.
  const upper = lowerCased(words).replace(/[^ı]+/g, (others) => others.toUpperCase());
  return lowerCased(upper).replaceAll('ς', 'σ');
}

/** Letters that Unicode does not split, and the letters that alphabets list them beside. */
const beside: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ı: 'i' };

/**
 * Sorts names A to Z in SQLite, É beside E: the letters without accents, then the folded name, which
 * orders names that are equal without accents. It is never shown.
 */
export function sortKey(words: string): string {
  const folded = fold(words);
  const plain = folded
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[øłđħæœı]/g, (letter) => beside[letter] ?? letter);
  return plain === folded ? folded : `${plain}\u0001${folded}`;
}
