import { describe, expect, test } from 'vitest';
import {
  heldMail,
  heldReason,
  heldWords,
  heldWordsForReader,
  sendWords,
  sendWordsForReader,
  type WhyHeld,
} from '../../../app/domain/mail/held-mail';

/* What is said of a mail that was held back: to its sender, and to its reader. */

const held = (why: WhyHeld, isWaiting = false) => ({ why, isWaiting });
const tomorrow = 'Not mailed yet: it goes out tomorrow.';

const reasons: [WhyHeld, string][] = [
  ['sender', 'Not mailed: confirm your own e-mail address first.'],
  ['new', 'Not mailed: you have written to as many new addresses today as you may in a day.'],
  ['often', 'Not mailed: three invitations went to this address today.'],
  ['full', 'Not mailed: this address has had as many mails today as it may get in a day.'],
  ['questions', 'Not mailed: this address was asked three times today.'],
  ['guests', 'Not mailed yet: many people book here in this hour.'],
  ['ended', 'Wants no more mail of yours.'],
  ['refused', 'This address takes no mail from here.'],
];

describe('a sender reads', () => {
  test.each(reasons)('why it is held back: %s', (why, words) => {
    expect(heldReason(held(why))).toBe(words);
  });

  test.each(['sender', 'new', 'often', 'full', 'questions'] as const)('that it goes out tomorrow: %s', (why) => {
    expect(heldReason(held(why, true))).toBe(tomorrow);
  });

  test('the reason of a mail that goes out within the hour by itself', () => {
    expect(heldReason(held('guests', true))).toBe('Not mailed yet: many people book here in this hour.');
  });

  test.each(['ended', 'refused'] as const)('to send the link, where no mail will ever go: %s', (why) => {
    expect(heldWords(held(why))).toMatch(/ Please send the link yourself\.$/);
  });

  test.each(['sender', 'full'] as const)('nothing of a link where mail can still go: %s', (why) => {
    expect(heldWords(held(why))).toBe(heldReason(held(why)));
  });
});

describe('a sender is offered a button', () => {
  test('that sends it now, once their own address is what is missing', () => {
    expect(sendWords(held('sender'))).toBe('Send it now');
  });

  test.each(['new', 'often', 'full', 'questions'] as const)('that sends it tomorrow: %s', (why) => {
    expect(sendWords(held(why))).toBe('Send it tomorrow');
  });

  test.each(['ended', 'refused'] as const)('never where no mail will go: %s', (why) => {
    expect(sendWords(held(why))).toBeNull();
  });

  test('never where it goes out already', () => {
    expect(sendWords(held('full', true))).toBeNull();
  });
});

describe('a reader', () => {
  test.each(['sender', 'new', 'often', 'ended'] as const)('is told no reason that is the sender’s own: %s', (why) => {
    expect(heldWordsForReader(held(why))).toBe('No mail about this goes out.');
  });

  test.each(['full', 'questions', 'guests', 'refused'] as const)('is told the reason of their address: %s', (why) => {
    expect(heldWordsForReader(held(why))).toBe(heldReason(held(why)));
  });

  test('is told that it goes out tomorrow, whatever the reason', () => {
    expect(heldWordsForReader(held('sender', true))).toBe(tomorrow);
  });

  test.each(['sender', 'new', 'often', 'ended'] as const)('can’t send what the sender alone can: %s', (why) => {
    expect(sendWordsForReader(held(why))).toBeNull();
  });

  test('can send what their full mailbox holds back', () => {
    expect(sendWordsForReader(held('full'))).toBe('Send it tomorrow');
  });
});

describe('a held mail as the book has it', () => {
  test('is read with its reason', () => {
    expect(heldMail('held full')).toEqual(held('full'));
  });

  test('is read as waiting', () => {
    expect(heldMail('waiting guests')).toEqual(held('guests', true));
  });

  test('is none where nothing is held back', () => {
    expect(heldMail(null)).toBeNull();
  });
});
