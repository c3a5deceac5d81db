import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

/** The page of a day's open times. @param done the key of a withdrawal that the page says, with the way to undo it */
export const dayPath = (day: LocalDate | null, done?: string) => {
  const query = new URLSearchParams({ ...(day && { day }), ...(done && { done }) });
  return query.size > 0 ? `/view-open?${query}` : '/view-open';
};

export const monthPath = (month: Month) => `/view-open?month=${month}`;
