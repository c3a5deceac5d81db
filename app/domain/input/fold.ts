export const lowerCased = (words: string): string => words.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Folds letters as Unicode says (ß becomes ss, ς becomes σ), in NFC. SQLite folds only ASCII, so what is searched or
 * unique is stored folded.
 */
export function fold(words: string): string {
  // Upper case turns ß into SS and splits ligatures. The dotless ı must stay, because it would become I, another
  // letter.
  const upper = lowerCased(words).replace(/[^ı]+/g, (others) => others.toUpperCase());
  return lowerCased(upper).replaceAll('ς', 'σ');
}

/** Letters that Unicode does not split. Alphabets list them beside these others. */
const plainLetters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ħ: 'h', æ: 'ae', œ: 'oe', ı: 'i' };

/** Sorts names from A to Z in SQLite, with É beside E: the name without accents first, then the folded name. */
export function sortKey(words: string): string {
  const folded = fold(words);
  const plain = folded
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[øłđħæœı]/g, (letter) => plainLetters[letter] ?? letter);
  return plain === folded ? folded : `${plain}\u0001${folded}`;
}
