import type { PlacedItem } from '../../domain/calendar/week';

const words = { open: 'Free', booked: 'Booked', party: 'Party', meetup: 'Meetup', busy: 'Busy', held: 'Held' };

type Named = Pick<PlacedItem, 'kind' | 'name' | 'service' | 'people' | 'isStanding' | 'slots'>;

const peopleWords = (people: number | null = null) =>
  people === null ? null : people === 1 ? '1 person' : `${people} people`;
/** The name of an item: 'Maya, Colour', 'June, standing', or for a class 'Morning yoga, 5 people'. */
const wholeName = ({ name, service, people, isStanding }: Named) => {
  const serviceWords = service ?? (name === null && people ? 'Class' : null);
  return [name, serviceWords, peopleWords(people), isStanding && 'standing'].filter(Boolean).join(', ') || null;
};

type Line = Named & Pick<PlacedItem, 'times'>;

const countWords = ({ slots }: Named) => slots.length > 1 && `${slots.length} times`;
const joined = (words: (string | null | false)[]) => words.filter(Boolean).join(', ');

/** The two lines on an item: '10:00' and 'Maya, Colour', or 'Free 10:30' and 'to 12:30, 4 times'. */
export function linesOn(item: Line): [string, string] {
  const [start, end] = [item.times.slice(0, 5), item.times.slice(6)];
  const name = wholeName(item);
  if (item.kind !== 'open') return [start, name ?? words[item.kind]];
  return [`${words.open} ${start}`, item.slots.length > 1 ? joined([end, name, countWords(item)]) : (name ?? '')];
}

/** An item as one line: '10:00 to 10:30, Maya, Booked'. */
export const lineOfItem = (item: Line) => joined([item.times, wholeName(item), words[item.kind], countWords(item)]);

/** The label of an item, which begins like its two lines: '10:00 Maya, to 10:30, Booked', 'Free 10:30 to 11:00'. */
export function labelOfItem(item: Line) {
  const [first, second] = linesOn(item);
  const end = item.times.slice(6);
  if (item.kind === 'open' && !second) return `${first} ${end}`;
  const isEndSaid = item.slots.length > 1;
  return joined([`${first} ${second}`, !isEndSaid && end, item.kind !== 'open' && wholeName(item) && words[item.kind]]);
}
