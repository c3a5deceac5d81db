import { day, hour } from '../time/clock';

/** In milliseconds. */
export const giveUpAfter = 2 * day;
/** Between two tries, in milliseconds. */
export const longestPause = 4 * hour;
