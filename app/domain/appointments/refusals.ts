import { conflict, type DomainError } from '../errors';
import { dateWords, type LocalDate } from '../time/clock';

/** Someone else booked the slot first. */
export const gone = () => conflict('This appointment has just been booked by someone else.');

/** What is said of a move that would change nothing. */
export const alreadyThere = 'This appointment is already at that time.';

/** A slot that one of its provider's rules keeps somebody from booking. */
export type Limited = {
  rule: 'notice' | 'horizonDays' | 'perPerson' | 'perDay';
  providerName: string;
  date: LocalDate;
  perPerson: number | null;
  perDay: number | null;
};

const counted = (count: number, what: string) => (count === 1 ? `one ${what}` : `${count} ${what}s`);

/** Why the rules of its provider keep somebody from booking a slot: which rule, and for a limit how high it is. */
export function ruledOut({ rule, providerName, date, perPerson, perDay }: Limited): DomainError {
  switch (rule) {
    case 'notice':
      return conflict("This appointment can't be booked any more.");
    case 'horizonDays':
      return conflict("This appointment can't be booked yet.");
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
