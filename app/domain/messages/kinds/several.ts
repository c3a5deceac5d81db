import { dateWords, type Instant, localDateOf } from '../../time/clock';
import { whenWords } from '../../time/when-words';
import type { Words } from '../../words/words';
import type { MessageWith } from './kind';

/** The id of the write that made or ended several appointments, and the start of the last. */
export type Several = { batchId: string; last: Instant | null };

export type StoredSeveral = { with?: string; last?: Instant };

export const severalOf = ({ with: batchId, last }: StoredSeveral): Several | null =>
  batchId === undefined ? null : { batchId, last: last ?? null };

/** 'Tuesday, 1 December 2026, 10:00 to 10:30, Lisbon time' and 'Tuesday, 29 December 2026'. */
export type SpanWords = { from: Words; until: Words };

/** When the first and the last of several appointments are; null for a message about one. */
export function firstAndLast({
  data: { several },
  count,
  subject,
}: MessageWith<{ several: Several | null }>): SpanWords | null {
  if (!several || count < 2 || !subject) return null;
  const { startsAt, timeZone } = subject;
  return {
    from: whenWords(subject),
    until: dateWords(localDateOf(several.last ?? startsAt, timeZone)).full,
  };
}

/** How many appointments a message sums up; 1 for a message about one. */
export const countFrom = (message: Parameters<typeof firstAndLast>[0]): number =>
  firstAndLast(message) ? message.count : 1;
