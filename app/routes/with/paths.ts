import { type LocalDate, wireDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

/** A provider's page; a username has no character that an address would have to escape. */
export const withPath = (username: string) => `/with/${username}`;
/** The form that books one of its times. */
export const bookingFormPath = (username: string, slotId: string) => `${withPath(username)}/${slotId}`;
/** … with a month of it shown. */
export const monthPath = (username: string, month: Month) => `${withPath(username)}?month=${month}#month`;
/** … with the times of some days, a page of them. */
export function timesPath(username: string, dates: LocalDate[], page = 0): string {
  const days = dates.map((date) => `dates=${wireDate(date)}`).join('&');
  return `${withPath(username)}?${days}${page > 0 ? `&page=${page}` : ''}#times`;
}
