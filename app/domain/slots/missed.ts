import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';
/** Why a standing time could not be booked on a published date. */
export type WhyMissed = 'closed' | 'taken' | 'busy' | 'service' | 'length' | 'skipped';

/** Words that follow 'because'. */
export const missedWords: Record<WhyMissed, Words> = {
  closed: msg`you have no time then`,
  taken: msg`it is taken`,
  busy: msg`you have something else then`,
  service: msg`the service is not offered then`,
  length: msg`there is not enough free time`,
  skipped: msg`the clocks skip that time`,
};
