import type { Instant } from '../../time/clock';
import type { MessageWith, Subject } from './kind';

/** The id of the write that made or ended several appointments, and the start of the last. */
export type Several = { batchId: string; last: Instant | null };

export type StoredSeveral = { with?: string; last?: Instant };

export const severalOf = ({ with: batchId, last }: StoredSeveral): Several | null =>
  batchId === undefined ? null : { batchId, last: last ?? null };

/** The first and the last of several appointments; null for a message about one. */
export function firstAndLast({
  data: { several },
  count,
  subject,
}: MessageWith<{ several: Several | null }>): { first: Subject; last: Instant | null } | null {
  return several && count > 1 && subject ? { first: subject, last: several.last } : null;
}

/** '5 appointments from ', before the time of the first; '' for a message about one. */
export const countFrom = (message: Parameters<typeof firstAndLast>[0]): string =>
  firstAndLast(message) ? `${message.count} appointments from ` : '';
