import { Trans } from '@lingui/react/macro';
import { type Before, mapLink } from '../../domain/parties/parties';
import { dateWords } from '../../domain/time/clock';
import { useWords } from '../words';
import { EventTimes } from './Time';

export function PreviousTime({ was, zone }: { was: Before; zone: string }) {
  const words = useWords();
  const place = (was.address ?? mapLink(was))?.replaceAll('\n', ', ');
  const date = words(dateWords(was.date).full);
  const times = <EventTimes {...was} timeZone={zone} />;
  return (
    <>
      <Trans>
        It was {date}, {times}
      </Trans>{' '}
      {place && (
        <span className="block break-words">
          <Trans>at {place}</Trans>
        </span>
      )}
    </>
  );
}
