/** Why a standing time could not be booked on a published date. */
export type WhyUnkept = 'closed' | 'taken' | 'busy' | 'service' | 'length' | 'skipped';

/** Words that follow 'because'. */
export const unkeptWords: Record<WhyUnkept, string> = {
  closed: 'you have no time then',
  taken: 'it is taken',
  busy: 'you have something else then',
  service: 'the service is not offered then',
  length: 'there is not enough free time',
  skipped: 'the clocks skip that time',
};
