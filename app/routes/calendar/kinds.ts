import { msg, plural } from '@lingui/core/macro';
import type { PlacedItem } from '../../domain/calendar/week';
import { rangeWords } from '../../domain/time/span-words';
import { withCommas } from '../../domain/words/joined';
import type { Words } from '../../domain/words/words';

/** What says things in the reader's language: `useWords()`. */
type Say = (words: Words) => string;

const kindWords: Record<PlacedItem['kind'], Words> = {
  open: msg({ message: 'Free', context: 'state' }),
  booked: msg({ message: 'Booked', context: 'state' }),
  party: msg`Party`,
  meetup: msg`Meetup`,
  busy: msg({ message: 'Busy', context: 'state' }),
  held: msg({ message: 'Held', context: 'state' }),
};

type Named = Pick<PlacedItem, 'kind' | 'name' | 'service' | 'people' | 'isStanding' | 'slots'>;
type Part = Words | null | false;

const joined = (say: Say, parts: Part[]) => say(withCommas(parts.flatMap((part) => part || [])));

const peopleWords = (people: number | null = null): Words | null =>
  people === null ? null : msg({ message: plural({ people }, { one: '# person', other: '# people' }) });

/** The name of an item: 'Maya, Colour', 'June, standing', or for a class 'Morning yoga, 5 people'. */
function wholeName(say: Say, { name, service, people, isStanding }: Named): string | null {
  const what = service ?? (name === null && people ? msg`Class` : null);
  const standing = isStanding ? msg({ message: 'standing', context: 'after a name' }) : null;
  return joined(say, [name, what, peopleWords(people), standing]) || null;
}

type Line = Named & Pick<PlacedItem, 'start' | 'end'>;

const countWords = ({ slots: { length: count } }: Named): Part =>
  count > 1 && msg({ message: plural({ count }, { one: '# time', other: '# times' }) });

const endWords = ({ end }: Line): Words => msg`to ${{ end: { clock: end } }}`;

/** The two lines on an item: '10:00' and 'Maya, Colour', or 'Free 10:30' and 'to 12:30, 4 times'. */
export function linesOn(say: Say, item: Line): [string, string] {
  const start = { clock: item.start };
  const name = wholeName(say, item);
  if (item.kind !== 'open') return [say(start), name ?? say(kindWords[item.kind])];
  const isSeveral = item.slots.length > 1;
  return [
    say(msg`Free ${{ start }}`),
    isSeveral ? joined(say, [endWords(item), name, countWords(item)]) : (name ?? ''),
  ];
}

/** An item as one line: '10:00 to 10:30, Maya, Booked'. */
export const lineOfItem = (say: Say, item: Line) =>
  joined(say, [rangeWords(item), wholeName(say, item), kindWords[item.kind], countWords(item)]);

/** The label of an item, which begins like its two lines: '10:00 Maya, to 10:30, Booked', 'Free 10:30 to 11:00'. */
export function labelOfItem(say: Say, item: Line) {
  const [first, second] = linesOn(say, item);
  if (item.kind === 'open' && !second) {
    const [start, end] = [{ clock: item.start }, { clock: item.end }];
    return say(msg`Free ${{ start }} to ${{ end }}`);
  }
  const isEndSaid = item.slots.length > 1;
  const kind = item.kind !== 'open' && wholeName(say, item) && kindWords[item.kind];
  return joined(say, [`${first} ${second}`, !isEndSaid && endWords(item), kind || null]);
}
