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
