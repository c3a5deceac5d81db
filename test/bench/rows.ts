import { pageSize } from '../../app/domain/input/limits';
import type { Reader } from '../support/every-route';
import { type ApiResponse, type Asked, askedOf, type Page, visitor } from '../support/visit';
import type { Sessions, Targets } from './scenarios';
import { cookieOf, subjectsOf } from './subjects';
import { cityName, providerName } from './world-plan';

/** A response with the rows that it shows, and the most that it may read for them; null for no limit. */
export type Reading = Asked & { what: string; reader: Reader; shown: number; most: number | null };

/**
 * Three rows for each that is shown, and thirty-five for the login, what is merged into the list, and whatever stands beside it. A line of news has a
 * fourth: its entry in the index, the message, what it is about, and who did it. The parties of a week are found among all
 * that its reader has accepted, which are few here: up to forty rows more. A provider's dashboard goes through their times to find
 * those that they withdrew.
 */
const mostFor = (path: string, shown: number) => {
  // A provider's page reads a list of free times, whichever of them are of the first day: only those are shown. It also looks for full
  // classes, up to three rows where there are none.
  // Where a party takes the rest of a city's day, a page of its days goes on to the next one.
  const ofNextDay = /GetPage.*location=.*dates=/.test(path) ? 5 : 0;
  const isProviderPage = /^\/with\/[^/]+$/.test(path);
  const rows = isProviderPage ? Math.max(shown, pageSize + 1) : shown;
  return (
    (/\/(news$|api\/Account\/GetNews)/.test(path) ? 4 : 3) * rows +
    // Each date of a series may have three times before it and three after it in its place.
    (path === '/week' || path.includes('/GetDash') ? 80 : path.includes('/PreviewSeries') ? 35 + 80 * shown : 35) +
    ofNextDay +
    (isProviderPage ? 3 : 0)
  );
};

type Filter = 'provider' | 'location' | 'dates' | 'q';

/** Every combination of the filters of GetPage and GetProviders. A search, and days of no place, are listed only. */
function filtered({ dates }: Targets): { path: string; isBounded: boolean }[] {
  const values: Record<Filter, string> = {
    provider: providerName(0),
    location: encodeURIComponent(cityName(0)),
    dates: dates.replace('&dates=', '').replaceAll('&dates=', '+'),
    q: 'e',
  };
  const combined = (call: string, filters: Filter[]) =>
    Array.from({ length: 2 ** filters.length }, (_, bits) => {
      const set = filters.filter((__, place) => bits & (1 << place));
      const query = set.map((name) => `${name}=${values[name]}`).join('&');
      const isPlaced = !set.includes('dates') || set.includes('provider') || set.includes('location');
      return { path: `/api/Appointment/${call}${query && `?${query}`}`, isBounded: isPlaced && !set.includes('q') };
    });
  return [
    ...combined('GetPage', ['provider', 'location', 'dates', 'q']),
    ...combined('GetProviders', ['location', 'q']),
    { path: `/api/Appointment/GetPage?q=${providerName(0)}`, isBounded: false },
  ];
}

const countOf = (row: unknown): number => 1 + ((row as { invitations?: unknown[] } | null)?.invitations?.length ?? 0);

/** The rows that a response shows: of a JSON list with its invitations, lines of a page, lines of a file. */
function shownOn(response: Page | ApiResponse): number {
  if ('json' in response && response.json !== undefined) {
    return Array.isArray(response.json)
      ? response.json.reduce((sum, row) => sum + countOf(row), 0)
      : countOf(response.json);
  }
  if ('$$' in response && response.$('main')) {
    // A calendar has the days of all its months.
    const days = /"available":\[([^\]]*)\]/.exec(response.text)?.[1]?.split(',').length ?? 0;
    // Each day of a month on a provider's page is looked for on its own: how many there are depends on what day it is.
    return (
      response.$$('main li, main tbody tr, main option, main article, main .week-item, main .month a').length + days
    );
  }
  return response.text.split('\n').length;
}

/**
 * The rows of every screen, every GET call, and every combination of filters, each once.
 * @throws Error if somebody is refused what they may see
 */
export async function rowsOfEveryResponse(url: string, targets: Targets, sessions: Sessions): Promise<Reading[]> {
  // A free slot is shown with what its reader has booked around it, which is found among the bookings of two days.
  // A provider's newest cancellations are found in the index of all that are not over.
  // The times to move to are read with the appointment, which may have begun: then they are not shown.
  // For the days on which somebody can be booked, the slots of two months are read.
  // A card says how many appointments its person has had: the calls count them. Its next and last one are found among those with others.
  // The strip of open slots counts those of a month: publishing.test.ts bounds it.
  // A provider's home counts their free times, 500 at most.
  // The file of one's own data is one row to a program, whatever is in it.
  const isBounded = ({ path, reader }: { path: string; reader: Reader }) =>
    !/^\/((details|move)\/|people(\/|$)|book-at$|view-open$|api\/(Account\/Export|People\/))/.test(path) &&
    !(reader === 'provider' && /^\/(view-dash|$)/.test(path));
  const bounded = subjectsOf(targets).map((subject) => ({ ...subject, isBounded: isBounded(subject) }));
  const more = filtered(targets).map(({ path, isBounded }) => ({ path, isBounded, reader: 'consumer' as const }));
  const readings = new Map<string, Reading>();
  for (const { path, reader, isBounded: isHeld } of [...bounded, ...more]) {
    const cookie = cookieOf(sessions, reader);
    const browser = visitor(url);
    const isCall = path.startsWith('/api/');
    const response = isCall ? await browser.api('GET', path, undefined, cookie) : await browser.get(path, cookie);
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status} as ${reader}.`);
    const shown = shownOn(response);
    const most = isHeld ? mostFor(path, shown) : null;
    readings.set(`${reader} ${path}`, { what: nameOf(path), reader, ...askedOf(response.headers), shown, most });
  }
  return [...readings.values()];
}

/** A path without the ids, which differ by world. */
export const nameOf = (path: string) =>
  path
    .replace(/(dates=)[^&]*(&dates=[^&]*)*/, '$1…')
    .replace(/[\w-]{22,}/, '{id}')
    .replace(encodeURIComponent(cityName(0)), 'city')
    .replaceAll(providerName(0), 'name');
