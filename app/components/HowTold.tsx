import { type EventWays, eventWaysWords } from '../domain/messages/event-ways';
import { isUntold, reasonWords, type Way, wayWords } from '../domain/messages/ways';
import { CallLink, MessageLink } from './Reach';

type Props = {
  name: string;
  way: Way;
  phone?: string | null; // the number to call if there is no address for mail
  withReason?: boolean; // true if a field for a reason stands beside the button
};

/** Says how somebody will hear of what a button does: by mail, in the news, or not at all. Every screen uses it. */
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
