import { msg, plural } from '@lingui/core/macro';
import { lengthWords } from '../time/clock';
import type { Words } from '../words/words';
import type { Turn } from './appointments';

/**
 * Why somebody in a shop got a booking of whoever asked for anyone: the smallest share of their day was taken, or they could
 * keep a whole series.
 */
export function turnWords([taken, published, dates = 0]: Turn, name: string): Words {
  if (dates > 0)
    return msg`${name}, because ${plural({ dates }, { one: 'this date was free', other: 'all # dates were free' })}.`;
  const [before, all] = [lengthWords(taken), lengthWords(published)];
  return taken === 0
    ? msg`${name}, because nothing of that day was taken yet.`
    : msg`${name}, because ${before} of ${all} were taken, the smallest part of all who were free.`;
}
