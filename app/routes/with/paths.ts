import { type LocalDate, wireDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

/** The query that says what somebody comes for; blank where nobody has to say. */
export const serviceQuery = (service: string | null): string =>
  service === null ? '' : `?service=${encodeURIComponent(service)}`;
const withQuery = (path: string, ...pairs: string[]) => {
  const query = pairs.filter((pair) => pair !== '').join('&');
  return query ? `${path}?${query}` : path;
};

/** A provider's page; a username has no character that an address would have to escape. */
export const withPath = (username: string, service: string | null = null) =>
  `/with/${username}${serviceQuery(service)}`;
/** The form that books one of its times. */
export const bookingFormPath = (username: string, slotId: string, service: string | null = null) =>
  `/with/${username}/${slotId}${serviceQuery(service)}`;
/** The form by which somebody waits for a time to come free: for one that is taken, or an earlier one than a booking of theirs. */
export const waitPath = (
  username: string,
  {
    slot,
    service,
    insteadOf,
    booking,
  }: { slot?: string; service?: string | null; insteadOf?: string; booking?: string } = {},
) =>
  withQuery(
    `/with/${username}/wait`,
    ...Object.entries({ slot, service, insteadOf, booking }).map(([name, value]) =>
      value ? `${name}=${encodeURIComponent(value)}` : '',
    ),
  );
/** … with a month of it shown. */
export const monthPath = (username: string, month: Month, service: string | null = null) =>
  `${withQuery(withPath(username), serviceQuery(service).slice(1), `month=${month}`)}#month`;
/** … with the times of some days, a page of them. */
export function timesPath(username: string, dates: LocalDate[], page = 0, service: string | null = null): string {
  const days = dates.map((date) => `dates=${wireDate(date)}`);
  const pages = page > 0 ? `page=${page}` : '';
  return `${withQuery(withPath(username), serviceQuery(service).slice(1), ...days, pages)}#times`;
}
