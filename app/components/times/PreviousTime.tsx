import { type Before, mapLink } from '../../domain/parties/parties';
import { dateWords } from '../../domain/time/clock';
import { EventTimes } from './Time';

export function PreviousTime({ was, zone }: { was: Before; zone: string }) {
  const place = was.address ?? mapLink(was);
  return (
    <>
      It was {dateWords(was.date).full}, <EventTimes {...was} timeZone={zone} />{' '}
      {place && <span className="block break-words">{`at ${place.replaceAll('\n', ', ')}`}</span>}
    </>
  );
}
