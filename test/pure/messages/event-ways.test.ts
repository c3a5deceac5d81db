import { describe, expect, test } from 'vitest';
import { type EventWays, eventWaysWords } from '../../../app/domain/messages/event-ways';
import { inEnglish } from '../../../app/domain/words/english';

/* What stands beside a button that tells the guests of a party or meetup. */

const nobody = { count: 0, named: [] };
const ways = (known: Partial<EventWays>): EventWays => ({
  mail: 0,
  bare: 0,
  news: 0,
  call: nobody,
  blocked: nobody,
  ...known,
});
const zoe = { name: 'Zoë', phone: '555 01' };
const ben = { name: 'Ben', phone: null };
const cem = { name: 'Cem', phone: null };

describe('beside a button that tells guests', () => {
  test.each<[string, Partial<EventWays>, string]>([
    ['nobody', {}, 'Nobody is coming so far, so nobody is told.'],
    ['one person by mail', { mail: 1 }, 'One person is told by mail.'],
    ['several people by mail', { mail: 2, bare: 1 }, '3 people are told by mail.'],
    ['one person in their news', { news: 1 }, 'One person reads it in their news, and by mail where they want that.'],
    [
      'some by mail and some in their news',
      { mail: 1, news: 4 },
      'One person is told by mail; 4 people read it in their news, and by mail where they want that.',
    ],
    ['one to call', { call: { count: 1, named: [zoe] } }, 'Zoë (555 01) has no e-mail here: please call.'],
    [
      'two to call',
      { call: { count: 2, named: [zoe, ben] } },
      'Zoë (555 01) and Ben have no e-mail here: please call.',
    ],
    [
      'more to call than are named',
      { call: { count: 9, named: [zoe, ben] } },
      'Zoë (555 01), Ben and 7 more have no e-mail here: please call.',
    ],
    ['one whose mail is withheld', { blocked: { count: 1, named: [ben] } }, 'Ben gets no mail: please call.'],
    [
      'two whose mail is withheld',
      { blocked: { count: 2, named: [ben, cem] } },
      'Ben and Cem get no mail: please call.',
    ],
    [
      'some by mail and some not at all',
      { mail: 2, call: { count: 1, named: [ben] }, blocked: { count: 1, named: [cem] } },
      '2 people are told by mail. Ben has no e-mail here: please call. Cem gets no mail: please call.',
    ],
  ])('stands that it tells %s', (_, known, words) => {
    expect(inEnglish(eventWaysWords(ways(known), false))).toBe(words);
  });

  test('stands that the mail has the reason', () => {
    expect(inEnglish(eventWaysWords(ways({ mail: 2 }), true))).toBe('2 people are told by mail, with your reason.');
  });

  test('stands that a bare mail has no reason', () => {
    expect(inEnglish(eventWaysWords(ways({ mail: 1, bare: 1 }), true))).toBe(
      '2 people are told by mail. Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.',
    );
  });
});
