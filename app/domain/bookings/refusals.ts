import { conflict, type DomainError } from '../errors';
import { dateWords, type LocalDate } from '../time/clock';

export const slotTaken = () => conflict('This appointment has just been booked by someone else.');

export const classFull = () => conflict('This class is full.');

export const classStays = () => conflict("A class can't be moved as a whole. Move the people in it one by one.");

export const placesLeft = (free: number) =>
  conflict(
    free === 1
      ? 'There is only one place left. You can book that one.'
      : `There are only ${free} places left. You can book those.`,
  );

export const tooLittleTime = () => conflict('There is not enough free time here any more. Please choose another time.');

export const unofferedService = () => conflict('This service is not offered at this time any more.');

export const alreadyThere = 'This appointment is already at that time.';

export type Limited = {
  rule: 'notice' | 'horizonDays' | 'busy' | 'perPerson' | 'perDay';
  providerName: string;
  date: LocalDate;
  perPerson: number | null;
  perDay: number | null;
};

const counted = (count: number, noun: string) => (count === 1 ? `one ${noun}` : `${count} ${noun}s`);

export function ruledOut({ rule, providerName, date, perPerson, perDay }: Limited): DomainError {
  switch (rule) {
    case 'notice':
      return conflict("This appointment can't be booked any more.");
    case 'horizonDays':
      return conflict("This appointment can't be booked yet.");
    case 'busy':
      return conflict(`${providerName} has something else at that time.`);
    case 'perPerson':
      return conflict(
        `You can have at most ${counted(perPerson ?? 0, 'coming appointment')} with ${providerName}, and you have ${perPerson === 1 ? 'it' : 'them'}.`,
      );
    case 'perDay':
      return conflict(
        `${providerName} takes at most ${counted(perDay ?? 0, 'appointment')} a day, and ${dateWords(date).full} is full.`,
      );
  }
}
