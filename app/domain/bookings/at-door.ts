import type { Where } from '../services/where';
import { type Instant, type LocalDate, type LocalTime, localDateOf, localTimeOf, minute } from '../time/clock';

/** The field whose fault says what the time is over; with that field in the form, it is booked all the same. */
export const overField = 'over';

type OneService = { id: string; name: string; minutes: number; where: Where };
/** What the form for any time begins with: now, and the services for one person. */
export type Door = { date: LocalDate; start: LocalTime; services: OneService[] };

const nearest = 5 * minute;

/** The form for whoever stands at the door. */
export function doorOf(services: (OneService & { seats: number })[], zone: string, now: Instant): Door {
  const at = Math.round(now / nearest) * nearest;
  return {
    date: localDateOf(at, zone),
    start: localTimeOf(at, zone),
    services: services
      .filter(({ seats }) => seats === 1)
      .map(({ id, name, minutes, where }) => ({ id, name, minutes, where })),
  };
}

const serviceSign = 'service ';
/** The value of the form's choice for a service; for a length it is the minutes. */
export const choiceOf = ({ id }: { id: string }) => serviceSign + id;

/** Reads the form's choice of a length or a service. */
export const readChoice = (choice: string): { minutes: string; service: string | null } =>
  choice.startsWith(serviceSign)
    ? { minutes: '', service: choice.slice(serviceSign.length) }
    : { minutes: choice, service: null };

/** Says which time it is that somebody books knowing what it is over. */
export const timeSaid = (typed: Record<string, string[] | undefined>) =>
  ['date', 'start', 'long'].map((name) => typed[name]?.[0] ?? '').join(' ');
