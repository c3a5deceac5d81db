import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../../db/client';
import { refreshBusyTimes } from '../domain/busy/refresh.server';
import { sealsBy } from '../domain/seals.server';
import { fetchOutside, type OutsideEnv, outsideOf } from './outside';

type CalendarsEnv = OutsideEnv & { DB: D1Database; PASSWORD_PEPPER: string };

/** @returns the findings of `refreshBusyTimes`, and whether anything was written */
export async function readCalendars(
  { DB, PASSWORD_PEPPER, ...env }: CalendarsEnv,
  providerId: string,
  { clock, isUrgent }: { clock: () => number; isUrgent: boolean },
): Promise<{ hasFeeds: boolean; hasTimes: boolean; hasChanged: boolean }> {
  const outside = outsideOf(env);
  const ask = (feed: Parameters<typeof fetchOutside>[0]) => fetchOutside(feed, outside);
  const refreshing = { seals: sealsBy(PASSWORD_PEPPER), ask, clock };
  const db = new Db(DB, 'first-primary');
  const found = await refreshBusyTimes(db, providerId, refreshing, { isUrgent });
  return { ...found, hasChanged: db.tally.rowsWritten > 0 };
}
