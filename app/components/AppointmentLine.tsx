import type { ReactNode } from 'react';
import type { Appointment, ListedAppointment } from '../domain/appointments/appointments';
import { Leaf, SpanTimes } from './Time';

const badges = {
  0: { words: 'Open', look: 'badge bg-paper text-muted' },
  1: { words: 'Booked', look: 'badge bg-good-wash text-good' },
  2: { words: 'Canceled', look: 'badge bg-wash text-accent' },
};

/** The state of a slot. */
export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const { words, look } = badges[status];
  return <span className={look}>{words}</span>;
}

/** The part of an appointment that a line shows. */
export type LineOf = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'> & {
  /** The other person: the provider for a consumer, the booker for a provider. */
  who: string;
  notes: string | null;
};

/** An appointment as its line has it; the rest of it need not travel to the browser. */
export function lineOf(appointment: ListedAppointment, isProvider: boolean, hasNotes = !isProvider): LineOf {
  const { id, startsAt, endsAt, date, timeZone, notes, bookerName, providerName } = appointment;
  const who = isProvider ? (bookerName ?? 'Withdrawn by you') : providerName;
  return { id, startsAt, endsAt, date, timeZone, who, notes: hasNotes ? notes : null };
}

type Line = {
  appointment: LineOf;
  /** The path of the screen that shows it in full, up to its id. */
  to: string;
};

/** One appointment as a line in a diary: the leaf, who and when. */
export function AppointmentLine({ appointment, to }: Line) {
  const { id, date, who, notes } = appointment;
  return (
    <li className="relative">
      <Leaf date={date} />
      <div>
        <h3>
          <a href={`${to}/${id}`}>{who}</a>
        </h3>
        <p>
          <SpanTimes {...appointment} />
          {notes && <span className="line-clamp-2">{notes}</span>}
        </p>
      </div>
    </li>
  );
}

/** Lines of appointments. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className="lines">{children}</ul>;
}
