import { conflict, type DomainError } from '../errors';
import { dateWords, type Instant, localDateOf, localTimeOf, zoneWords } from '../time/clock';
import type { Appointment } from './appointments';

/** What the rule about late changes looks at. */
export type Changeable = Pick<Appointment, 'startsAt' | 'timeZone' | 'providerName' | 'changeableUntil'>;

/** True while the booker may cancel or move a booked appointment: until it starts, or as long before as the provider says. */
export const isChangeable = ({ startsAt, changeableUntil }: Changeable, now: Instant): boolean =>
  startsAt > now && (changeableUntil ?? startsAt) >= now;

/** The appointment has started. */
export const started = () => conflict('This appointment has already started.');

/** Until when the booker may cancel or move, in the provider's zone: '10:00 on Wednesday, 2 December 2026, Lisbon time'. */
export function deadlineWords({ startsAt, changeableUntil, timeZone }: Changeable): string {
  const until = changeableUntil ?? startsAt;
  const { full } = dateWords(localDateOf(until, timeZone));
  return `${localTimeOf(until, timeZone)} on ${full}, ${zoneWords(timeZone)}`;
}

/** What a booker who comes too late is told. */
export const tooLateWords = (appointment: Changeable): string =>
  `You could cancel or move this appointment until ${deadlineWords(appointment)}. Please ask ${appointment.providerName}.`;

/** Why the booker can't cancel or move. */
export const tooLate = (appointment: Changeable, now: Instant): DomainError =>
  appointment.startsAt <= now ? started() : conflict(tooLateWords(appointment));
