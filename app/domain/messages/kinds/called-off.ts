import { msg } from '@lingui/core/macro';
import type { Words } from '../../words/words';
import type { KindWith, MessageWith } from './kind';
import { hostName, mailSubjectAbout, otherInside, stopped, subjectButton, subjectLink, titleOf, whenOf } from './words';

type CalledOff = { reason: string | null };

function sentence(message: MessageWith<CalledOff>, reason: string | null): Words {
  const { subject } = message;
  if (!subject) return msg`A party was called off.`;
  const [host, title, when] = [hostName(message), titleOf(subject), whenOf(subject)];
  if (!reason) return msg`${host} called off ${title} on ${when}.`;
  return msg`${host} called off ${title} on ${when}: ${{ reason: stopped(reason) }}`;
}

export const calledOff: KindWith<CalledOff> = {
  mails: msg`about parties and meetups that are called off`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true },
  data: (_, { whyCalledOff }) => ({ reason: whyCalledOff }),
  withoutHostTexts: () => ({ reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(msg({ message: 'Called off', context: 'subject of a mail' }), message, readerZone),
  button: subjectButton,
  isOver: ({ invitationId }, { invitation }) => invitationId !== null && (!invitation || invitation.isMailEnded),
  calendarEntry: () => 'canceled',
  notice: {
    beside: 'invitations',
    title(message) {
      const other = otherInside(message);
      const { reason } = message.data;
      return reason ? msg`Called off by ${other}: ${reason}` : msg`Called off by ${other}`;
    },
    text: (message) => sentence(message, null),
  },
};
