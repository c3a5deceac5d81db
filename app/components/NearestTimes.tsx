import type { ReactNode } from 'react';
import type { Appointment } from '../domain/bookings/appointments';
import { Leaf, SpanTimes } from './Time';

/** A free time in place of one that is taken. `children` books it; the slot's id describes it. */
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

/** Hidden fields that carry the answers of a form that came too late into the one that books another time. */
export const KeptFields = ({ kept }: { kept: [string, string[]][] }) =>
  kept.flatMap(([name, values]) =>
    values.map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
  );
