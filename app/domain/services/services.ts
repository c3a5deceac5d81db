import { lengthWords, weekdays } from '../time/clock';

/** A service: a haircut of 30 minutes, a class for eight. */
export type Service = {
  id: string;
  name: string;
  minutes: number;
  gap: number; // minutes after it that the provider keeps free
  price: string | null;
  description: string | null;
  seats: number;
  templateId: string | null;
  isOffered: boolean; // false if it is switched off
};

/** A service as its provider sees it, with the name of the deleted questions that it asked; null where it lost none. */
export type OwnService = Service & { lostQuestions: string | null };

export const lostWords = (questions: string) => `The questions “${questions}” were deleted, so no questions are asked.`;

/** A service that people can book; a class with the weekdays on which its provider's hours have it, in their order. */
export type OfferedService = Service & { days: number[] };

const daysWords = (days: number[]): string => {
  const names = days.map((day) => `${weekdays[day]}s`);
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
};

/** How long a service is, and of a class the days and places: '1 hour · Tuesdays and Thursdays, 6 places'. */
export const offerWords = ({ minutes, seats, days = [] }: Pick<Service, 'minutes' | 'seats'> & { days?: number[] }) => {
  const ofClass = seats > 1 ? [days.length === 7 ? 'every day' : daysWords(days), `${seats} places`] : [];
  return [lengthWords(minutes), ofClass.filter(Boolean).join(', ')].filter(Boolean).join(' · ');
};

export const serviceWords = ({ minutes, price, seats, gap }: Service): string =>
  [
    lengthWords(minutes),
    ...(price ? [price] : []),
    ...(seats > 1 ? [`${seats} places`] : []),
    ...(gap > 0 ? [`${lengthWords(gap)} free after it`] : []),
  ].join(' · ');

/** The chosen service. Without a choice it is the only one, if that is for one person at a time. */
export const chosenService = <Offered extends Service>(services: Offered[], id: string): Offered | null => {
  const [only] = services.length === 1 && services[0]?.seats === 1 ? services : [];
  return (id === '' ? only : services.find((service) => service.id === id)) ?? null;
};

/**
 * Moves a service up or down in the list.
 * @param press a button's value: `up:` or `down:` and an id; any other changes nothing
 */
export function moveInList(ids: string[], press: string): string[] {
  const [direction, id = ''] = press.split(':');
  const from = ids.indexOf(id);
  const to = from + (direction === 'up' ? -1 : direction === 'down' ? 1 : 0);
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  const rest = ids.toSpliced(from, 1);
  return rest.toSpliced(to, 0, id);
}
