import type { ReactNode } from 'react';
import type { Party } from '../domain/parties';
import { Leaf, SpanTimes, YourTimes, Zone } from './Time';

/** A party or meetup as a line in a diary. */
export function EventLine({ party, to, children }: { party: Party; to: string; children: ReactNode }) {
  return (
    <li className="relative grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 border-b border-dashed border-rule py-3.5 last:border-0 sm:grid-cols-[auto_1fr_auto]">
      <Leaf date={party.date} />
      <div>
        <h2 className="font-sans text-base font-semibold break-words">
          <a href={to} className="after:absolute after:inset-0 hover:underline">
            {party.title}
          </a>
        </h2>
        <p className="text-sm text-muted">
          <SpanTimes {...party} /> · <Zone zone={party.timeZone} />
          <YourTimes {...party} />
          {party.address && <span className="block break-words">{party.address}</span>}
        </p>
      </div>
      <div className="col-start-2 text-sm font-semibold sm:col-start-3">{children}</div>
    </li>
  );
}
