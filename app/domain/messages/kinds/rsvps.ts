import { type KindWith, type NoData, noData } from './kind';
import { mailSubjectAbout, subjectButton, subjectLink, titleOf } from './words';

/** The answers of a day to a party or meetup. */
export const rsvps: KindWith<NoData> = {
  mails: 'about answers to invitations',
  switchedOffBy: 'hosts',
  data: noData,
  sentence: ({ count, subject }) =>
    count === 1 ? `One person has answered ${titleOf(subject)}.` : `${count} people have answered ${titleOf(subject)}.`,
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Answers', message, readerZone),
  button: subjectButton,
};
