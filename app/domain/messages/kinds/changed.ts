import { msg } from '@lingui/core/macro';
import { whenWords } from '../../time/when-words';
import { inARow } from '../../words/joined';
import type { Words } from '../../words/words';
import { isLinkOver } from './events';
import type { KindWith, MessageWith, Subject } from './kind';
import { hostName, mailSubjectAbout, otherInside, subjectButton, subjectLink, titleOf } from './words';

/** The old values of what was changed. */
type Changed = { was: Partial<Pick<Subject, 'title' | 'startsAt' | 'endsAt' | 'address' | 'locationUrl'>> };

function titleSentence(before: string | null): Words {
  return msg`It was called ${{ before: before ?? '' }}.`;
}

function timeSentence(before: Subject, now: Subject): Words {
  const [then, when] = [whenWords(before), whenWords(now)];
  return msg`It was on ${then}, and is now on ${when}.`;
}

function addressSentence(before: string | null, now: string | null): Words {
  if (!now) return msg`It was at ${{ before: before ?? '' }}, and has no address now.`;
  return before
    ? msg`It was at ${before}, and is now at ${now}.`
    : msg`It was at no place that was named, and is now at ${now}.`;
}

function mapLinkSentence(before: string | null, now: string | null): Words {
  if (!now) return msg`Its map link was ${{ before: before ?? '' }}, and it has none now.`;
  return before ? msg`Its map link was ${before}, and is now ${now}.` : msg`Its map link is now ${now}.`;
}

function whatIsNew({ was }: Changed, subject: Subject): Words {
  const before = { ...subject, ...was };
  const facts = [
    was.title !== undefined && titleSentence(before.title),
    (was.startsAt !== undefined || was.endsAt !== undefined) && timeSentence(before, subject),
    was.address !== undefined && addressSentence(before.address, subject.address),
    was.locationUrl !== undefined && mapLinkSentence(before.locationUrl, subject.locationUrl),
  ].filter((fact) => fact !== false);
  // A mail may not have the host's own words.
  return facts.length > 0 ? inARow(facts) : msg`Its page shows what is new.`;
}

function sentence(message: MessageWith<Changed>): Words {
  const { subject, data } = message;
  if (!subject) return msg`A party was changed.`;
  const [host, title] = [hostName(message), titleOf(subject)];
  return inARow([msg`${host} changed ${title}.`, whatIsNew(data, subject)]);
}

export const changed: KindWith<Changed> = {
  mails: msg`about changed parties and meetups`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true },
  data: ({ title, startsAt, endsAt, address, locationUrl }: Changed['was']) => ({
    was: { title, startsAt, endsAt, address, locationUrl },
  }),
  withoutHostTexts: ({ was: { startsAt, endsAt } }) => ({ was: { startsAt, endsAt } }),
  sentence,
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(msg({ message: 'Changed', context: 'subject of a mail' }), message, readerZone),
  button: subjectButton,
  isOver: ({ invitationId }, current, now) => invitationId !== null && isLinkOver(current, now),
  calendarEntry: () => 'stands',
  notice: {
    beside: 'invitations',
    title(message) {
      const other = otherInside(message);
      return msg`Changed by ${other}`;
    },
    text: sentence,
  },
};
