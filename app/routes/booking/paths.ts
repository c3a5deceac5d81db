import { type LocalDate, wireDate } from '../../domain/time/clock';
import { monthOf } from '../../domain/time/month';

/* The addresses of the four steps: the query holds all that is chosen. */

/** The providers of a city. */
export const cityPath = (location: string) => `/view?location=${encodeURIComponent(location)}`;
/** The days of a provider. */
export const providerPath = (username: string) => `/view?provider=${encodeURIComponent(username)}`;
/** The end of a query: the chosen days. */
export const daysQuery = (dates: LocalDate[]) => dates.map((date) => `&dates=${wireDate(date)}`).join('');
/** The days of a provider, with some of them ticked. */
export const daysPath = (username: string, dates: LocalDate[] = []) =>
  providerPath(username) + (dates[0] ? `${daysQuery(dates)}&month=${monthOf(dates[0])}` : '');
