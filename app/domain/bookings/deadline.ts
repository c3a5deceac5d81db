import { conflict, type DomainError } from '../errors';
import { minutesWords } from '../profile/rule-words';
import { dateWords, type Instant, localDateOf, localTimeOf, minute, zoneWords } from '../time/clock';
import type { Appointment } from './appointments';

export type Changeable = Pick<
  Appointment,
  'startsAt' | 'timeZone' | 'providerName' | 'changeableUntil' | 'providerEmail' | 'providerPhone'
>;

export const isChangeable = (
  { startsAt, changeableUntil }: Pick<Changeable, 'startsAt' | 'changeableUntil'>,
  now: Instant,
): boolean => startsAt > now && (changeableUntil ?? startsAt) >= now;

export const alreadyStarted = () => conflict('This appointment has already started.');

/** The last moment to cancel or move, in the provider's zone: '10:00 on Wednesday, 2 December 2026, Lisbon time'. */
export function deadlineWords({
  startsAt,
  changeableUntil,
  timeZone,
}: Pick<Changeable, 'startsAt' | 'changeableUntil' | 'timeZone'>): string {
  const until = changeableUntil ?? startsAt;
  const { full } = dateWords(localDateOf(until, timeZone));
  return `${localTimeOf(until, timeZone)} on ${full}, ${zoneWords(timeZone)}`;
}

export const lateWords = (appointment: Parameters<typeof deadlineWords>[0]): string => {
  const { startsAt, changeableUntil } = appointment;
  const length = minutesWords(Math.round((startsAt - (changeableUntil ?? startsAt)) / minute));
  return `This appointment can't be canceled or moved any more: that is possible up to ${length} before, until ${deadlineWords(appointment)}.`;
};

export const tooLateWords = (appointment: Changeable): string => {
  const reach = [appointment.providerPhone, appointment.providerEmail].filter(Boolean).join(', ');
  return `${lateWords(appointment)} Please ask ${appointment.providerName}${reach && `: ${reach}`}.`;
};

export const tooLate = (appointment: Changeable, now: Instant): DomainError =>
  appointment.startsAt <= now ? alreadyStarted() : conflict(tooLateWords(appointment));
