import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';
import { type Instant, type LocalTime, timeWords } from './clock';

/** '10:00 to 10:30'. */
export function rangeWords({ start, end }: { start: LocalTime; end: LocalTime }): Words {
  const [from, to] = [{ clock: start }, { clock: end }];
  return msg`${{ start: from }} to ${{ end: to }}`;
}

/** The same of a span, by the clock of `zone`. */
export function spanWords({ startsAt, endsAt }: { startsAt: Instant; endsAt: Instant }, zone: string): Words {
  const [start, end] = [timeWords(startsAt, zone), timeWords(endsAt, zone)];
  return msg`${start} to ${end}`;
}
