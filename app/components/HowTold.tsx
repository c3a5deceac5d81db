import { type EventWays, eventWaysWords } from '../domain/messages/event-ways';
import { isUntold, type Way, wayWords } from '../domain/messages/ways';
import { ReachLinks } from './Reach';
import { useWords } from './words';

type Props = {
  name: string;
  way: Way;
  phone?: string | null; // the number to call if there is no address for mail
  text?: string | null; // what a text to them begins with
  withReason?: boolean; // true if a field for a reason stands beside the button
};

/** Says how somebody will hear of what a button does: by mail, in the news, or not at all. Every screen uses it. */
export function HowTold({ name, way, phone, text, withReason = false }: Props) {
  const words = useWords();
  return (
    <>
      {words(wayWords(name, way, phone, withReason))}
      {isUntold(way) && phone && (
        <>
          {' '}
          <ReachLinks {...{ phone, name, text }} />
        </>
      )}
    </>
  );
}

export function HowAllTold({ ways, withReason = false }: { ways: EventWays; withReason?: boolean }) {
  const words = useWords();
  return <>{words(eventWaysWords(ways, withReason))}</>;
}
