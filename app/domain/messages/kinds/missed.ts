import * as paths from '../../../paths';
import { missedWords, type WhyMissed } from '../../slots/missed';
import { dateWords, type LocalDate } from '../../time/clock';
import type { KindWith } from './kind';
import { counted, openDaybook, otherName } from './words';

/** The person of a standing time, and the dates on which it could not be booked. */
type Missed = { personId: string; dates: { date: LocalDate; why: WhyMissed }[] };

const mostNamed = 2;

/** 'Tuesday, 1 December 2026, because it is taken; Tuesday, 8 December 2026, because it is taken; 2 more dates'. */
function datesWords({ dates }: Missed): string {
  const named = dates
    .slice(0, mostNamed)
    .map(({ date, why }) => `${dateWords(date).full}, because ${missedWords[why]}`);
  const more = dates.length - named.length;
  return [...named, ...(more > 0 ? [counted(more, 'one more date', 'more dates')] : [])].join('; ');
}

export const missed: KindWith<Missed> = {
  mails: 'about standing times that could not be kept',
  switchedOffBy: 'hosts',
  data: ({ person = '', dates = [] }: { person?: string; dates?: Missed['dates'] }) => ({
    personId: person,
    dates: dates.map(({ date, why }) => ({ date, why })),
  }),
  sentence: (message) =>
    `The standing time of ${otherName(message)} can't be kept on ${datesWords(message.data)}. Their card shows what is free near it.`,
  link: ({ data }) => paths.person(data.personId),
  mailSubject: () => 'A standing time that could not be kept',
  button: () => openDaybook,
};
