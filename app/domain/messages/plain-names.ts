/** A word that mail programs turn into a link: with a scheme, `www.`, an address, or a dot between two parts. */
const linkLike = /:\/\/|https?|www\.|[@/\\]|[\p{L}\p{N}-][.。․][\p{L}\p{N}-]{2,}/iu;
const hasDigit = /\p{N}/u;
/** As many digits make a telephone number of a name, and so many characters a name of an advert. */
const [mostDigits, mostCharacters] = [5, 40];

/**
 * A name for mail that its reader may not have asked for: without anything like a link or a telephone number, and cut if
 * it is longer than names are. It may become empty.
 */
export function plainName(name: string): string {
  const isNumber = (name.match(/\p{N}/gu) ?? []).length > mostDigits;
  // Compatibility forms, such as full-width letters, are read as the plain ones.
  const words = name
    .split(/\s+/u)
    .filter((word) => !linkLike.test(word.normalize('NFKC')) && !(isNumber && hasDigit.test(word)));
  let shown = '';
  for (const word of words) {
    const longer = shown ? `${shown} ${word}` : word;
    if ([...longer].length > mostCharacters) break;
    shown = longer;
  }
  return shown;
}
