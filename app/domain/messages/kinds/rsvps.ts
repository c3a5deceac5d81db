import { msg, plural } from '@lingui/core/macro';
import { hour } from '../../time/clock';
import { type KindWith, type NoData, noData } from './kind';
import { mailSubjectAbout, subjectButton, subjectLink, titleOf } from './words';

/** The RSVPs of a day to a party or meetup. */
export const rsvps: KindWith<NoData> = {
  mails: msg`about answers to invitations`,
  switchedOffBy: 'hosts',
  mail: { gathersFor: hour },
  data: noData,
  sentence({ count, subject }) {
    const title = titleOf(subject);
    return msg`${plural({ count }, { one: 'One person has answered', other: '# people have answered' })} ${title}.`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(msg({ message: 'Answers', context: 'subject of a mail' }), message, readerZone),
  button: subjectButton,
};
