/** Text in lower case, as it is stored and shown where a rule says lower-cased: NFC and Unicode. */
export const lowerCased = (words: string): string => words.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Text as people compare it: Unicode's full case folding, for which ß is ss and ς is σ, in NFC. SQLite folds ASCII only, so
 * what must be found or be unique is stored folded, in a column of its own. It is never shown.
 */
export function fold(words: string): string {
  // Upper case makes ß an SS, and ligatures their letters. The dotless ı is left out: it would become I, then i, another letter.
  const upper = lowerCased(words).replace(/[^ı]+/g, (others) => others.toUpperCase());
  return lowerCased(upper).replaceAll('ς', 'σ');
}

/** Letters that Unicode does not take apart, and the ones that they stand beside in an alphabet. */
const beside: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ı: 'i' };

/**
 * The text by which names are listed A to Z, É beside E, as SQLite compares: the letters without their accents, then the
 * name folded, which tells apart those that are the same without. It is never shown.
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
