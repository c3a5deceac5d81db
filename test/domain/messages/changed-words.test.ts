import { describe, expect, test } from 'vitest';
import {
  type Message,
  mailSubjectOf,
  type Subject,
  sentenceOf,
  whenWordsFor,
  withoutHostTexts,
} from '../../../app/domain/messages/messages';

const hour = 3_600_000;

const changed: Message = {
  id: 'a',
  kind: 'changed',
  at: 0,
  isRead: false,
  isOwn: false,
  other: 'Hanna',
  host: 'Hanna',
  reason: null,
  count: 1,
  batchId: null,
  last: null,
  was: { title: 'Book club' },
  invitationId: null,
  answer: null,
  filled: 0,
  wish: null,
  standing: null,
  isUnanswered: false,
  subject: {
    noun: 'meetup',
    id: 'b',
    title: 'Reading circle',
    startsAt: 0,
    endsAt: hour,
    timeZone: 'UTC',
    date: '1970-01-01',
    address: null,
    service: null,
    people: 1,
  },
};

test('a mail about a new title says so, and where to read it if the host’s words stay out', () => {
  expect(sentenceOf(changed)).toBe('Hanna changed Reading circle. It was called Book club.');
  expect(sentenceOf(withoutHostTexts(changed))).toBe('Hanna changed a meetup. Its page shows what is new.');
});

test('a mail about a new time says both, whosever words stay out', () => {
  const later = { ...changed, was: { startsAt: hour, endsAt: 2 * hour } };
  expect(sentenceOf(withoutHostTexts(later))).toMatch(/^Hanna changed a meetup\. It was on .*, and is now on .*\.$/);
});

describe('the reader’s clock', () => {
  const at = (text: string) => Date.parse(text);
  const isle = { timeZone: 'Pacific/Kiritimati', startsAt: at('2027-01-05T20:00Z'), endsAt: at('2027-01-05T21:00Z') };

  test('differs if it is another day there, though it shows the same hour', () => {
    const moved: Message = { ...changed, kind: 'moved', subject: { ...(changed.subject as Subject), ...isle } };
    expect(mailSubjectOf(moved, 'Pacific/Honolulu')).toMatch(/, Wed 6 Jan, 10:00 \(Kiritimati time\)$/);
    expect(whenWordsFor(isle, 'Pacific/Honolulu')).toContain('Tuesday, 5 January 2027, 10:00 to 11:00');
  });

  test('differs if only the end does, in the night in which clocks change', () => {
    const night = { timeZone: 'Europe/Lisbon', startsAt: at('2027-03-27T23:00Z'), endsAt: at('2027-03-28T05:00Z') };
    expect(whenWordsFor(night, 'Atlantic/Reykjavik')).toContain('23:00 to 05:00');
    expect(whenWordsFor(night, 'Europe/London')).toBeNull();
  });
});
