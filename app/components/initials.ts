// Before a name, in small letters and without the dot.
const titles = new Set(
  (
    'dr dra drs prof profa professor mr mrs ms miss mx mme mlle me herr frau hr fru frk sr sra srta dña dona ' +
    'eng arq dott dott.ssa sig sig.ra ing mag dipl med inż mgr др д-р г-н г-жа проф κα κος δρ د أ श्री श्रीमती डॉ'
  ).split(' '),
);

const letter = /[\p{L}\p{N}]/u;
const isName = (word: string) => !titles.has(word.toLowerCase().replace(/\.$/, ''));

/** The first letters of a name's first and last word, without titles and what stands after a comma. */
export function initialsOf(name: string): string {
  const [before = ''] = name.split(/[,،、，(|·:;–—]/u);
  const words = (letter.test(before) ? before : name).split(/\s+/u).filter((word) => letter.test(word));
  const first = words.findIndex(isName);
  const names = words.slice(Math.max(first, 0));
  const ends = names.length > 1 ? [names[0], names.at(-1)] : names;
  return ends.map((word) => word?.match(letter)?.[0].toUpperCase()).join('') || '·';
}
