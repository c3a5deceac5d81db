/** Mail programs turn such words into links: a scheme, `www.`, an address, or a dot between two parts. */
const linkLike = /:\/\/|https?|www\.|[@/\\]|[\p{L}\p{N}-][.。․][\p{L}\p{N}-]{2,}/iu;
const hasDigit = /\p{N}/u;
/** A name with more digits may be a telephone number, and one with more characters an advert. */
const [mostDigits, mostCharacters] = [5, 40];

/** Leaves out links and telephone numbers, and cuts a long name. The result may be empty. */
export function plainName(name: string): string {
  const isNumber = (name.match(/\p{N}/gu) ?? []).length > mostDigits;
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

/** The plain name of a service; null if nothing of it is left. */
export const plainService = (name: string | null): string | null => plainName(name ?? '') || null;
