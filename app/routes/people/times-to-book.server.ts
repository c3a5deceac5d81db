import { doorOf } from '../../domain/bookings/at-door';
import { readBookingChoice } from '../../domain/calendar/move-choice.server';
import { listServices } from '../../domain/services/services.server';
import { parseWireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import type { Authorized } from '../../http/guards.server';

/**
 * Reads the services, days and times that the address of a booking page asks for.
 * @param person whose card it is; blank for somebody new
 */
export async function readTimesToBook({ db, actor, now }: Authorized<'Provider'>, person: string, url: URL) {
  const service = url.searchParams.get('service');
  const today = todayIn(actor.timeZone, now);
  const day = parseWireDate(url.searchParams.get('day') ?? '') ?? undefined;
  const wantedMonth = url.searchParams.get('month') ?? '';
  const month = isMonth(wantedMonth) ? wantedMonth : monthOf(day ?? today);
  const [all, choice] = await Promise.all([
    listServices(db, actor),
    readBookingChoice(db, actor, { service, person, month, day }, now),
  ]);
  const services = all.filter(({ isOffered }) => isOffered);
  return {
    shown: { service, services, today, month, day: day ?? null, choice },
    atDoor: doorOf(all, actor.timeZone, now),
  };
}
