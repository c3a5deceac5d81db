import { type Instant, lengthWords, localTimeOf, machineText, minute } from '../domain/time/clock';
import { yourTime } from './Time';

/**
 * One free time; the reader's own beneath it, where it differs. To whoever hears it the day and the length are said too.
 * No component, because a page has many of them and each would cost as much again.
 */
export function timeLink(
  { id, startsAt, endsAt }: { id: string; startsAt: Instant; endsAt: Instant },
  to: string,
  day: string,
  timeZone: string,
  readerZone: string | null,
) {
  const start = localTimeOf(startsAt, timeZone);
  const end = `to ${localTimeOf(endsAt, timeZone)}`;
  const yours = yourTime({ startsAt, endsAt, timeZone }, readerZone);
  const label = [day, `${start} ${end}`, yours, lengthWords((endsAt - startsAt) / minute)].filter(Boolean).join(', ');
  return (
    <li key={id}>
      <a href={to} aria-label={label}>
        <time dateTime={machineText(startsAt)}>{start}</time>
        {` ${end}`}
        {yours && <span>{` ${yours}`}</span>}
      </a>
    </li>
  );
}
