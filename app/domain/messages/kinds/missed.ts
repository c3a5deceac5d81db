import { msg, plural } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { missedWords, type WhyMissed } from '../../slots/missed';
import { dateWords, type LocalDate } from '../../time/clock';
import type { Words } from '../../words/words';
import type { KindWith } from './kind';
import { openDaybook, otherName } from './words';

/** The person of a standing time, and the dates on which it could not be booked. */
type Missed = { personId: string; dates: { date: LocalDate; why: WhyMissed }[] };

function dayWords({ date, why }: Missed['dates'][number]): Words {
  const [day, reason] = [dateWords(date).full, missedWords[why]];
  return msg`${day}, because ${reason}`;
}

/** 'Tuesday, 1 December 2026, because it is taken; Tuesday, 8 December 2026, because it is taken; 2 more dates'. */
function datesWords({ dates }: Missed): Words {
  const [first = '', second] = dates.slice(0, 2).map(dayWords);
  const more = dates.length - 2;
  if (!second) return first;
  return more > 0
    ? msg`${first}; ${second}; ${plural({ more }, { one: 'one more date', other: '# more dates' })}`
    : msg`${first}; ${second}`;
}

export const missed: KindWith<Missed> = {
  mails: msg`about standing times that could not be kept`,
  switchedOffBy: 'hosts',
  data: ({ person = '', dates = [] }: { person?: string; dates?: Missed['dates'] }) => ({
    personId: person,
    dates: dates.map(({ date, why }) => ({ date, why })),
  }),
  sentence(message) {
    const [other, dates] = [otherName(message), datesWords(message.data)];
    return msg`The standing time of ${other} can't be kept on ${dates}. Their card shows what is free near it.`;
  },
  link: ({ data }) => paths.person(data.personId),
  mailSubject: () => msg`A standing time that could not be kept`,
  button: () => openDaybook,
};
