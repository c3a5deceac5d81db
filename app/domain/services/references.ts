/* By its reference a provider knows whose deposit has come. */

// A reference has only consonants, so that it is no word and is not taken for a name, and no letter that looks like a digit.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const referenceLength = 8;
const hexDigits = 8;
const referencePattern = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

/** The reference of a booking: eight letters made of the last random digits of its first id, so that moves keep it. */
export function referenceFrom(entryId: string): string {
  let rest = Number.parseInt(entryId.slice(-hexDigits), 16);
  let reference = '';
  while (reference.length < referenceLength) {
    reference = letters.charAt(rest % letters.length) + reference;
    rest = Math.floor(rest / letters.length);
  }
  return reference;
}

/** The end of the id that a reference was made of; null if the text is no reference. Spaces, as banks put them, don't count. */
export function idEndOf(text: string): string | null {
  const reference = text.replaceAll(/\s/g, '').toUpperCase();
  if (!referencePattern.test(reference)) return null;
  const end = [...reference].reduce((sum, letter) => sum * letters.length + letters.indexOf(letter), 0);
  return end < 16 ** hexDigits ? end.toString(16).padStart(hexDigits, '0') : null;
}
