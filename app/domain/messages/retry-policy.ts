import { day, hour } from '../time/clock';

export const giveUpAfter = 2 * day;
export const longestPause = 4 * hour;
