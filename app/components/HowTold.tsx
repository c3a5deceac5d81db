import { type EventWays, eventWaysWords } from '../domain/messages/event-ways';
import { isUntold, reasonWords, type Way, wayWords } from '../domain/messages/ways';
import { CallLink, MessageLink } from './Reach';

type Props = {
  name: string;
  way: Way;
  phone?: string | null; // the number to call, if nobody can be mailed
  withReason?: boolean; // there is a field for a reason beside the button
};

/** How people hear of a button's effect. Every screen that tells somebody says it with this. */
export const HowTold = ({ name, way, phone, withReason = false }: Props) => (
  <>
    {`${wayWords(name, way, phone)}${withReason && !isUntold(way) ? reasonWords(way) : ''}.`}
    {isUntold(way) && phone && (
      <>
        {' '}
        <CallLink phone={phone}>Call</CallLink> <MessageLink phone={phone} />
      </>
    )}
  </>
);

export const HowAllTold = ({ ways, withReason = false }: { ways: EventWays; withReason?: boolean }) => (
  <>{eventWaysWords(ways, withReason)}</>
);
