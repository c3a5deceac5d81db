import type { KindWith, MessageWith } from './kind';
import {
  hostName,
  mailSubjectAbout,
  reasonAndStop,
  reasonWords,
  subjectButton,
  subjectLink,
  titleOf,
  whenOf,
} from './words';

type CalledOff = { reason: string | null };

const sentence = (message: MessageWith<CalledOff>, reason: string | null): string =>
  message.subject
    ? `${hostName(message)} called off ${titleOf(message.subject)} on ${whenOf(message.subject)}${reasonAndStop(reason)}`
    : 'A party was called off.';

export const calledOff: KindWith<CalledOff> = {
  mails: 'about parties and meetups that are called off',
  switchedOffBy: 'anyone',
  data: (_, { whyCalledOff }) => ({ reason: whyCalledOff }),
  withoutHostTexts: () => ({ reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Called off', message, readerZone),
  button: subjectButton,
  isOver: ({ invitationId }, { invitation }) => invitationId !== null && (!invitation || invitation.isMailEnded),
  calendarEntry: () => 'canceled',
  notice: {
    beside: 'invitations',
    title: ({ other, data }) => `Called off by ${other ?? 'somebody'}${reasonWords(data.reason)}`,
    text: (message) => sentence(message, null),
  },
};
