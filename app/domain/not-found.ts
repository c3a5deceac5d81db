import { msg } from '@lingui/core/macro';
import { DomainError } from './errors';

// In a file of its own: pages take along the words of each file that their scripts need, and none needs these.

const missing = {
  appointment: msg`There is no such appointment.`,
  'booked appointment': msg`There is no such booked appointment.`,
  booking: msg`There is no such booking.`,
  calendar: msg`There is no such calendar.`,
  delivery: msg`There is no such delivery.`,
  'free appointment': msg`There is no such free appointment.`,
  'free time': msg`There is no such free time.`,
  invitation: msg`There is no such invitation.`,
  link: msg`There is no such link.`,
  meetup: msg`There is no such meetup.`,
  offer: msg`There is no such offer.`,
  page: msg`There is no such page.`,
  party: msg`There is no such party.`,
  person: msg`There is no such person.`,
  provider: msg`There is no such provider.`,
  rsvp: msg`There is no such answer.`,
  service: msg`There is no such service.`,
  session: msg`There is no such session.`,
  shop: msg`There is no such shop.`,
  key: msg`There is no such key.`,
  template: msg`There is no such template.`,
  webhook: msg`There is no such webhook.`,
  wish: msg`There is no such wish.`,
  withdrawal: msg`There is no such withdrawal.`,
};
/** The words are the same for a missing thing and for someone else's. */
export const notFound = (noun: keyof typeof missing) => new DomainError('not_found', missing[noun]);
