import type { ReactNode } from 'react';
import type { Party } from '../domain/parties/parties';
import { Leaf, SpanTimes } from './Time';

/** The part of a party or meetup that a line shows. */
type EventLineOf = Pick<Party, 'id' | 'title' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'address'>;

/** Picks that part, so that the rest does not travel to the browser. */
export function eventLineOf({ id, title, startsAt, endsAt, date, timeZone, address }: Party): EventLineOf {
  return { id, title, startsAt, endsAt, date, timeZone, address };
}

/** A party or meetup as one line of a list. */
export function EventLine({ party, to, children }: { party: EventLineOf; to: string; children: ReactNode }) {
  const { title, date, address } = party;
  return (
    <li className="relative">
      <Leaf date={date} />
      <div>
        <h2>
          <a href={to}>{title}</a>
        </h2>
        <p>
          <SpanTimes {...party} />
          {address && <span className="block">{address}</span>}
        </p>
      </div>
      <div>{children}</div>
    </li>
  );
}
