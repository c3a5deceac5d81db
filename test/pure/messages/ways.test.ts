import { describe, expect, test } from 'vitest';
import { eventWaysOf, eventWaysWords } from '../../../app/domain/messages/event-ways';
import { isMailed, isUntold, mailedTo, type Way, type Ways, wayWords } from '../../../app/domain/messages/ways';
import { inEnglish } from '../../../app/domain/words/english';

/* How a screen says by which way somebody hears of a change. */

const ways: [Way, string][] = [
  ['mail', 'Gus is told by mail.'],
  ['bare', 'Gus is told by mail.'],
  ['news', 'Gus reads it in their news.'],
  ['call', 'Gus has no e-mail: please call 555 01.'],
  ['blocked', 'Gus gets no mail: please call 555 01.'],
];

test.each(ways)('by %s: %s', (way, words) => {
  expect(inEnglish(wayWords('Gus', way, '555 01'))).toBe(words);
});

test('a call without a number asks for a call all the same', () => {
  expect(inEnglish(wayWords('Gus', 'call'))).toBe('Gus has no e-mail: please call.');
});

test.each([
  ['mail', true, false],
  ['bare', true, false],
  ['news', false, false],
  ['call', false, true],
  ['blocked', false, true],
] as const)('by %s somebody is mailed (%s), or told by nobody (%s)', (way, mailed, untold) => {
  expect(isMailed(way)).toBe(mailed);
  expect(isUntold(way)).toBe(untold);
});

test('a mail has the reason', () => {
  expect(inEnglish(wayWords('Gus', 'mail', null, true))).toBe('Gus is told by mail, with your reason.');
});

test('a mail without the provider’s words leads to the reason', () => {
  expect(inEnglish(wayWords('Gus', 'bare', null, true))).toContain('Your reason is at the link in the mail');
});

describe('the address to which a booking was mailed', () => {
  const told = (toldBooker: Way) => ({ toldBooker, bookerEmail: 'gus@mail.test' }) as Ways;

  test('is the client’s where it was mailed', () => {
    expect(mailedTo(told('bare'))).toBe('gus@mail.test');
  });

  test('is none where it was not mailed', () => {
    expect(mailedTo(told('blocked'))).toBeNull();
  });

  test('is none where nobody knows', () => {
    expect(mailedTo(undefined)).toBeNull();
  });
});

describe('how the guests of an event hear of a change', () => {
  const guests = (way: Way, count: number, ...names: string[]) => ({
    way,
    count,
    named: names.map((name) => ({ name, phone: null })),
  });
  const wordsOf = (rows: Parameters<typeof eventWaysOf>[0], withReason = false) =>
    inEnglish(eventWaysWords(eventWaysOf(rows), withReason));

  test('is nothing where nobody comes', () => {
    expect(wordsOf([])).toBe('Nobody is coming so far, so nobody is told.');
  });

  test('is one number for mails with the host’s words and without them', () => {
    expect(wordsOf([guests('mail', 2), guests('bare', 1)])).toBe('3 people are told by mail.');
  });

  test('has a sentence for those who read news', () => {
    expect(wordsOf([guests('mail', 1), guests('news', 2)])).toBe(
      'One person is told by mail; 2 people read it in their news, and by mail where they want that.',
    );
  });

  test('says that the reason goes along', () => {
    expect(wordsOf([guests('mail', 1)], true)).toBe('One person is told by mail, with your reason.');
  });

  test('says where the reason is as soon as one mail leaves it out', () => {
    expect(wordsOf([guests('mail', 5), guests('bare', 1)], true)).toContain('Your reason is at the link in the mail');
  });

  test('names who is to be called, with the number', () => {
    const zoe = { way: 'call' as const, count: 1, named: [{ name: 'Zoë', phone: '555 01' }] };

    expect(wordsOf([zoe])).toBe('Zoë (555 01) has no e-mail here: please call.');
  });

  test('names a few who are to be called, and counts the others', () => {
    expect(wordsOf([guests('call', 5, 'Ada', 'Ben', 'Cem')])).toBe(
      'Ada, Ben, Cem and 2 more have no e-mail here: please call.',
    );
  });

  test('names who gets no mail by themselves', () => {
    expect(wordsOf([guests('call', 1, 'Ada'), guests('blocked', 2, 'Ben', 'Cem')])).toBe(
      'Ada has no e-mail here: please call. Ben and Cem get no mail: please call.',
    );
  });
});
