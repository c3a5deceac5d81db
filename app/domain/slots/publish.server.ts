import { msg, plural } from '@lingui/core/macro';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { freshId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { offerOpened, runAfterHolds } from '../bookings/holds.server';
import { DomainError, type Fault } from '../errors';
import { limits } from '../input/limits';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../login/sessions.server';
import { oneTimeKey } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { areAsRead, type Cuts, noSuchService, otherLength, readCuts, selectAsRead } from '../services/cuts.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant, LocalDate } from '../time/clock';
import { cutRanges } from '../time/cutting';
import type { DayRange } from '../time/ranges';
import { todayIn } from '../time/zones';
import { limitOpenSlots, sayTooManyOpen } from './open-slots-limit.server';
import { type Publication, pastDaysFault, rangesOf, repeatedDays } from './publication';
import { bookStanding, type PublishedSpan, spansOf } from './standing-dates.server';

/**
 * `publication` is the id by which it can be undone. `like` has the values to fill in for another publication like it.
 */
export type Published = { created: number; skipped: number; publication: string; isUndone?: true; like?: Like };

type Like = {
  ranges: DayRange[];
  len: number | null;
  templateId: string | null;
  serviceId?: string;
  notes: string | null;
};

/** The caller in the one-time keys of publications. */
export const publisher = ({ accountId }: Actor) => `${accountId}:CreateAppointment`;

/**
 * Cuts days into slots and publishes them in one transaction. It skips slots that overlap an open or booked one, and
 * those of today that have begun. Days and times are in the provider's zone. Slots for a service have its length, gap,
 * seats and questions. With the same key again it publishes nothing.
 * @throws DomainError unauthenticated, invalid (a past day, too many slots, another zone was shown, a length that is
 * not the service's), not_found (the template or the service)
 */
export async function publishSlots(
  db: Db,
  actor: Actor,
  input: Publication,
  { now, key }: { now: Instant; key: string },
): Promise<Published> {
  const { serviceId } = input;
  const cuts = serviceId === undefined ? undefined : await readCuts(db, actor, [serviceId]);
  const { cut, fault } = cutPublication(input, cuts, actor.timeZone, now);
  const once = oneTimeKey(publisher(actor), key, now);
  const publication = newId();
  const isTemplate = isCurrentTemplate(actor, input.templateId);
  const like: Like = {
    ranges: rangesOf(input),
    len: input.len,
    templateId: input.templateId,
    serviceId,
    notes: input.notes,
  };
  const [from, until] = [Math.min(...cut.map(([at]) => at)), Math.max(...cut.map(([at]) => at))];
  const result = sql`(SELECT json_object('created', count(*), 'skipped', ${cut.length} - count(*), 'publication', ${publication},
      'like', json(${JSON.stringify(like)}))
    FROM slots WHERE ${ownedBy(actor)} AND starts_at BETWEEN ${from} AND ${until} AND publication = ${publication})`;
  const published = once.result('created');

  const batch = runAfterHolds(db, now, {
    // Invalid input takes no new key. But it may have been valid when the key was first used, so an earlier result is
    // returned.
    used: once.use(
      and(
        isLoggedIn(actor, now),
        isZoneOf(actor),
        isTemplate,
        areAsRead(actor, cuts),
        fault ? sql`false` : undefined,
      ) as SQL,
    ),
    created: insertFrom(
      slots,
      {
        id: freshId(actor.accountId, sql`(cut.value ->> 0)`),
        providerId: actor.accountId,
        city: sql`city`,
        startsAt: sql`cut.value ->> 0`,
        endsAt: sql`cut.value ->> 1`,
        localDate: sql`cut.value ->> 2`,
        timeZone: actor.timeZone,
        notes: input.notes,
        templateId: ofService(actor, serviceId, 'template_id', input.templateId),
        serviceId: serviceId ?? null,
        seats: ofService(actor, serviceId, 'seats', 1),
        publication,
      },
      sql`FROM json_each(${JSON.stringify(cut)}) AS cut, accounts
        WHERE accounts.id = ${actor.accountId} AND ${once.isOurs}
        ORDER BY cut.key`,
    ),
    savedResult: once.store(result),
    standing: bookStanding(spansOf(cut.length > 0 ? [spanOfCut(actor, cut)] : []), {
      now,
      act: publication,
      condition: sql`${published} IS NOT NULL`,
    }),
    offered: offerOpened(sql`(${actor.accountId})`, {
      from,
      until: until + 1,
      now,
      condition: sql`${published} IS NOT NULL`,
    }),
    ...limitOpenSlots(actor.accountId, { added: published, isAdded: sql`${published} IS NOT NULL` }, now),
    stored: once.read(),
    known: cuts && selectAsRead(actor, cuts),
    owner: selectOwner(actor, now),
  });
  const {
    stored: [stored],
    known,
    owner: [owner],
  } = await batch.catch(sayTooManyOpen('dates'));

  if (stored) return stored.replay as Published;
  const moved = inNewZone(actor, owner);
  if (moved || (!fault && known?.[0]?.isKnown === 0)) return publishSlots(db, moved ?? actor, input, { now, key });
  throw fault ?? noSuchTemplate();
}

const ofService = (
  actor: Actor,
  id: string | undefined,
  column: 'seats' | 'template_id',
  value: string | number | null,
) =>
  id === undefined
    ? sql`${value}`
    : sql`ifnull((SELECT ${sql.identifier(column)} FROM services WHERE ${ownedBy(actor)} AND id = ${id}), ${value})`;

function spanOfCut({ accountId: provider, timeZone: zone }: Actor, cut: Slots): PublishedSpan {
  const dates = cut.map(([, , date]) => date).sort();
  return { provider, zone, from: dates[0] as LocalDate, to: dates.at(-1) as LocalDate };
}

type Slots = [startsAt: Instant, endsAt: Instant, date: LocalDate][];

/** The slots that have not begun, or the fault of the publication. */
function cutPublication(
  input: Publication,
  cuts: Cuts | undefined,
  zone: string,
  now: Instant,
): { cut: Slots; fault?: DomainError } {
  const refuse = (fault: Fault) => ({ cut: [], fault: new DomainError('invalid', [fault]) });
  const today = todayIn(zone, now);
  if (input.dates.some((date) => date < today)) return refuse(pastDaysFault);
  const ofIt = cuts?.[input.serviceId ?? ''];
  if (cuts && !ofIt) return { cut: [], fault: noSuchService() };
  const { len, gap } = ofIt ?? { len: input.len ?? limits.minutes.usual, gap: 0 };
  if (ofIt && (input.len ?? len) !== len) return refuse(otherLength(len));
  const ranges = rangesOf(input);
  const cut: Slots = [];
  for (const date of repeatedDays(input)) {
    const day = cutRanges(ranges, date, zone, { len, gap }).filter(({ startsAt }) => startsAt > now);
    // A trigger keeps the first and last start of each day in open_days. So we insert a day's last slot, then its
    // first: the slots between them change that row no more.
    for (const { startsAt, endsAt } of [...day.slice(-1), ...day.slice(0, -1)]) cut.push([startsAt, endsAt, date]);
    if (cut.length > limits.slotsPerCall) {
      const most = limits.slotsPerCall;
      const message = msg`That is more than ${plural({ most }, { one: '# time', other: '# times' })} at once. Choose fewer days or a greater length.`;
      return refuse({ field: input.until ? 'until' : 'dates', message });
    }
  }
  return { cut };
}

/** Finds a publication of the actor's by its one-time key. */
export async function findPublished(db: Db, actor: Actor, key: string, now: Instant) {
  const [[stored]] = await db.run(oneTimeKey(publisher(actor), key, now).read());
  return stored && { ...(stored.replay as Published), key };
}
