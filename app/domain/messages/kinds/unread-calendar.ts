import { msg } from '@lingui/core/macro';
import * as paths from '../../../paths';
import type { KindWith } from './kind';
import { openDaybook } from './words';

type UnreadCalendar = { name: string };

export const unreadCalendar: KindWith<UnreadCalendar> = {
  mails: msg`about calendars that could not be read`,
  switchedOffBy: 'hosts',
  data: ({ name = '' }: { name?: string }) => ({ name }),
  sentence: ({ data: { name } }) =>
    msg`We have not been able to read your calendar ${name} for a day. It blocks what it said last.`,
  link: () => paths.otherCalendars(),
  mailSubject: () => msg`A calendar of yours can't be read`,
  button: () => openDaybook,
};
