import * as paths from '../../../paths';
import { unkeptWords, type WhyUnkept } from '../../slots/unkept';
import { dateWords, type LocalDate } from '../../time/clock';
import type { KindWith } from './kind';
import { counted, openDaybook, otherName } from './words';

/** The person of a standing time, and the dates on which it could not be booked. */
type Unkept = { personId: string; dates: { date: LocalDate; why: WhyUnkept }[] };

const mostNamed = 2;

/** 'Tuesday, 1 December 2026, because it is taken; Tuesday, 8 December 2026, because it is taken; 2 more dates'. */
function datesWords({ dates }: Unkept): string {
  const named = dates
    .slice(0, mostNamed)
    .map(({ date, why }) => `${dateWords(date).full}, because ${unkeptWords[why]}`);
  const more = dates.length - named.length;
  return [...named, ...(more > 0 ? [counted(more, 'one more date', 'more dates')] : [])].join('; ');
}

export const unkept: KindWith<Unkept> = {
  mails: 'about standing times that could not be kept',
  switchedOffBy: 'hosts',
  data: ({ person = '', dates = [] }: { person?: string; dates?: Unkept['dates'] }) => ({
    personId: person,
    dates: dates.map(({ date, why }) => ({ date, why })),
  }),
  sentence: (message) =>
    `The standing time of ${otherName(message)} can't be kept on ${datesWords(message.data)}. Their card shows what is free near it.`,
  link: ({ data }) => paths.person(data.personId),
  mailSubject: () => 'A standing time that could not be kept',
  button: () => openDaybook,
};
