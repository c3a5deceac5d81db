import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unfit } from '../../../app/domain/bookings/claimable.server';
import { slotWithService } from '../../../app/domain/bookings/slot-with-service.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { createService } from '../../../app/domain/services/services.server';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listTimes } from '../../../app/domain/slots/times.server';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { newBook, once, start, stored, year } from '../../support/history';

/*
 * Whether a service fits at a start is asked by what books it, by what lists its times and its days, by what keeps it for a standing
 * time, and by what offers it to those who wait. Only the list of times says it in code of its own. On random days all five must
 * say the same.
 */

const minute = 60_000;
const day = 24 * 60 * minute;
/** The morning after the history begins, which is a Sunday. */
const morning = start - (start % day) + day + 8 * 60 * minute;

type Service = { id: string; name: string; minutes: number; gap: number; seats: number };
type Slot = {
  length: number;
  pause: number;
  fate: 'open' | 'busy' | 'withdrawn';
  /** Free time, or a time of one of the services. */
  service: number | null;
  seats: number;
};

const anySlot: fc.Arbitrary<Slot> = fc.record({
  length: fc.constantFrom(15, 30, 60),
  pause: fc.constantFrom(0, 0, 0, 5, 10, 20),
  fate: fc.constantFrom('open', 'open', 'open', 'open', 'busy', 'withdrawn'),
  service: fc.constantFrom(null, null, null, null, 0, 1),
  seats: fc.constantFrom(1, 1, 1, 2),
});
const anyDay = fc.record({
  slots: fc.array(anySlot, { minLength: 1, maxLength: 9 }),
  pauseOfHours: fc.constantFrom(0, 10),
});

const idAt = (provider: string, at: number) => `${provider}${String(at).padStart(13, '0')}${'x'.repeat(12)}`;

/** Replaces all times of the host by those of this day. */
async function publish(
  host: string,
  { slots, pauseOfHours }: { slots: Slot[]; pauseOfHours: number },
  services: Service[],
) {
  const statements = [
    env.DB.prepare('DELETE FROM slots WHERE provider_id = ?').bind(host),
    env.DB.prepare(`INSERT INTO hours (provider_id, plan, version, carried_to, next_at) VALUES (?, ?, '1', '9999-12-31', 1e15)
      ON CONFLICT DO UPDATE SET plan = excluded.plan`).bind(host, JSON.stringify({ gap: pauseOfHours })),
  ];
  let at = morning;
  for (const { length, pause, fate, service, seats } of slots) {
    statements.push(
      env.DB.prepare(`INSERT INTO slots (provider_id, starts_at, id, ends_at, seats, city, local_date, time_zone, service_id)
        VALUES (?, ?, ?, ?, ?, 'lisbon', ?, 'UTC', ?)`).bind(
        host,
        at,
        idAt(host, at),
        at + length * minute,
        seats,
        new Date(at).toISOString().slice(0, 10),
        service === null ? null : services[service]?.id,
      ),
    );
    const here = ' WHERE provider_id = ? AND starts_at = ?';
    if (fate === 'busy') statements.push(env.DB.prepare(`UPDATE slots SET is_busy = 1${here}`).bind(host, at));
    if (fate === 'withdrawn')
      statements.push(env.DB.prepare(`UPDATE slots SET state = 2, withdrawn_at = 1${here}`).bind(host, at));
    at += (length + pause) * minute;
  }
  await env.DB.batch(statements);
}

/** The starts at which the statement that books would take the service. */
async function bookedAt(db: Db, { id }: Service): Promise<number[]> {
  const { rows } = await db.run({
    rows: orm
      .select({ at: sql<number>`slots.starts_at`.as('at') })
      .from(slotWithService(id))
      .where(sql`slots.state = 0 AND slots.is_busy = 0 AND ${unfit(id)} IS NULL`)
      .orderBy(sql`slots.starts_at`),
  });
  return rows.map(({ at }) => at);
}

async function listedAt(db: Db, { id }: Service): Promise<number[]> {
  const { rows } = await listTimes(db, { provider: 'host', service: id, page: 0 }, start);
  return rows.map(({ startsAt }) => startsAt);
}

async function standingAt(host: string, { id }: Service): Promise<number[]> {
  const rows = await stored<{ at: number }>(
    'SELECT starts_at AS at FROM standing_slots WHERE provider_id = ? AND standing_id = ? AND why IS NULL ORDER BY starts_at',
    host,
    id,
  );
  return rows.map(({ at }) => at);
}

async function offeredAt(host: string, { id }: Service): Promise<number[]> {
  const rows = await stored<{ at: number }>(
    'SELECT starts_at AS at FROM fits WHERE provider_id = ? AND wish_id = ? ORDER BY starts_at',
    host,
    `${host}${id}`,
  );
  return rows.map(({ at }) => at);
}

/** A person for whom each service is kept, and who waits for it. */
async function waitForAll(host: Actor, guest: Actor, services: Service[]) {
  await env.DB.batch(
    services.flatMap(({ id }) => [
      env.DB.prepare(`INSERT INTO standing_times (provider_id, id, person_id, booker_id, day, minute, weeks, from_date, service_id, set_at)
        VALUES (?1, ?2, ?3, ?3, 1, 0, 1, '${year}-01-01', ?2, 1)`).bind(host.accountId, id, guest.accountId),
      env.DB.prepare(`INSERT INTO wishes (provider_id, id, asked_at, account_id, asked_by, link_seed, asked, service_id, from_at, until_at, ends_at,
          last_at, clock, reader_clock, changed_at)
        VALUES (?1, ?1 || ?2, 1, ?3, ?3, 's', '{}', ?2, 1, 9e15, 9e15, 9e15, '[[0,0]]', '[[0,0]]', 1)`).bind(
        host.accountId,
        id,
        guest.accountId,
      ),
    ]),
  );
}

test('a service fits where it is listed, booked, kept and offered, and nowhere else', {
  timeout: 300_000,
}, async () => {
  const { db, host, guest } = await newBook();
  const usual = { price: null, deposit: null, description: null, templateId: null, isOffered: true };
  const lengths = [
    { name: 'Short', minutes: 15, gap: 0, seats: 1 },
    { name: 'Long', minutes: 45, gap: 0, seats: 1 },
    { name: 'With a gap', minutes: 30, gap: 20, seats: 1 },
    { name: 'Class', minutes: 30, gap: 0, seats: 2 },
  ];
  const services: Service[] = [];
  for (const one of lengths)
    services.push({
      ...one,
      ...(await createService(db, host, { ...usual, ...one, where: 'here', link: null }, once(start))),
    });
  await waitForAll(host, guest, services);
  let found = 0;

  await fc.assert(
    fc.asyncProperty(anyDay, async (random) => {
      await publish(host.accountId, random, services);
      const slots = await stored<{ at: number; end: number; service: string | null }>(
        'SELECT starts_at AS at, ends_at AS end, service_id AS service FROM slots WHERE provider_id = ?',
        host.accountId,
      );
      for (const service of services) {
        const booked = await bookedAt(db, service);
        found += booked.length;

        expect(await listedAt(db, service), `${service.name} is listed`).toEqual(booked);
        const dates = [...new Set(booked.map((at) => new Date(at).toISOString().slice(0, 10)))];
        expect(await listOpenDates(db, 'host', start, service.id), `${service.name} has days`).toEqual(dates);
        expect(await standingAt(host.accountId, service), `${service.name} is kept`).toEqual(booked);
        // Nobody waits for several slots in a row.
        const inOneSlot = booked.filter((start) => {
          const slot = slots.find(({ at }) => at === start);
          return slot?.service !== null || start + service.minutes * minute <= slot.end;
        });
        expect(await offeredAt(host.accountId, service), `${service.name} is offered`).toEqual(inOneSlot);
      }
    }),
    { numRuns: Math.ceil(Number(env.CASES) / 4) },
  );

  expect(found).toBeGreaterThan(100);
});
