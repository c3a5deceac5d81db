/**
 * Text as people compare it: NFC and Unicode lower case. SQLite folds ASCII only, so what must be found or be unique
 * is stored folded, in a column of its own.
 */
export function fold(words: string): string {
  return words.normalize('NFC').toLowerCase().normalize('NFC');
}
