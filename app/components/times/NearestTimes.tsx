import type { ReactNode } from 'react';
import type { Appointment } from '../../domain/bookings/appointments';
import { Leaf, SpanTimes } from './Time';

/** Shows a free time near one that is taken. `children` is its button, which the slot's id describes. */
export function NearestTime({ slot, children }: { slot: Appointment; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-4 border-b border-dashed border-rule py-3 last:border-0">
      <div id={slot.id} className="contents">
        <Leaf date={slot.date} />
        <p className="min-w-0 flex-1 basis-48 text-sm">
          <SpanTimes {...slot} />
        </p>
      </div>
      {children}
    </li>
  );
}

/** Hidden fields with the answers from the form for a taken time, so that another time is booked with them. */
export const TypedFields = ({ typed }: { typed: [string, string[]][] }) =>
  typed.flatMap(([name, values]) =>
    values.map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
  );
