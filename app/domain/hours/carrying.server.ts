import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { accounts, hours as table } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { endHolds, offerOpened, runAfterHolds } from '../bookings/holds.server';
import { limits } from '../input/limits';
import { expectSlots, limitOpenSlots } from '../slots/open-slots-limit.server';
import { bookStanding, spansOf } from '../slots/standing-dates.server';
import { addDays, type Instant, type LocalDate } from '../time/clock';
import { endOfDay, todayIn } from '../time/zones';
import {
  matchSlots,
  type PublishingPlan,
  planOf,
  publishMissing,
  stampOf,
  storedStamp,
  timesOf,
} from './applying.server';
import { completePlan } from './completed-plan.server';
import { wantedSlots } from './planned-slots';

// Publishes one more day of all providers' hours. A run takes a few steps and leaves the rest to the next run. A step
// is one transaction for those providers who have waited longest. A run may stop at any time, and a step may be
// repeated.

// The free plan allows the hourly job 50 queries and 10 ms of processor time. All else that it does takes 26 queries, a step
// seven, and `applyAnew` 12, in place of a step. We have not measured the processor time of two full steps.
const run = { steps: 2, anew: 1 };
const step = { providers: 150, slots: 5000 };

const selectDue = (now: Instant, isAnew: boolean, most: number) =>
  orm
    .select({
      provider: table.providerId,
      saveKey: table.saveKey,
      carriedTo: table.carriedTo,
      plan: completePlan,
      timeZone: accounts.timeZone,
    })
    .from(table)
    .innerJoin(accounts, eq(accounts.id, table.providerId))
    .where(and(lte(table.nextAt, now), isAnew ? eq(table.carriedTo, '') : sql`${table.carriedTo} <> ''`))
    .orderBy(asc(table.nextAt))
    .limit(most);
type Due = Awaited<ReturnType<typeof selectDue>>[number];

/** The hours are published up to `to`; the job comes back to them at `next`. */
type Carried = { stamp: string; to: LocalDate; next: Instant };

const carriedOf = ({ saveKey, carriedTo, plan, timeZone }: Due, now: Instant): Carried => {
  const today = todayIn(timeZone, now);
  return { stamp: stampOf(saveKey, carriedTo), to: addDays(today, plan.ahead), next: endOfDay(today, timeZone) };
};

function newSlots(due: Due, { to, stamp }: Carried, now: Instant): PublishingPlan {
  const today = todayIn(due.timeZone, now);
  const after = addDays(due.carriedTo, 1);
  const span = { from: after > today ? after : today, to, now, most: limits.openSlots };
  return planOf(due.provider, stamp, wantedSlots(due.plan, due.timeZone, span));
}

const noteOf = (notes: string, name: keyof Carried) =>
  sql`json_extract(${notes}, '$."' || provider_id || '".' || ${name})`;

// Publishes the new dates of many providers. If that would pass a provider's limit of open slots, the provider waits
// until the next day.
async function carryOn(db: Db, due: Due[], now: Instant): Promise<void> {
  const plans: PublishingPlan[] = [];
  const carried: Record<string, Carried> = {};
  let slots = 0;
  for (const hours of due) {
    if (slots > step.slots) break;
    const note = carriedOf(hours, now);
    carried[hours.provider] = note;
    const added = newSlots(hours, note, now);
    slots += added.slots.length;
    if (added.slots.length > 0) plans.push(added);
  }
  const spans = due
    .filter(({ provider }) => carried[provider])
    .map(({ provider, timeZone: zone, carriedTo }) => ({
      provider,
      zone,
      from: addDays(carriedTo, 1),
      to: (carried[provider] as Carried).to,
    }));
  const counts = JSON.stringify(Object.fromEntries(plans.map(({ provider, slots }) => [provider, slots.length])));
  const notes = JSON.stringify(carried);
  const providers = JSON.stringify(plans.map(({ provider }) => provider));
  const mayHave = sql`(SELECT open_slots_at_most FROM accounts WHERE id = hours.provider_id) <= ${limits.openSlots}`;
  await db.run(
    endHolds(now),
    expectSlots(counts, now),
    publishMissing(plans, mayHave),
    orm
      .update(table)
      .set({
        carriedTo: sql`iif(${mayHave}, ${noteOf(notes, 'to')}, carried_to)`,
        nextAt: sql`${noteOf(notes, 'next')}`,
      })
      .where(
        sql`provider_id IN (SELECT key FROM json_each(${notes}))
          AND ${storedStamp} = ${noteOf(notes, 'stamp')}`,
      ),
    bookStanding(spansOf(spans), { now, act: newId() }),
    offerOpened(sql`(SELECT value FROM json_each(${providers}))`, { from: now, until: Number.MAX_SAFE_INTEGER, now }),
  );
}

/** Publishes a provider's hours from the beginning, for example after a change of zone. */
async function applyAnew(db: Db, due: Due, now: Instant): Promise<void> {
  const { stamp, to, next } = carriedOf(due, now);
  const today = todayIn(due.timeZone, now);
  const slots = wantedSlots(due.plan, due.timeZone, { from: today, to, now, most: limits.openSlots });
  const isThem = and(eq(table.providerId, due.provider), sql`${storedStamp} = ${stamp}`);
  const condition = sql`EXISTS (SELECT 1 FROM hours INNER JOIN accounts ON accounts.id = provider_id
    WHERE provider_id = ${due.provider} AND ${storedStamp} = ${stamp} AND time_zone = ${due.timeZone})`;
  const counted = { added: sql`${slots.length}`, isAdded: condition };
  const published = spansOf([{ provider: due.provider, zone: due.timeZone, from: today, to }]);
  const act = newId();
  try {
    await runAfterHolds(db, now, {
      ...matchSlots(planOf(due.provider, stamp, slots), { times: timesOf(slots), condition, now }),
      standing: bookStanding(published, { now, act, condition }),
      offered: offerOpened(sql`(${due.provider})`, { from: now, until: Number.MAX_SAFE_INTEGER, now, condition }),
      ...limitOpenSlots(due.provider, counted, now),
      carried: orm.update(table).set({ carriedTo: to, nextAt: next }).where(and(isThem, condition)),
      // A day without a slot counts as published too.
      told: bookStanding(published, { now, act }),
    });
  } catch (error) {
    if (!(error instanceof RuleBroken) || error.rule !== 'too_many_open_slots') throw error;
    await db.run(orm.update(table).set({ nextAt: next }).where(isThem));
  }
}

/**
 * Publishes as much as one run may. A repeat changes nothing.
 * @returns whether some providers are left for the next run
 */
export async function carryHours(db: Db, now: Instant): Promise<boolean> {
  const [anew] = await db.run(selectDue(now, true, run.anew));
  for (const hours of anew) await applyAnew(db, hours, now);
  for (let steps = anew.length; steps < run.steps; steps++) {
    const [due] = await db.run(selectDue(now, false, step.providers));
    if (due.length === 0) return anew.length === run.anew;
    await carryOn(db, due, now);
  }
  return true;
}
