import type { ReactNode } from 'react';
import type { Appointment, ListedAppointment, OwnLine } from '../../domain/bookings/appointments';
import { attendanceWords } from '../../domain/people/attendance-words';
import { providerWords } from '../../domain/profile/former';
import type { Instant } from '../../domain/time/clock';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { Leaf, Moment, SpanTimes } from './Time';

const badges = {
  0: { words: 'Open', look: 'badge bg-paper text-muted' },
  1: { words: 'Booked', look: 'badge bg-good-wash text-good' },
  2: { words: 'Canceled', look: 'badge bg-wash text-accent' },
};

export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const { words, look } = badges[status];
  return <span className={look}>{words}</span>;
}

export type LineOf = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'> & {
  who: string; // a client sees the provider here, a provider sees the client
  service: string | null; // the service's name; for a class also how many places are taken
  notes: string | null;
  /** Whether the client came, in a word; null if the provider marked nothing. */
  mark: string | null;
  /** Cancellation details; `isWithdrawn` if nobody had booked it. */
  canceled?: { at: Instant; by: string; isWithdrawn: boolean; isMoved: boolean };
  again: string | null; // the page to book another time, for a canceled booking
};

/** The address of the provider's free times; null if the provider's account is deleted. */
const againPath = (provider: string) => (provider === '' ? null : paths.search({ provider }));

// A list sends the browser only the fields that its lines show.
export function lineOf(appointment: ListedAppointment | OwnLine, isProvider: boolean, hasNotes = !isProvider): LineOf {
  const { id, startsAt, endsAt, date, timeZone, bookerName, canceledAt, canceledBy, movedTo } = appointment;
  const { places = null, attendance = null } = 'providerName' in appointment ? appointment : {};
  return {
    id,
    startsAt,
    endsAt,
    date,
    timeZone,
    ...serviceInWords(appointment),
    who: places
      ? (appointment.service ?? 'Class')
      : 'providerName' in appointment && !isProvider
        ? providerWords(appointment.providerName, true)
        : (bookerName ?? 'Free time'),
    notes: hasNotes ? appointment.notes : null,
    mark: attendance && attendanceWords[attendance],
    again:
      'provider' in appointment && !isProvider && canceledAt !== null && movedTo === null
        ? againPath(appointment.provider)
        : null,
    canceled:
      canceledAt === null
        ? undefined
        : {
            at: canceledAt,
            by: canceledBy === (isProvider ? 'provider' : 'consumer') ? 'you' : otherPerson(appointment, isProvider),
            isWithdrawn: bookerName === null,
            isMoved: movedTo !== null,
          },
  };
}

/** Names the other person of the appointment, as words within a sentence. */
const otherPerson = (appointment: ListedAppointment | OwnLine, isProvider: boolean) =>
  'providerName' in appointment && !isProvider
    ? providerWords(appointment.providerName)
    : (appointment.bookerName ?? 'somebody');

const serviceInWords = ({ service, places = null }: ListedAppointment | OwnLine) => ({
  service: places ? `${places.taken} of ${places.seats} places taken` : service,
});

type Line = {
  appointment: LineOf;
  to: (id: string) => string;
};

export function AppointmentLine({ appointment, to }: Line) {
  const { id, date, who, service, notes, mark, canceled, again } = appointment;
  return (
    <li className="relative">
      <Leaf date={date} />
      <div>
        <h3>
          <a href={to(id)}>{who}</a>
        </h3>
        <p>
          <SpanTimes {...appointment} />
          {service && <span className="block">{service}</span>}
          {mark && <span className="block">{mark}</span>}
          {canceled && <Cancellation {...canceled} />}
          {notes && <span className="line-clamp-2">{notes}</span>}
        </p>
      </div>
      {again && (
        <p className="again">
          <TextLink to={again}>Book another time</TextLink>
        </p>
      )}
    </li>
  );
}

type CancellationProps = { at: Instant; by: string; isWithdrawn?: boolean; isMoved?: boolean; reason?: string | null };

export const Cancellation = ({ at, by, isWithdrawn, isMoved, reason }: CancellationProps) => (
  <span className="block text-accent">
    {isWithdrawn ? 'Removed' : isMoved ? 'Moved' : 'Canceled'} by <bdi>{by}</bdi>, <Moment at={at} />
    {reason && (
      <>
        : <bdi>{reason}</bdi>
      </>
    )}
  </span>
);

export function Lines({ children }: { children: ReactNode }) {
  return <ul className="lines">{children}</ul>;
}
