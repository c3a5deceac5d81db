import type { Instant } from '../../time/clock';
import type { Current } from './kind';

const hasPassed = ({ event }: Current, now: Instant) => !event || event.isCalledOff || event.endsAt <= now;

/** Mail to a name of a meetup whose link is dead, or who wants no more of it. */
export const isLinkOver = (current: Current, now: Instant) =>
  !current.invitation || current.invitation.isMailEnded || hasPassed(current, now);

/** Mail about an RSVP that its reader has changed since, or to what is over. */
export const isRsvpOver = (current: Current, { at, now }: { at: Instant; now: Instant }) =>
  (current.invitation?.rsvpAt ?? now) > at || hasPassed(current, now);
