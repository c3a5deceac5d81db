import { type KindWith, type NoData, noData } from './kind';
import { mailSubjectAbout, otherName, serviceAndTimeOf, subjectButton, subjectLink } from './words';

export const answers: KindWith<NoData> = {
  mails: 'about changed answers',
  switchedOffBy: 'hosts',
  data: noData,
  sentence: (message) => `${otherName(message)} changed their answers for ${serviceAndTimeOf(message.subject)}.`,
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('New answers', message, readerZone),
  button: subjectButton,
};
