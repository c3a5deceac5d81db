import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { slots } from '../../../db/schema';
import type { Actor } from '../accounts/accounts';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../accounts/sessions.server';
import { DomainError, type Fault } from '../errors';
import { limits } from '../input/limits';
import { oneTimeKey } from '../one-time-keys.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant, LocalDate } from '../time/clock';
import { cutRanges } from '../time/cutting';
import type { DayRange } from '../time/ranges';
import { todayIn } from '../time/zones';
import { limitOpenSlots, refuseTooMany } from './open-slots-limit.server';
import { type Publication, pastDaysFault, rangesOf, repeatedDays } from './publication';
import { status } from './status';

/**
 * The result of a publication: how many slots it created and skipped. `publication` is its id, by which it can be
 * undone; `like` what it was made of, to publish more like it.
 */
export type Published = { created: number; skipped: number; publication: string; isUndone?: true; like?: Like };

/** What a publication was made of, without its days. */
export type Like = { ranges: DayRange[]; len: number; templateId: string | null; notes: string | null };

/** The caller under which a publication's one-time key is stored. */
export const publisher = ({ accountId }: Actor) => `${accountId}:CreateAppointment`;

/**
 * Cuts the provider's days into slots, and publishes those that overlap no open or booked slot of theirs, in one
 * transaction. Days and times are in the provider's zone. Today's slots that have begun are left out. The same key
 * again publishes nothing and replays the result.
 * @throws DomainError unauthenticated, invalid (a past day, too many slots, another zone was shown), not_found (the
 * template)
 */
export async function publishSlots(
  db: Db,
  actor: Actor,
  input: Publication,
  { now, key }: { now: Instant; key: string },
): Promise<Published> {
  const { cut, fault } = cutPublication(input, actor.timeZone, now);
  const once = oneTimeKey(publisher(actor), key, now);
  const publication = newId();
  const isTemplate = isCurrentTemplate(actor, input.templateId);
  const like: Like = { ranges: rangesOf(input), len: input.len, templateId: input.templateId, notes: input.notes };
  const answer = sql`json_object('created', changes(), 'skipped', ${cut.length} - changes(), 'publication', ${publication},
    'like', json(${JSON.stringify(like)}))`;
  const published = once.answered('created');

  const batch = db.run(
    // Invalid input takes no new key, but it may replay: it may have been valid when this key was first used.
    once.claim(and(isLoggedIn(actor, now), isZoneOf(actor), isTemplate, fault ? sql`false` : undefined) as SQL),
    insertFrom(
      slots,
      {
        id: sql`lower(hex(randomblob(16)))`,
        providerId: actor.accountId,
        city: sql`city`,
        startsAt: sql`cut.value ->> 0`,
        endsAt: sql`cut.value ->> 1`,
        localDate: sql`cut.value ->> 2`,
        timeZone: actor.timeZone,
        status: status.open,
        notes: input.notes,
        templateId: input.templateId,
        publication,
      },
      sql`FROM json_each(${JSON.stringify(cut)}) AS cut, accounts
        WHERE accounts.id = ${actor.accountId} AND ${once.isOurs}
        ORDER BY cut.key`,
    ),
    once.store(answer),
    ...limitOpenSlots(actor.accountId, { added: published, isAdded: sql`${published} IS NOT NULL` }, now),
    once.read(),
    selectOwner(actor, now),
  );
  const [, , , , , [stored], [owner]] = await batch.catch(refuseTooMany('dates'));

  db.changedPages.add(actor.accountId);
  if (stored) return stored.replay as Published;
  const moved = inNewZone(actor, owner);
  if (moved) return publishSlots(db, moved, input, { now, key });
  throw fault ?? noSuchTemplate();
}

type Cut = [startsAt: Instant, endsAt: Instant, date: LocalDate][];

/** All slots of the publication that have not begun, or the fault of the publication. */
function cutPublication(input: Publication, zone: string, now: Instant): { cut: Cut; fault?: DomainError } {
  const refuse = (fault: Fault) => ({ cut: [], fault: new DomainError('invalid', [fault]) });
  const today = todayIn(zone, now);
  if (input.dates.some((date) => date < today)) return refuse(pastDaysFault);
  const ranges = rangesOf(input);
  const cut: Cut = [];
  for (const date of repeatedDays(input)) {
    const day = cutRanges(ranges, date, zone, { len: input.len, gap: 0 }).filter(({ startsAt }) => startsAt > now);
    // A trigger keeps the first and the last start of a day in open_days. We insert the day's last slot, then its
    // first, so the slots between change that row no more.
    for (const { startsAt, endsAt } of [...day.slice(-1), ...day.slice(0, -1)]) cut.push([startsAt, endsAt, date]);
    if (cut.length > limits.slotsPerCall) {
      const most = limits.slotsPerCall.toLocaleString('en');
      const message = `That is more than ${most} slots at once. Choose fewer days or a greater length.`;
      return refuse({ field: input.until ? 'until' : 'dates', message });
    }
  }
  return { cut };
}

/** Finds the result of the actor's publication by its one-time key; undefined where there is none. */
export async function findPublished(db: Db, actor: Actor, key: string, now: Instant) {
  const [[stored]] = await db.run(oneTimeKey(publisher(actor), key, now).read());
  return stored && { ...(stored.replay as Published), key };
}
