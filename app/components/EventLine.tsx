import type { ReactNode } from 'react';
import type { Before, Party } from '../domain/parties/parties';
import { PreviousTime } from './times/PreviousTime';
import { Leaf, SpanTimes } from './times/Time';

type EventLineOf = Pick<Party, 'id' | 'title' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'address'>;

// A list sends the browser only the fields that its lines show.
export function eventLineOf({ id, title, startsAt, endsAt, date, timeZone, address }: Party): EventLineOf {
  return { id, title, startsAt, endsAt, date, timeZone, address };
}

type Props = { party: EventLineOf; to: string; was?: Before | null; children: ReactNode };

export function EventLine({ party, to, was, children }: Props) {
  const { title, date, address, timeZone } = party;
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
          {was && (
            <span className="block">
              <PreviousTime was={was} zone={timeZone} />
            </span>
          )}
        </p>
      </div>
      <div>{children}</div>
    </li>
  );
}
