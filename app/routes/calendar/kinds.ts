import type { WeekItem } from '../../domain/calendar/week';

const words = { open: 'Free', booked: 'Booked', party: 'Party', meetup: 'Meetup', busy: 'Busy', held: 'Held' };

type Named = Pick<WeekItem, 'kind' | 'name' | 'service' | 'people' | 'isStanding'>;

const peopleWords = (people: number | null = null) =>
  people === null ? null : people === 1 ? '1 person' : `${people} people`;
/** The name of an item: 'Maya, Colour', 'June, standing', or for a class 'Morning yoga, 5 people'. */
const wholeName = ({ name, service, people, isStanding }: Named) => {
  const serviceWords = service ?? (name === null && people ? 'Class' : null);
  return [name, serviceWords, peopleWords(people), isStanding && 'standing'].filter(Boolean).join(', ') || null;
};

/** True for free time without a name. Its frame and its label say that it is free. */
export const isQuiet = (item: Named) => item.kind === 'open' && wholeName(item) === null;

/** The words on an item: its name, or the name of its kind. */
export const nameOf = (item: Named) => wholeName(item) ?? words[item.kind];

type Line = Named & { times: string };

/** An item as one line: '10:00 to 10:30, Maya, Booked'. */
export const lineOfItem = ({ times, ...item }: Line) =>
  [times, wholeName(item), words[item.kind]].filter(Boolean).join(', ');

/** The label of an item, which begins like the visible words: '10:00 Maya, to 10:30, Booked'. */
export const labelOfItem = ({ times, ...item }: Line) =>
  [`${times.slice(0, 5)} ${nameOf(item)}`, times.slice(6), wholeName(item) && words[item.kind]]
    .filter(Boolean)
    .join(', ');
