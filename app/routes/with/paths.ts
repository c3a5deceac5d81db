import { type Instant, type LocalDate, machineText, wireDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
import * as paths from '../../paths';

/** A provider's page. @param service what somebody comes for; null if nobody has to say */
export const withPath = (username: string, service: string | null = null) => paths.provider(username, { service });

/** The form that books one of its times. */
export const bookingFormPath = (username: string, slotId: string, service: string | null = null) =>
  paths.bookWith(username, slotId, { service });

/** The form that books a time with anyone in a shop. */
export const anyonePath = (shop: string, startsAt: Instant, service: string | null) =>
  paths.bookAnyone(shop, machineText(startsAt), { service });

/** A series from such a time on, with one of those who work there. */
export const seriesWithAnyonePath = (shop: string, startsAt: Instant, service: string | null) =>
  paths.seriesWithAnyone(shop, machineText(startsAt), { service });

/** The form by which somebody waits for a time to come free: for one that is taken, an earlier one than a booking of theirs, or one of some days. */
export const waitPath = (
  username: string,
  query: {
    slot?: string;
    service?: string | null;
    insteadOf?: string;
    booking?: string;
    from?: LocalDate;
    to?: LocalDate;
  } = {},
) => paths.waitFor(username, query);

/** … with a month of it shown. */
export const monthPath = (username: string, month: Month, service: string | null = null) =>
  `${paths.provider(username, { service, month })}#month`;

/** … with the times of some days, a page of them. */
export const timesPath = (username: string, dates: LocalDate[], page = 0, service: string | null = null): string =>
  `${paths.provider(username, { service, dates: dates.map(wireDate), page: page > 0 ? page : null })}#times`;
