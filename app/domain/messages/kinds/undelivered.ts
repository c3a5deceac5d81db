import { msg } from '@lingui/core/macro';
import { type KindWith, type NoData, noData } from './kind';
import { otherName, subjectButton, subjectLink, whenOf } from './words';

/** To whoever caused a mail that did not reach its reader. */
export const undelivered: KindWith<NoData> = {
  mails: msg`about people whom a mail did not reach`,
  switchedOffBy: 'hosts',
  data: noData,
  sentence(message) {
    const { subject } = message;
    if (!subject) return msg`A mail to ${{ other: otherName(message) }} did not arrive.`;
    const [other, title, when] = [otherName(message), subject.title, whenOf(subject)];
    return title
      ? msg`A mail to ${other} about ${title} on ${when} did not arrive.`
      : msg`A mail to ${other} about the appointment on ${when} did not arrive.`;
  },
  link: subjectLink,
  mailSubject: () => msg`A mail of yours did not arrive`,
  button: subjectButton,
};
