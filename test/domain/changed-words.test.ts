import { expect, test } from 'vitest';
import { type Message, sentenceOf, withoutHostTexts } from '../../app/domain/messages/messages';

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
