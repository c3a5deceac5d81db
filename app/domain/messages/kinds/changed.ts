import { whenWords } from '../../time/when-words';
import { isLinkOver } from './events';
import type { KindWith, MessageWith, Subject } from './kind';
import { hostName, mailSubjectAbout, subjectButton, subjectLink, titleOf } from './words';

/** The old values of what was changed. */
type Changed = { was: Partial<Pick<Subject, 'title' | 'startsAt' | 'endsAt' | 'address' | 'locationUrl'>> };

function addressSentence(before: string | null, now: string | null): string {
  if (!now) return `It was at ${before}, and has no address now.`;
  return before
    ? `It was at ${before}, and is now at ${now}.`
    : `It was at no place that was named, and is now at ${now}.`;
}

function mapLinkSentence(before: string | null, now: string | null): string {
  if (!now) return `Its map link was ${before}, and it has none now.`;
  return before ? `Its map link was ${before}, and is now ${now}.` : `Its map link is now ${now}.`;
}

function whatIsNew({ was }: Changed, subject: Subject): string {
  const before = { ...subject, ...was };
  const facts = [
    was.title !== undefined && `It was called ${before.title}.`,
    (was.startsAt !== undefined || was.endsAt !== undefined) &&
      `It was on ${whenWords(before)}, and is now on ${whenWords(subject)}.`,
    was.address !== undefined && addressSentence(before.address, subject.address),
    was.locationUrl !== undefined && mapLinkSentence(before.locationUrl, subject.locationUrl),
  ];
  // A mail may not have the host's own words.
  return facts.filter(Boolean).join(' ') || 'Its page shows what is new.';
}

const sentence = (message: MessageWith<Changed>): string =>
  message.subject
    ? `${hostName(message)} changed ${titleOf(message.subject)}. ${whatIsNew(message.data, message.subject)}`
    : 'A party was changed.';

export const changed: KindWith<Changed> = {
  mails: 'about changed parties and meetups',
  switchedOffBy: 'anyone',
  data: ({ title, startsAt, endsAt, address, locationUrl }: Changed['was']) => ({
    was: { title, startsAt, endsAt, address, locationUrl },
  }),
  withoutHostTexts: ({ was: { startsAt, endsAt } }) => ({ was: { startsAt, endsAt } }),
  sentence,
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Changed', message, readerZone),
  button: subjectButton,
  isOver: ({ invitationId }, current, now) => invitationId !== null && isLinkOver(current, now),
  calendarEntry: () => 'stands',
  notice: {
    beside: 'invitations',
    title: ({ other }) => `Changed by ${other ?? 'somebody'}`,
    text: sentence,
  },
};
