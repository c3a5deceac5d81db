import { type LocalDate, parseWireDate, wireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import * as paths from '../../paths';

/* The addresses of the steps. The query has everything that was chosen. */

export const cityPath = (location: string) => paths.search({ location });

/** The page with the days of a provider, for the chosen service. */
export const providerPath = (username: string, service: string | null = null) =>
  paths.search({ provider: username, service });

export const timesPath = (username: string, dates: LocalDate[], service: string | null) =>
  paths.search({ provider: username, service, dates: dates.map(wireDate) });

/** The page with the days of a provider, some of them ticked. */
export const daysPath = (username: string, dates: LocalDate[] = [], service: string | null = null) =>
  paths.search({
    provider: username,
    service,
    dates: dates.map(wireDate),
    month: dates[0] && monthOf(dates[0]),
  });

export const detailsPath = (id: string, service: string | null = null, step?: 'questions') =>
  paths.book(id, { service, step });

/** The month and day that a page of a move shows, and of which colleague. */
export function moveShown({ searchParams }: URL) {
  const month = searchParams.get('month') ?? '';
  return {
    month: isMonth(month) ? month : undefined,
    day: parseWireDate(searchParams.get('day') ?? '') ?? undefined,
    other: searchParams.get('with') ?? undefined,
  };
}
