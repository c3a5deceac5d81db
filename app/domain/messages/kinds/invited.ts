import { msg } from '@lingui/core/macro';
import { isLinkOver } from './events';
import { type KindWith, type NoData, noData } from './kind';
import { hostName, mailSubjectAbout, subjectButton, subjectLink, titleOf, whenOf } from './words';

/** A mail to a name of a meetup, with their link. They end the mail of their host, and not of a kind. */
export const invited: KindWith<NoData> = {
  mails: msg`from this sender`,
  switchedOffBy: 'nobody',
  mail: { isInvitation: true },
  data: noData,
  sentence(message) {
    const { subject } = message;
    const [host, title, when, address] = [hostName(message), titleOf(subject), whenOf(subject), subject?.address];
    return address
      ? msg`${host} invites you to ${title} on ${when}, at ${address}.`
      : msg`${host} invites you to ${title} on ${when}.`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout(msg`An invitation`, message, readerZone),
  button: subjectButton,
  isOver: (_, current, now) => isLinkOver(current, now),
};
