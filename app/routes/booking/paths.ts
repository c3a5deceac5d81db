import { type LocalDate, wireDate } from '../../domain/time/clock';
import { monthOf } from '../../domain/time/month';

/* The addresses of the steps: the query holds all that is chosen. */

/** The providers of a city. */
export const cityPath = (location: string) => `/view?location=${encodeURIComponent(location)}`;
/** The part of a query that says what somebody comes for; blank where nobody has to say. */
const serviceQuery = (service: string | null) => (service === null ? '' : `&service=${encodeURIComponent(service)}`);
/** The days of a provider, for what was chosen of what they offer. */
export const providerPath = (username: string, service: string | null = null) =>
  `/view?provider=${encodeURIComponent(username)}${serviceQuery(service)}`;
/** The end of a query: the chosen days. */
export const daysQuery = (dates: LocalDate[]) => dates.map((date) => `&dates=${wireDate(date)}`).join('');
/** The days of a provider, with some of them ticked. */
export const daysPath = (username: string, dates: LocalDate[] = [], service: string | null = null) =>
  providerPath(username, service) + (dates[0] ? `${daysQuery(dates)}&month=${monthOf(dates[0])}` : '');
/** The screen that books a time, at one of its steps. */
export const detailsPath = (id: string, service: string | null = null, step?: 'questions') => {
  const query = [serviceQuery(service).slice(1), step && `step=${step}`].filter(Boolean).join('&');
  return `/details/${id}${query && `?${query}`}`;
};
