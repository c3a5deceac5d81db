import { type EventWays, eventWaysWords } from '../domain/messages/event-ways';
import { type Way, wayWords } from '../domain/messages/ways';

type Props = {
  name: string;
  way: Way;
  /** Of whoever has to be called. */
  phone?: string | null;
  /** There is a field for a reason beside the button. */
  withReason?: boolean;
};

/** How somebody hears of what a button does: every screen that tells somebody says it with this. */
export const HowTold = ({ name, way, phone, withReason = false }: Props) => (
  <>{`${wayWords(name, way, phone)}${withReason && (way === 'mail' || way === 'news') ? ', with your reason' : ''}.`}</>
);

/** Says how everyone is told who has not said no to a party or meetup. */
export const HowAllTold = ({ ways, withReason = false }: { ways: EventWays; withReason?: boolean }) => (
  <>{eventWaysWords(ways, withReason)}</>
);
