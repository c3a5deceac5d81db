import { describe, expect, test } from 'vitest';
import {
  sendWords,
  sendWordsForReader,
  type WhyWithheld,
  withheldMail,
  withheldReason,
  withheldWords,
  withheldWordsForReader,
} from '../../../app/domain/mail/withheld-mail';
import { inEnglish } from '../../../app/domain/words/english';
import type { Words } from '../../../app/domain/words/words';

const said = (words: Words | null) => words && inEnglish(words);

/* What is said of a mail that was withheld: to its sender, and to its reader. */

const withheld = (why: WhyWithheld, isDelayed = false) => ({ why, isDelayed });
const tomorrow = 'Not mailed yet: it goes out tomorrow.';

const reasons: [WhyWithheld, string][] = [
  ['sender', 'Not mailed: confirm your own e-mail address first.'],
  ['new', 'Not mailed: you have written to as many new addresses today as you may in a day.'],
  ['often', 'Not mailed: 3 invitations went to this address today.'],
  ['full', 'Not mailed: this address has had as many mails today as it may get in a day.'],
  ['questions', 'Not mailed: this address was asked 3 times today.'],
  ['guests', 'Not mailed yet: many people book here in this hour.'],
  ['ended', 'Wants no more mail of yours.'],
  ['refused', 'This address takes no mail from here.'],
];

describe('a sender reads', () => {
  test.each(reasons)('why it is withheld: %s', (why, words) => {
    expect(said(withheldReason(withheld(why)))).toBe(words);
  });

  test.each(['sender', 'new', 'often', 'full', 'questions'] as const)('that it goes out tomorrow: %s', (why) => {
    expect(said(withheldReason(withheld(why, true)))).toBe(tomorrow);
  });

  test('the reason of a mail that goes out within the hour by itself', () => {
    expect(said(withheldReason(withheld('guests', true)))).toBe('Not mailed yet: many people book here in this hour.');
  });

  test.each(['ended', 'refused'] as const)('to send the link, where no mail will ever go: %s', (why) => {
    expect(said(withheldWords(withheld(why)))).toMatch(/ Please send the link yourself\.$/);
  });

  test.each(['sender', 'full'] as const)('nothing of a link where mail can still go: %s', (why) => {
    expect(said(withheldWords(withheld(why)))).toBe(said(withheldReason(withheld(why))));
  });
});

describe('a sender is offered a button', () => {
  test('that sends it now, once their own address is what is missing', () => {
    expect(said(sendWords(withheld('sender')))).toBe('Send it now');
  });

  test.each(['new', 'often', 'full', 'questions'] as const)('that sends it tomorrow: %s', (why) => {
    expect(said(sendWords(withheld(why)))).toBe('Send it tomorrow');
  });

  test.each(['ended', 'refused'] as const)('never where no mail will go: %s', (why) => {
    expect(said(sendWords(withheld(why)))).toBeNull();
  });

  test('never where it goes out already', () => {
    expect(said(sendWords(withheld('full', true)))).toBeNull();
  });
});

describe('a reader', () => {
  test.each(['sender', 'new', 'often', 'ended'] as const)('is told no reason that is the sender’s own: %s', (why) => {
    expect(said(withheldWordsForReader(withheld(why)))).toBe('No mail about this goes out.');
  });

  test.each(['full', 'questions', 'guests', 'refused'] as const)('is told the reason of their address: %s', (why) => {
    expect(said(withheldWordsForReader(withheld(why)))).toBe(said(withheldReason(withheld(why))));
  });

  test('is told that it goes out tomorrow, whatever the reason', () => {
    expect(said(withheldWordsForReader(withheld('sender', true)))).toBe(tomorrow);
  });

  test.each(['sender', 'new', 'often', 'ended'] as const)('can’t send what the sender alone can: %s', (why) => {
    expect(said(sendWordsForReader(withheld(why)))).toBeNull();
  });

  test('can send what their full mailbox withholds', () => {
    expect(said(sendWordsForReader(withheld('full')))).toBe('Send it tomorrow');
  });
});

describe('a withheld mail as the book has it', () => {
  test('is read with its reason', () => {
    expect(withheldMail('withheld full')).toEqual(withheld('full'));
  });

  test('is read as waiting', () => {
    expect(withheldMail('waiting guests')).toEqual(withheld('guests', true));
  });

  test('is none where nothing is withheld', () => {
    expect(withheldMail(null)).toBeNull();
  });
});
