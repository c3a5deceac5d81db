import { day, hour } from '../time/clock';

/** After which a message that can't be delivered is given up, in milliseconds: two days. */
export const patience = 2 * day;
/** The longest pause between two tries, in milliseconds. */
export const longestPause = 4 * hour;
