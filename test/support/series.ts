import type * as z from 'zod/mini';
import type { seriesDateJson } from '../../app/routes/api/series-shapes';
import { dayAhead, type Person, publish, type Row, rowsOf } from './factories';
import type { ApiResponse } from './visit';

/** A date of a series as the API gives it. */
type SeriesDate = z.output<typeof seriesDateJson>;

/** Publishes a day of times each week, from so many days ahead on, and returns the times of the first day. */
export async function publishWeeks(provider: Person, weeks: number, details: object = {}): Promise<Row[]> {
  const dates = Array.from({ length: weeks }, (_, week) => dayAhead(3 + 7 * week));
  await publish(provider, { start: '09:00', end: '12:00', ...details, dates });
  const first = new URLSearchParams({ provider: provider.username, dates: dates[0] as string });
  return rowsOf(await provider.api('GET', `/api/Appointment/GetPage?${first}`));
}

/** The weekday of a date as the API writes it; 0 is Sunday. */
export const weekdayOf = (date: string) => new Date(`${date.slice(6)}-${date.slice(0, 5)}T12:00Z`).getUTCDay();

export const preview = (who: Person, { id }: { id: string }, query: object) => {
  const search = new URLSearchParams({ id, every: '7', ...(query as Record<string, string>) });
  return who.api('GET', `/api/Appointment/PreviewSeries?${search}`);
};
export const datesOf = (response: ApiResponse) => response.json as SeriesDate[];
export const idsOf = (response: ApiResponse) => datesOf(response).flatMap(({ id }) => id ?? []);

export const bookSeries = (who: Person, ids: string[], more: object = {}, headers?: Record<string, string>) =>
  who.api('POST', '/api/Appointment/BookSeries', { ids, ...more }, headers);

/** Previews so many weeks from this slot on, and books them. */
export async function bookWeeks(who: Person, slot: { id: string }, weeks: number): Promise<Row[]> {
  const shown = await preview(who, slot, { until: dayAhead(3 + 7 * (weeks - 1)) });
  const response = await bookSeries(who, idsOf(shown));
  if (response.status !== 201) throw new Error(`No series was booked: ${response.status} ${response.text}`);
  return rowsOf(response);
}
