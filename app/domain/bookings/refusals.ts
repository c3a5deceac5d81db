import { msg, plural } from '@lingui/core/macro';
import { conflict, type DomainError, invalid } from '../errors';
import { dateWords, type LocalDate } from '../time/clock';
import { alreadyStarted } from './deadline';

export const slotTaken = () => conflict(msg`This appointment has just been booked by someone else.`);

export const nobodyFree = () => conflict(msg`Nobody is free at this time any more.`);

export const classStays = () => conflict(msg`A class can't be moved as a whole. Move the people in it one by one.`);

export const questionsChanged = () =>
  invalid(null, msg`The questions of this time have changed. Please look at them again.`);

export const alreadyThere = msg`This appointment is already at that time.`;

/** What the words of a refusal name. */
type RefusedTime = {
  providerName: string;
  /** Whom the limit of a person names: the shop in which it counts, or the provider. */
  countingName: string;
  date: LocalDate;
  perPerson: number | null;
  perDay: number | null;
  room: { free: number } | null;
};

const placesLeft = (free: number) =>
  msg({
    message: plural(
      { free },
      {
        one: 'There is only one place left. You can book that one.',
        other: 'There are only # places left. You can book those.',
      },
    ),
  });

/** What somebody hears who has as many appointments with the provider as they may. */
export const asManyAsTheyMay = (providerName: string, perPerson: number) =>
  msg`You can have at most ${plural({ perPerson }, { one: 'one coming appointment', other: '# coming appointments' })} with ${providerName}, and you have ${plural({ perPerson }, { one: 'it', other: 'them' })}.`;

function dayIsFull(providerName: string, perDay: number, date: LocalDate) {
  const day = dateWords(date).full;
  return msg`${providerName} takes at most ${plural({ perDay }, { one: 'one appointment', other: '# appointments' })} a day, and ${day} is full.`;
}

export const classFull = msg`This class is full.`;
export const alreadySeated = msg`The same person has a place in this class already.`;
export const notOffered = msg`This service is not offered at this time any more.`;
export const termsChanged = msg`The length, the price or the deposit of this service has changed. Please look at it again.`;

/** Why somebody can't have a time, and what they hear. `full`, `seated` and `places` are said of a class. */
const refusals = {
  full: () => conflict(classFull),
  taken: slotTaken,
  begun: alreadyStarted,
  service: () => conflict(notOffered),
  length: () => conflict(msg`There is not enough free time here any more. Please choose another time.`),
  changed: () => invalid(null, termsChanged),
  places: ({ room }) => conflict(placesLeft(room?.free ?? 1)),
  seated: () => conflict(alreadySeated),
  notice: () => conflict(msg`This appointment can't be booked any more.`),
  horizonDays: () => conflict(msg`This appointment can't be booked yet.`),
  busy: ({ providerName }) => conflict(msg`${providerName} has something else at that time.`),
  perPerson: ({ countingName, perPerson }) => conflict(asManyAsTheyMay(countingName, perPerson ?? 0)),
  perDay: ({ providerName, perDay, date }) => conflict(dayIsFull(providerName, perDay ?? 0, date)),
} satisfies Record<string, (wanted: RefusedTime) => DomainError>;

export type WhyNot = keyof typeof refusals;

/** What hides an open slot from everybody. */
export type WhyHidden = Extract<WhyNot, 'begun' | 'service' | 'notice' | 'horizonDays' | 'busy' | 'perDay'>;

/** What somebody hears who can't have a time. */
export const refusalOf = (why: WhyNot, wanted: RefusedTime): DomainError => refusals[why](wanted);
