import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
import * as paths from '../../paths';

/**
 * The page with a day's free times.
 * @param done the key of a withdrawal, which the page then confirms and offers to undo
 */
export const dayPath = (day: LocalDate | null, done?: string) => paths.freeTimes({ day, done });

export const monthPath = (month: Month) => paths.freeTimes({ month });
