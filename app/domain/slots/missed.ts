/** Why a standing time could not be booked on a published date. */
export type WhyMissed = 'closed' | 'taken' | 'busy' | 'service' | 'length' | 'skipped';

/** Words that follow 'because'. */
export const missedWords: Record<WhyMissed, string> = {
  closed: 'you have no time then',
  taken: 'it is taken',
  busy: 'you have something else then',
  service: 'the service is not offered then',
  length: 'there is not enough free time',
  skipped: 'the clocks skip that time',
};
