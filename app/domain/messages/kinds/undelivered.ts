import { type KindWith, type NoData, noData } from './kind';
import { otherName, subjectButton, subjectLink, whenOf } from './words';

/** To whoever caused a mail that did not reach its reader. */
export const undelivered: KindWith<NoData> = {
  mails: 'about people whom a mail did not reach',
  switchedOffBy: 'hosts',
  data: noData,
  sentence(message) {
    const [other, title, when] = [otherName(message), message.subject?.title, whenOf(message.subject)];
    return title
      ? `A mail to ${other} about ${title} on ${when} did not arrive.`
      : `A mail to ${other} about the appointment on ${when} did not arrive.`;
  },
  link: subjectLink,
  mailSubject: () => 'A mail of yours did not arrive',
  button: subjectButton,
};
