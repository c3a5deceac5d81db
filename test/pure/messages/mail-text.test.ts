import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../app/domain/messages/kinds/kind';
import { mailTextOf } from '../../../app/domain/messages/mail-text';
import type { Message } from '../../../app/domain/messages/messages';
import { english } from '../../../app/domain/words/english';

/* What a mail has around its sentence: a greeting, a button, and why it came. */

const at = (text: string) => Date.parse(text);
const appointment: Subject = {
  noun: 'appointment',
  id: 'a1',
  title: null,
  startsAt: at('2026-12-01T10:00Z'),
  endsAt: at('2026-12-01T10:30Z'),
  timeZone: 'Europe/Lisbon',
  date: '2026-12-01',
  address: null,
  locationUrl: null,
  service: null,
  people: 1,
};
const party: Subject = { ...appointment, noun: 'party', title: 'Lanterns' };

const booked: Message<'booked'> = {
  id: 'm1',
  kind: 'booked',
  at: at('2026-11-20T10:00Z'),
  isRead: false,
  isToHost: false,
  subject: appointment,
  other: null,
  host: 'Karla',
  count: 1,
  invitationId: null,
  data: { several: null, filled: 0 },
};

const facts: Parameters<typeof mailTextOf>[1] = {
  readerName: 'Maya',
  readerZone: 'Europe/Lisbon',
  paragraphs: [],
  canChange: true,
  href: 'https://daybook.test/a1',
  again: null,
  unsubscribe: null,
  notMe: null,
  isHosts: false,
};
const textOf = (message: Partial<Message>, known: Partial<typeof facts> = {}) =>
  mailTextOf({ ...booked, ...message } as Message, { ...facts, ...known }, english);

describe('a mail greets', () => {
  test.each([
    ['by name', 'Maya', 'Hello Maya,'],
    ['without a name where it has none', '', 'Hello,'],
    ['whoever has left without a name', 'Former guest', 'Hello,'],
  ])('%s', (_, readerName, greeting) => {
    expect(textOf({}, { readerName }).paragraphs[0]).toBe(greeting);
  });

  test('nobody where it is about no appointment, party or meetup', () => {
    const { paragraphs } = textOf({ kind: 'password', subject: null });

    expect(paragraphs[0]).toMatch(/^Your password was changed\./);
  });
});

describe('a mail says', () => {
  test('the time on the clock of a reader in another zone', () => {
    const { paragraphs } = textOf({}, { readerZone: 'Asia/Colombo' });

    expect(paragraphs).toContain('On your clock: Tuesday, 1 December 2026, 15:30 to 16:00, Colombo time.');
  });

  test('no other time to a reader whose clock shows the same', () => {
    const { paragraphs } = textOf({}, { readerZone: 'Europe/London' });

    expect(paragraphs.join()).not.toContain('On your clock');
  });

  test('what else there is to know after its sentence, in this order', () => {
    const { paragraphs } = textOf({}, { paragraphs: ['Two dates', 'Rua da Rosa 5'] });

    expect(paragraphs.slice(2)).toEqual(['Two dates', 'Rua da Rosa 5']);
  });
});

describe('the button of a mail', () => {
  const offer = { wishId: 'w1', slotId: 's1', heldUntil: null, isOver: false, readerZone: 'UTC' };
  const rsvp = { isComing: true, wasComing: false, brings: 0 };

  test.each<[string, Partial<Message>, string]>([
    ['that asks whose an address is', { kind: 'confirm-email', subject: null }, 'Confirm the address'],
    ['that lets somebody back in', { kind: 'reset-password', subject: null }, 'Set a new password'],
    ['about a new password', { kind: 'password', subject: null }, 'Open Daybook'],
    [
      'about a wish',
      { kind: 'wish', subject: null, data: { wishId: 'w1', times: null, service: null } },
      'See your place in line',
    ],
    ['about a time that came free', { kind: 'offer', data: offer }, 'See the time'],
    ['about a time that is gone again', { kind: 'offer', data: { ...offer, isOver: true } }, 'See your place in line'],
    ['about an own RSVP', { kind: 'answered', subject: party, data: rsvp }, 'Change your answer'],
    ['to a host about a party', { kind: 'rsvps', subject: party, isToHost: true }, 'See the answers'],
    ['to a guest about a party', { kind: 'changed', subject: party, data: { was: {} } }, 'See the invitation'],
    ['to a provider about an appointment', { isToHost: true }, 'See the appointment'],
    [
      'to a client about a canceled appointment',
      { kind: 'canceled', data: { several: null, reason: null } },
      'See the appointment',
    ],
    ['to a client about a coming appointment', {}, 'Change or cancel'],
  ])('%s', (_, message, label) => {
    expect(textOf(message).button).toEqual({ label, href: 'https://daybook.test/a1' });
  });
});

describe('a mail says that it came because', () => {
  const unsubscribe = 'https://daybook.test/unsubscribe/1';

  test('the host gave the address with the invitation', () => {
    const { small } = textOf({ subject: party, invitationId: 'i1' }, { isHosts: true, unsubscribe });

    expect(small).toBe('You get this mail because Karla gave this address with your invitation.');
  });

  test('a host who has left gave it', () => {
    const left = { subject: party, invitationId: 'i1', host: '' };

    expect(textOf(left, { isHosts: true }).small).toBe(
      'You get this mail because your host gave this address with your invitation.',
    );
  });

  test('the address is confirmed', () => {
    expect(textOf({}, { unsubscribe }).small).toBe('You get this mail because your address is confirmed at Daybook.');
  });

  test('somebody gave an address that nobody has confirmed', () => {
    const { small } = textOf({}, { unsubscribe, notMe: 'https://daybook.test/not-me/1' });

    expect(small).toBe('You get this mail because this address was given to Daybook.');
  });
});
