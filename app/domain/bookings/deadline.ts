import { msg } from '@lingui/core/macro';
import { conflict, type DomainError } from '../errors';
import { minutesWords } from '../profile/rule-words';
import { dateWords, type Instant, localDateOf, minute, timeWords, zoneWords } from '../time/clock';
import { withCommas } from '../words/joined';
import type { Words } from '../words/words';
import type { Appointment } from './appointments';

type Changeable = Pick<Appointment, 'startsAt' | 'changeableUntil'>;
type Provided = Pick<Appointment, 'timeZone' | 'providerName' | 'providerEmail' | 'providerPhone'>;

/** The last moment at which a client can cancel or move. */
export const deadlineOf = ({ startsAt, changeableUntil }: Changeable): Instant => changeableUntil ?? startsAt;

export const isChangeable = (appointment: Changeable, now: Instant): boolean =>
  appointment.startsAt > now && deadlineOf(appointment) >= now;

export const alreadyStarted = () => conflict(msg`This appointment has already started.`);

/** How long before the start the deadline is. */
export const deadlineLengthWords = (appointment: Changeable): Words =>
  minutesWords(Math.round((appointment.startsAt - deadlineOf(appointment)) / minute));

/** Says until when it was possible, by the provider's clock, and whom to ask now. */
export const tooLateWords = (appointment: Changeable & Provided): Words => {
  const { timeZone, providerName } = appointment;
  const until = deadlineOf(appointment);
  const [day, time, zone] = [
    dateWords(localDateOf(until, timeZone)).full,
    timeWords(until, timeZone),
    zoneWords(timeZone),
  ];
  const reach = withCommas([appointment.providerPhone, appointment.providerEmail].flatMap((contact) => contact || []));
  const length = deadlineLengthWords(appointment);
  return reach
    ? msg`This appointment can't be canceled or moved any more: that is possible up to ${length} before, until ${day}, ${time} ${zone}. Please ask ${providerName}: ${reach}.`
    : msg`This appointment can't be canceled or moved any more: that is possible up to ${length} before, until ${day}, ${time} ${zone}. Please ask ${providerName}.`;
};

export const tooLate = (appointment: Changeable & Provided, now: Instant): DomainError =>
  appointment.startsAt <= now ? alreadyStarted() : conflict(tooLateWords(appointment));
