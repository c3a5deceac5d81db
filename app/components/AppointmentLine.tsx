import type { ReactNode } from 'react';
import type { Appointment } from '../domain/appointments';
import { Leaf, SpanTimes, YourTimes, Zone } from './Time';

const badges = {
  0: { words: 'Open', look: 'bg-paper text-muted' },
  1: { words: 'Booked', look: 'bg-good-wash text-good' },
  2: { words: 'Canceled', look: 'bg-wash text-accent' },
};

/** What has become of a slot. */
export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const { words, look } = badges[status];
  return (
    <span className={`inline-block rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap ${look}`}>
      {words}
    </span>
  );
}

/** What a line shows of an appointment. */
export type LineOf = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'status'> & {
  /** Whom the line is about: the provider for a consumer, the booker for a provider. */
  who: string;
  notes: string | null;
};

/** An appointment as its line has it; the rest of it need not travel to the browser. */
export function lineOf(appointment: Appointment, who: string, hasNotes: boolean): LineOf {
  const { id, startsAt, endsAt, date, timeZone, status, notes } = appointment;
  return { id, startsAt, endsAt, date, timeZone, status, who, notes: hasNotes ? notes : null };
}

type Line = {
  appointment: LineOf;
  /** The path of the screen that shows it in full, up to its id. */
  to: string;
};

/** One appointment as a line in a diary: the leaf, who and when, and what it is at. */
export function AppointmentLine({ appointment, to }: Line) {
  const { id, date, who, notes, timeZone, status } = appointment;
  return (
    <li className="relative grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr_auto] border-b border-dashed border-rule py-3.5 last:border-0">
      <Leaf date={date} />
      <div>
        <h3 className="font-sans text-base font-semibold break-words">
          <a href={`${to}/${id}`} className="after:absolute after:inset-0 hover:underline">
            {who}
          </a>
        </h3>
        <p className="text-sm text-muted">
          <SpanTimes {...appointment} /> · <Zone zone={timeZone} />
          <YourTimes {...appointment} />
          {notes && <span className="line-clamp-2 block">{notes}</span>}
        </p>
      </div>
      <div className="col-start-2 sm:col-start-3">
        <StatusBadge status={status} />
      </div>
    </li>
  );
}

/** Lines of appointments. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className="grid">{children}</ul>;
}
