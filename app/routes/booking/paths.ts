import { type LocalDate, wireDate } from '../../domain/time/clock';
import { monthOf } from '../../domain/time/month';
import * as paths from '../../paths';

/* The addresses of the steps: the query holds all that is chosen. */

/** The providers of a city. */
export const cityPath = (location: string) => paths.search({ location });

/** The days of a provider, for what was chosen of what they offer. */
export const providerPath = (username: string, service: string | null = null) =>
  paths.search({ provider: username, service });

/** The free times of a provider on some days. */
export const timesPath = (username: string, dates: LocalDate[], service: string | null) =>
  paths.search({ provider: username, service, dates: dates.map(wireDate) });

/** The days of a provider, with some of them ticked. */
export const daysPath = (username: string, dates: LocalDate[] = [], service: string | null = null) =>
  paths.search({
    provider: username,
    service,
    dates: dates.map(wireDate),
    month: dates[0] && monthOf(dates[0]),
  });

/** The screen that books a time, at one of its steps. */
export const detailsPath = (id: string, service: string | null = null, step?: 'questions') =>
  paths.book(id, { service, step });
