import { conflict, type DomainError, invalid } from '../errors';
import { dateWords, type LocalDate } from '../time/clock';
import { alreadyStarted } from './deadline';

export const slotTaken = () => conflict('This appointment has just been booked by someone else.');

export const classStays = () => conflict("A class can't be moved as a whole. Move the people in it one by one.");

export const questionsChanged = () =>
  invalid(null, 'The questions of this time have changed. Please look at them again.');

export const alreadyThere = 'This appointment is already at that time.';

/** What the words of a refusal name. */
export type Wanted = {
  providerName: string;
  date: LocalDate;
  perPerson: number | null;
  perDay: number | null;
  room: { free: number } | null;
};

const counted = (count: number | null, noun: string) => (count === 1 ? `one ${noun}` : `${count ?? 0} ${noun}s`);

const placesLeft = (free: number) =>
  free === 1
    ? 'There is only one place left. You can book that one.'
    : `There are only ${free} places left. You can book those.`;

/** Why somebody can't have a time, and what they hear. `full`, `seated` and `places` are said of a class. */
const refusals = {
  full: () => conflict('This class is full.'),
  taken: slotTaken,
  begun: alreadyStarted,
  service: () => conflict('This service is not offered at this time any more.'),
  length: () => conflict('There is not enough free time here any more. Please choose another time.'),
  changed: () => invalid(null, 'The length or the price of this service has changed. Please look at it again.'),
  places: ({ room }) => conflict(placesLeft(room?.free ?? 1)),
  seated: () => conflict('The same person has a place in this class already.'),
  notice: () => conflict("This appointment can't be booked any more."),
  horizonDays: () => conflict("This appointment can't be booked yet."),
  busy: ({ providerName }) => conflict(`${providerName} has something else at that time.`),
  perPerson: ({ providerName, perPerson }) =>
    conflict(
      `You can have at most ${counted(perPerson, 'coming appointment')} with ${providerName}, and you have ${perPerson === 1 ? 'it' : 'them'}.`,
    ),
  perDay: ({ providerName, perDay, date }) =>
    conflict(
      `${providerName} takes at most ${counted(perDay, 'appointment')} a day, and ${dateWords(date).full} is full.`,
    ),
} satisfies Record<string, (wanted: Wanted) => DomainError>;

export type WhyNot = keyof typeof refusals;

/** What somebody hears who can't have a time. */
export const refusalOf = (why: WhyNot, wanted: Wanted): DomainError => refusals[why](wanted);
