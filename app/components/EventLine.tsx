import type { ReactNode } from 'react';
import type { Party } from '../domain/parties/parties';
import { Leaf, SpanTimes } from './Time';

/** What a line shows of a party or meetup. */
type EventLineOf = Pick<Party, 'id' | 'title' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'address'>;

/** A party as its line has it; the rest of it need not travel to the browser. */
export function eventLineOf({ id, title, startsAt, endsAt, date, timeZone, address }: Party): EventLineOf {
  return { id, title, startsAt, endsAt, date, timeZone, address };
}

/** A party or meetup as a line in a diary. */
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
