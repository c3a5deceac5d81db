import { describe, expect, test } from 'vitest';
import type { Current } from '../../../app/domain/messages/kinds/kind';
import { isOver, type Kind, type Message } from '../../../app/domain/messages/messages';

/* When a mail is not worth sending any more, by its kind. */

const now = Date.UTC(2026, 10, 25, 14);
const hour = 3_600_000;

const booking = { isBooked: true, isReaders: true, startsAt: now + hour, heldUntil: null };
const hold = { ...booking, isBooked: false, heldUntil: now + hour };
const event = { isCalledOff: false, startsAt: now + hour, endsAt: now + 2 * hour };
const invitation = { isComing: true, rsvpAt: now - hour, isMailEnded: false };
const nothing: Current = { booking: null, event: null, invitation: null, isInLine: false, canJoin: false };

const message = (kind: Kind, data: object, of: object = {}) =>
  ({ kind, data, at: now - hour, subject: { startsAt: now + hour }, invitationId: null, ...of }) as unknown as Message;
const toName = { invitationId: 'i1' };
const held = { heldUntil: now + hour };
const free = { heldUntil: null };

describe('a mail is over', () => {
  test.each<[string, Message, Partial<Current>]>([
    ['that reminds of a canceled appointment', message('reminder', {}), { booking: { ...booking, isBooked: false } }],
    [
      'that reminds of an appointment that has begun',
      message('reminder', {}),
      { booking: { ...booking, startsAt: now } },
    ],
    [
      'that reminds of what another person has now',
      message('reminder', {}),
      { booking: { ...booking, isReaders: false } },
    ],
    [
      'that reminds somebody who is not coming any more',
      message('reminder', {}),
      { event, invitation: { ...invitation, isComing: false } },
    ],
    [
      'that reminds of a party that has begun',
      message('reminder', {}),
      { event: { ...event, startsAt: now }, invitation },
    ],
    [
      'that reminds a name who wants no more mail',
      message('reminder', {}, toName),
      { event, invitation: { ...invitation, isMailEnded: true } },
    ],
    [
      'about an RSVP that was changed since',
      message('answered', {}),
      { event, invitation: { ...invitation, rsvpAt: now } },
    ],
    [
      'about an RSVP to what is called off',
      message('answered', {}),
      { event: { ...event, isCalledOff: true }, invitation },
    ],
    ['that invites by a link that is dead', message('invited', {}, toName), { event }],
    ['that invites to what is over', message('invited', {}, toName), { event: { ...event, endsAt: now }, invitation }],
    [
      'about a change, to a name whose meetup is over',
      message('changed', {}, toName),
      { event: { ...event, endsAt: now }, invitation },
    ],
    [
      'that calls off, to a name who wants no more mail',
      message('called-off', {}, toName),
      { invitation: { ...invitation, isMailEnded: true } },
    ],
    ['about a hold that has ended', message('offer', held), { booking: { ...hold, heldUntil: now } }],
    ['about a held time that is booked', message('offer', held), { booking }],
    ['about a free time that has begun', message('offer', free, { subject: { startsAt: now } }), {}],
    ['about a wish that is over', message('wish', {}), {}],
    ['that invites into a shop by a link that is dead', message('join-shop', {}), {}],
  ])('%s', (_, mail, current) => {
    expect(isOver(mail, { ...nothing, ...current }, now)).toBe(true);
  });
});

describe('a mail still goes out', () => {
  test.each<[string, Message, Partial<Current>]>([
    ['that reminds of a coming appointment', message('reminder', {}), { booking }],
    ['that reminds of a coming party', message('reminder', {}), { event, invitation }],
    [
      'that asks a name whether they come',
      message('reminder', {}, toName),
      { event, invitation: { ...invitation, isComing: null } },
    ],
    ['about the last RSVP', message('answered', {}), { event, invitation }],
    ['that invites to what goes on', message('invited', {}, toName), { event, invitation }],
    ['about a change, to an account', message('changed', {}), { event: { ...event, endsAt: now }, invitation }],
    ['that calls off, whatever has become of the party', message('called-off', {}, toName), { invitation }],
    ['about a time that is held', message('offer', held), { booking: hold }],
    ['about a free time ahead', message('offer', free), {}],
    ['to somebody in line', message('wish', {}), { isInLine: true }],
    ['that invites into a shop', message('join-shop', {}), { canJoin: true }],
    ['about a booking, whatever has become of it', message('booked', {}), {}],
  ])('%s', (_, mail, current) => {
    expect(isOver(mail, { ...nothing, ...current }, now)).toBe(false);
  });
});
