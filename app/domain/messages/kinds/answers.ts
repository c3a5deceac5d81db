import { msg } from '@lingui/core/macro';
import { type KindWith, type NoData, noData } from './kind';
import { mailSubjectAbout, otherName, serviceOf, subjectButton, subjectLink, whenOf } from './words';

export const answers: KindWith<NoData> = {
  mails: msg`about changed answers`,
  switchedOffBy: 'hosts',
  data: noData,
  sentence(message) {
    const [other, service, when] = [otherName(message), serviceOf(message.subject), whenOf(message.subject)];
    return service
      ? msg`${other} changed their answers for ${service} on ${when}.`
      : msg`${other} changed their answers for ${when}.`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout(msg`New answers`, message, readerZone),
  button: subjectButton,
};
