import { isLinkOver, isRsvpOver } from './events';
import type { KindWith } from './kind';
import { hostName, mailSubjectAbout, openDaybook, subjectLink, titleOf, whenOf } from './words';

/** The reader's own RSVP, and the one before. */
type OwnRsvp = { isComing: boolean; wasComing: boolean; brings: number };
type Stored = { isComing?: 0 | 1; wasComing?: 0 | 1; brings?: number };

function bringsSentence(brings: number): string | null {
  if (brings === 0) return null;
  return brings === 1 ? 'You bring one more person.' : `You bring ${brings} more people.`;
}

export const ownRsvp: KindWith<OwnRsvp> = {
  mails: 'about your own answers to invitations',
  switchedOffBy: 'anyone',
  data: ({ isComing, wasComing, brings = 0 }: Stored) => ({
    isComing: isComing === 1,
    wasComing: wasComing === 1,
    brings,
  }),
  sentence(message) {
    const { subject, data } = message;
    const [title, host, when] = [titleOf(subject), hostName(message), whenOf(subject)];
    if (!data.isComing) return `You said that you are not coming to ${title}, hosted by ${host}, on ${when}.`;
    const rsvp = subject?.address
      ? `You said that you are coming to ${title}, hosted by ${host}, on ${when}, at ${subject.address}.`
      : `You said that you are coming to ${title}, hosted by ${host}, on ${when}.`;
    return [rsvp, bringsSentence(data.brings)].filter(Boolean).join(' ');
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Your answer', message, readerZone),
  button: ({ subject }) => (subject ? 'Change your answer' : openDaybook),
  isOver: ({ invitationId, at }, current, now) =>
    isRsvpOver(current, { at, now }) || (invitationId !== null && isLinkOver(current, now)),
  // If the first RSVP is no, no calendar has the entry.
  calendarEntry({ isComing, wasComing }) {
    if (isComing) return 'stands';
    return wasComing ? 'canceled' : null;
  },
};
