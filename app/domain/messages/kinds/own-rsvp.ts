import { msg, plural } from '@lingui/core/macro';
import { inARow } from '../../words/joined';
import { isLinkOver, isRsvpOver } from './events';
import type { KindWith } from './kind';
import { hostName, mailSubjectAbout, openDaybook, subjectLink, titleOf, whenOf } from './words';

/** The reader's own RSVP, and the one before. */
type OwnRsvp = { isComing: boolean; wasComing: boolean; brings: number };
type Stored = { isComing?: 0 | 1; wasComing?: 0 | 1; brings?: number };

export const ownRsvp: KindWith<OwnRsvp> = {
  mails: msg`about your own answers to invitations`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true, isByGuests: true },
  data: ({ isComing, wasComing, brings = 0 }: Stored) => ({
    isComing: isComing === 1,
    wasComing: wasComing === 1,
    brings,
  }),
  sentence(message) {
    const { subject, data } = message;
    const { brings } = data;
    const address = subject?.address;
    const [title, host, when] = [titleOf(subject), hostName(message), whenOf(subject)];
    if (!data.isComing) return msg`You said that you are not coming to ${title}, hosted by ${host}, on ${when}.`;
    const rsvp = address
      ? msg`You said that you are coming to ${title}, hosted by ${host}, on ${when}, at ${address}.`
      : msg`You said that you are coming to ${title}, hosted by ${host}, on ${when}.`;
    if (brings === 0) return rsvp;
    return inARow([
      rsvp,
      msg({ message: plural({ brings }, { one: 'You bring one more person.', other: 'You bring # more people.' }) }),
    ]);
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout(msg`Your answer`, message, readerZone),
  button: ({ subject }) => (subject ? msg`Change your answer` : openDaybook),
  isOver: ({ invitationId, at }, current, now) =>
    isRsvpOver(current, { at, now }) || (invitationId !== null && isLinkOver(current, now)),
  // If the first RSVP is no, no calendar has the entry.
  calendarEntry({ isComing, wasComing }) {
    if (isComing) return 'stands';
    return wasComing ? 'canceled' : null;
  },
};
