import { limits } from '../input/limits';
import { day, minute } from './clock';

/**
 * How long these may last, in milliseconds: a search for what is still going on begins that long before. Whatever keeps a provider busy
 * for longer is stored in pieces of a day.
 */
export const longest = {
  slot: day,
  appointment: day,
  appointmentWithGap: day + limits.service.gap * minute,
  busyTime: day,
} as const;
