import { day, hour, minute } from '../time/clock';

export const giveUpAfter = 2 * day;
export const longestPause = 4 * hour;

/** The pause before the next try, in milliseconds: 1, 2, 4 … minutes, 4 hours at most. @param tries made so far */
export const pauseAfterTries = (tries: number): number => Math.min(longestPause, minute * 2 ** Math.max(0, tries - 1));
