import { msg } from '@lingui/core/macro';
import { type KindWith, type NoData, noData } from './kind';
import { mailSubjectAbout, otherName, serviceOf, subjectButton, subjectLink, whenOf } from './words';

/** An appointment that another calendar of its provider overlaps. */
export const overlap: KindWith<NoData> = {
  mails: msg`about appointments that your other calendars overlap`,
  switchedOffBy: 'hosts',
  data: noData,
  sentence(message) {
    const [other, service, when] = [otherName(message), serviceOf(message.subject), whenOf(message.subject)];
    return service
      ? msg`Something in another calendar of yours is at the same time as the appointment of ${other} for ${service} on ${when}. Both stand until you change one.`
      : msg`Something in another calendar of yours is at the same time as the appointment of ${other} on ${when}. Both stand until you change one.`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout(msg`Two things at once`, message, readerZone),
  button: subjectButton,
};
