import { msg, plural } from '@lingui/core/macro';
import { lengthWords } from '../time/clock';
import { inWeekOrder } from '../time/week-start';
import { withCommas, withDots } from '../words/joined';
import type { Words } from '../words/words';
import { type Where, whereOffered } from './where';

/** A service: a haircut of 30 minutes, a class for eight. */
export type Service = {
  id: string;
  name: string;
  minutes: number;
  gap: number; // minutes after it that the provider keeps free
  price: string | null;
  deposit: string | null; // asked for in advance
  description: string | null;
  seats: number;
  templateId: string | null;
  isOffered: boolean; // false if it is switched off
  where: Where;
};

/** A service as its provider sees it. */
export type OwnService = Service & {
  link: string | null; // of its video calls, which only they see who have booked
  lostQuestions: string | null; // the name of the deleted questions that it asked; null where it lost none
  ofShop: string | null; // the name of the shop whose service it is
};

/** Somebody who does a service of the shop, for how long and how much. */
export type Offering = { username: string; displayName: string; minutes: number; price: string | null };

/** One of the shop's people, and how they do a service; `minutes` is null if they don't. */
export type Doer = Omit<Offering, 'minutes'> & { minutes: number | null };

/** A service of a shop, and who does it, in the order of its page. */
export type HouseService = OwnService & { who: Offering[] };

export const lostWords = (questions: string): Words =>
  msg`The questions “${questions}” were deleted, so no questions are asked.`;

/** A service that people can book; a class with the weekdays on which its provider's hours have it. */
export type OfferedService = Service & { days: number[] };

const eachWeek = [
  msg`Sundays`,
  msg`Mondays`,
  msg`Tuesdays`,
  msg`Wednesdays`,
  msg`Thursdays`,
  msg`Fridays`,
  msg`Saturdays`,
];

const daysWords = (days: number[], weekStart: number): Words =>
  days.length === 7
    ? msg`every day`
    : { list: inWeekOrder(days, (day) => day, weekStart).flatMap((day) => eachWeek[day] ?? []) };

const depositWords = (deposit: string): Words => msg`deposit ${deposit}`;
const placesWords = (seats: number) => msg({ message: plural({ seats }, { one: '# place', other: '# places' }) });

/**
 * How long a service is, of a class the days and places, and what is asked for in advance: '1 hour · Tuesdays and Thursdays,
 * 6 places · deposit 10 €'. In a shop some may take longer for it: '30 minutes to 45 minutes'.
 * @param weekStart on which day the reader's weeks begin, 0 (Sunday) to 6
 */
export function offerWords(
  {
    minutes,
    minutesTo = minutes,
    seats,
    where,
    deposit,
    days = [],
  }: Pick<Service, 'minutes' | 'seats' | 'where' | 'deposit'> & {
    minutesTo?: number;
    days?: number[];
  },
  weekStart: number,
): Words {
  const said = whereOffered[where];
  const places = placesWords(seats);
  const [start, end] = [lengthWords(minutes), lengthWords(minutesTo)];
  return withDots([
    minutesTo > minutes ? msg`${start} to ${end}` : start,
    ...(said ? [said] : []),
    ...(seats > 1 ? [days.length > 0 ? withCommas([daysWords(days, weekStart), places]) : places] : []),
    ...(deposit ? [depositWords(deposit)] : []),
  ]);
}

function gapWords(gap: number): Words {
  const length = lengthWords(gap);
  return msg`${length} free after it`;
}

export function serviceWords({ minutes, price, deposit, seats, gap, where }: Service): Words {
  const said = whereOffered[where];
  return withDots([
    lengthWords(minutes),
    ...(price ? [price] : []),
    ...(deposit ? [depositWords(deposit)] : []),
    ...(seats > 1 ? [placesWords(seats)] : []),
    ...(gap > 0 ? [gapWords(gap)] : []),
    ...(said ? [said] : []),
  ]);
}

/** The chosen service. Without a choice it is the only one, if that is for one person at a time. */
export const chosenService = <Offered extends Service>(services: Offered[], id: string): Offered | null => {
  const [only] = services.length === 1 && services[0]?.seats === 1 ? services : [];
  return (id === '' ? only : services.find((service) => service.id === id)) ?? null;
};

/**
 * Moves a service or a person up or down in the list.
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
