import type { BookPaths } from '../../book-paths';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

/**
 * The page with a day's free times.
 * @param done the key of a withdrawal, which the page then confirms and offers to undo
 */
export const dayPath = (desk: BookPaths, day: LocalDate | null, done?: string) => desk.freeTimes({ day, done });

export const monthPath = (desk: BookPaths, month: Month) => desk.freeTimes({ month });
