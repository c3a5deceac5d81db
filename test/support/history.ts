import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { bookAppointment, cancelAppointment } from '../../app/domain/bookings/book.server';
import { setRules } from '../../app/domain/bookings/own-rules.server';
import { type Links, offerPath } from '../../app/domain/links.server';
import type { Passwords } from '../../app/domain/login/passwords.server';
import type { Actor, Role } from '../../app/domain/profile/accounts';
import { editProfile, registerAccount } from '../../app/domain/profile/accounts.server';
import type { Publication } from '../../app/domain/slots/publication';
import { publishSlots } from '../../app/domain/slots/publish.server';
import { bringBack, withdrawSlots } from '../../app/domain/slots/withdraw.server';
import { createTemplate } from '../../app/domain/templates/templates.server';
import { addDays } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import { Db } from '../../db/client';
import * as schema from '../../db/schema';
import { type Book, byStart, isBookable, readBook } from './naive';

/*
 * Random but repeatable histories of the product, by the domain's own functions.
 */

/** Nobody logs in here, so that no password need be hashed. */
const passwords: Passwords = {
  hash: async () => 'none',
  verify: async () => ({ right: true, outdated: false }),
};

const hasCalendarOf2030 = (year: number) =>
  new Date(Date.UTC(year, 0, 1)).getUTCDay() === 2 && new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 2;

function yearAhead(): number {
  let year = new Date().getUTCFullYear() + 1;
  while (!hasCalendarOf2030(year)) year += 1;
  return year;
}

/**
 * The year in which tests happen: the next one with the calendar of 2030, so that each date is the same day of the week and
 * the clocks change on the same dates. It is ahead because triggers ask the real clock for what is over.
 */
export const year = yearAhead();

/** The night before the clocks of Los Angeles spring forward. */
export const start = Date.UTC(year, 2, 9, 18, 20);
export const hour = 60 * 60 * 1000;

export const newDb = () => new Db(env.DB as unknown as D1Database, 'first-primary');

/** All rows of a statement, as they are stored. */
export async function stored<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(statement)
    .bind(...values)
    .all();
  return results as Row[];
}

/** Empties these tables. Bookings end before they go; what is held goes with its wish, and to nobody else. */
export const deleteFrom = (tables: string[]) =>
  env.DB.batch(
    [
      'DELETE FROM wishes WHERE state = 0',
      'UPDATE wishes SET state = 2, offer_id = NULL, held_until = NULL WHERE state = 1',
      'DELETE FROM wishes',
      "UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'provider' WHERE status < 2",
      "DELETE FROM colleagues WHERE role <> 'owner'",
      ...tables.map((table) => `DELETE FROM ${table}`),
    ].map((sql) => env.DB.prepare(sql)),
  );

/** What other tables point to, so it goes last and in this order. */
const pointedTo = ['hours', 'invitations', 'parties', 'templates', 'accounts', 'cities'];

/** Empties every table of the product. */
export async function forgetAll(): Promise<void> {
  const tables = Object.values(schema).map((table) => getTableName(table as SQLiteTable));
  await deleteFrom([...tables.filter((name) => !pointedTo.includes(name)), ...pointedTo]);
}

/** A new account, logged in. */
export async function join(
  db: Db,
  person: { username: string; displayName: string; timeZone: string; role: Role; location?: string },
): Promise<Actor> {
  const once = { now: start, edgeZone: null, origin: null, key: `join:${person.username}` };
  return (await registerAccount(db, passwords, { ...person, password: 'Correct horse 1', email: null }, once)).actor;
}

/** A write at this instant, by a form that nobody has sent before. */
export const once = (now: number) => ({ now, key: crypto.randomUUID() });

/** Publishes half hours, unless said otherwise, and gives the ids of what that brought as well. */
export async function publishTimes(
  db: Db,
  provider: Actor,
  times: Pick<Publication, 'start' | 'end' | 'dates'> & Partial<Publication>,
  by: { now: number; key: string } = once(start),
) {
  const done = await publishSlots(db, provider, { len: 30, notes: null, templateId: null, ...times }, by);
  const ofIt = 'SELECT id FROM slots WHERE publication = ? ORDER BY starts_at';
  const slots = await stored<{ id: string }>(ofIt, done.publication);
  return { ...done, ids: slots.map(({ id }) => id) };
}

/** A new provider in Lisbon, on UTC unless said otherwise. */
export const joinHost = (db: Db, timeZone = 'UTC') =>
  join(db, { username: 'host', displayName: 'Host', timeZone, role: 'Provider', location: 'Lisbon' });

/** An empty book but for a provider, on UTC unless said otherwise, and a consumer. */
export async function newBook(timeZone?: string): Promise<{ db: Db; host: Actor; guest: Actor }> {
  await forgetAll();
  const db = newDb();
  const guest = await join(db, { username: 'guest', displayName: 'Guest', timeZone: 'UTC', role: 'Consumer' });
  return { db, host: await joinHost(db, timeZone), guest };
}

/** The key in the link of the only offer that holds a time. */
export async function keyOfOffer(links: Links): Promise<string> {
  const [wish] = await stored<{ id: string; linkSeed: string; startsAt: number }>(
    `SELECT wishes.id, wishes.link_seed AS linkSeed, hold.starts_at AS startsAt
      FROM wishes INNER JOIN bookings AS hold ON hold.wish_id = wishes.id WHERE hold.status = 0`,
  );
  if (!wish) throw new Error('Nothing is held.');
  return offerPath(links, wish).split('/').at(-1) ?? '';
}

export const among = <Item>(list: readonly Item[], place: number) => list[place % list.length] as Item;

/** Names with all that is hard to find: marks, quotes, wildcards, what is more than one code unit, repetitions. */
export const names = [
  'Élan & Söhne',
  'WEISS & Weiß 100%',
  'Dr_No 🦷🦷 Z',
  'O\'Neil "Q" Straße',
  'anANana z',
  'pro.two',
  'Zoë\\%',
  '🦷',
  'Ω',
];
export const cities = ['Lisbon', 'Ålesund', "L'Aquila"];
const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC'];
export const usernames = ['pro.one', 'Pro.Two', 'pro_three', 'PRO-4', 'five'];

/** Everyone of a history; `now` moves on with it. */
export type World = {
  db: Db;
  providers: Actor[];
  consumers: Actor[];
  templates: string[];
  /** Withdrawals, whose keys can bring them back. */
  withdrawn: { which: number; key: string; at: number }[];
  now: number;
};

/** Providers in all zones, two in one city; three who book; and a pageful of providers who never publish. */
export async function newWorld(): Promise<World> {
  await forgetAll();
  const db = newDb();
  const joinAll = (people: { username: string; displayName: string; timeZone?: string; location?: string }[]) =>
    Promise.all(
      people.map((one) => join(db, { timeZone: 'UTC', role: one.location ? 'Provider' : 'Consumer', ...one })),
    );
  const [providers, consumers] = await Promise.all([
    joinAll(
      usernames.map((username, place) => ({
        username,
        displayName: among(names, place),
        timeZone: among(zones, place),
        location: among(cities, place % 2),
      })),
    ),
    joinAll(['maya', 'tomas', 'june'].map((username) => ({ username, displayName: `${username} É.` }))),
    joinAll(
      Array.from({ length: 22 }, (_, place) => ({
        username: `idle.${place}`,
        displayName: place % 3 ? `Idle ${place}` : 'Idle',
        location: place % 2 ? 'Lisbon' : 'idleton',
      })),
    ),
  ]);
  // A hundred names with a z in them: it is a common text to search for.
  await env.DB.prepare(
    `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, password_hash, role, time_zone, city,
       created_at)
     SELECT 'zoo' || value, 'zoo.' || value, 'zoo.' || value, 'Zoo', 'zoo', 'zoo', '', 'Provider', 'UTC', 'idleton', ?1
     FROM json_each(?2)`,
  )
    .bind(start, JSON.stringify(Array.from({ length: 100 }, (_, place) => place)))
    .run();
  const templates = await Promise.all(
    providers.map((provider) =>
      createTemplate(db, provider, { displayName: 'T', questions: [] }, { now: start, key: 't' }),
    ),
  );
  return { db, providers, consumers, templates: templates.map(({ id }) => id), withdrawn: [], now: start };
}

const number = fc.nat(999);
const acts = {
  publish: 16,
  book: 14,
  cancel: 8,
  'call off': 4,
  withdraw: 4,
  'bring back': 3,
  move: 2,
  rename: 2,
  travel: 4,
  wait: 4,
  bound: 2,
  rule: 2,
};
const kind = fc.oneof(...Object.entries(acts).map(([act, weight]) => ({ arbitrary: fc.constant(act), weight })));

/** One act of somebody; the numbers choose who, what and when. */
export const step = fc.record({ kind, who: number, what: number, when: number, much: number });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Up to `much` entries, spread over the list. */
const some = <Item>(list: Item[], place: number, much: number): Item[] => {
  const every = Math.max(1, Math.floor(list.length / (1 + much)));
  return list.filter((_, index) => index % every === place % every).slice(0, 1 + much);
};

const ranges = [
  ['09:00', '17:00', 60],
  ['08:15', '12:15', 30],
  ['00:00', '00:00', 120],
  ['00:00', '00:00', 1440],
  ['22:00', '00:00', 30],
  ['01:00', '04:00', 45],
  ['10:00', '20:00', 10],
] as const;

/** Rules: none, the usual ones, those that leave nothing, an end in the middle of a day, and days that are soon full. */
const rules = [
  { notice: 0, horizonDays: null, perDay: null },
  { notice: 120, horizonDays: null, perDay: 2 },
  { notice: 1440, horizonDays: 3, perDay: null },
  { notice: 0, horizonDays: 1, perDay: null },
  { notice: 4320, horizonDays: 2, perDay: 4 },
  { notice: 1, horizonDays: 4, perDay: 1 },
  { notice: 0, horizonDays: null, perDay: 1 },
];
const noChange = { openTo: undefined, askEmail: undefined, cancelUntil: undefined, perPerson: undefined };

/** Does one step of a history. */
export async function take(world: World, { kind, who, what, when, much }: Step, place: number): Promise<void> {
  const { db, providers, consumers, templates } = world;
  world.now += 1;
  const { now } = world;
  const which = who % providers.length;
  const provider = among(providers, who);
  const edit = async (change: { displayName?: string; timeZone?: string; location?: string }) => {
    const displayName = (await readBook()).accounts.find(({ id }) => id === provider.accountId)?.display_name ?? '';
    const { actor } = await editProfile(db, provider, { displayName, timeZone: undefined, ...change }, now);
    providers[which] = actor;
  };
  if (kind === 'wait') world.now += ((when % 13) + 1) * 1.5 * hour;
  if (kind === 'move') await edit({ location: among(cities, what) });
  if (kind === 'rename') await edit({ displayName: among(names, what) });
  if (kind === 'travel') await edit({ timeZone: among(zones, what) });
  // As for somebody who has published much before.
  if (kind === 'bound') await stored('UPDATE accounts SET open_slots_at_most = 10000 WHERE id = ?', provider.accountId);
  if (kind === 'rule') await setRules(db, provider, { ...noChange, ...among(rules, what) }, now);
  if (kind === 'publish') {
    const [start, end, len] = among(ranges, what);
    const today = todayIn(provider.timeZone, now);
    const dates = [0, 1, 2].slice(0, 1 + (much % 3)).map((later) => addDays(today, (when % 5) + later));
    const more = { notes: what % 2 ? 'Ring twice' : null, templateId: what % 4 ? null : among(templates, which) };
    const times = { start, end, dates, len, ...more };
    const { created, ids } = await publishTimes(db, provider, times, { now, key: `publish:${place}` });
    if (ids.length !== created) throw new Error(`said ${created} were created, not ${ids.length}`);
  }
  const inState = ({ slots }: Book, state: number) =>
    slots.filter(({ status, starts_at }) => status === state && starts_at > now).sort(byStart);
  if (kind === 'book') {
    const book = await readBook();
    const free = inState(book, 0).filter((slot) => isBookable(book, slot, now));
    for (const slot of some(free, what, much % 15)) {
      // The booking before may have filled the day.
      if (!isBookable(book, slot, now)) continue;
      await bookAppointment(db, among(consumers, who), { id: slot.id, submitted: null }, now);
      slot.status = 1;
    }
  }
  if (kind === 'cancel' || kind === 'call off') {
    for (const { id, provider_id, booker_id } of some(inState(await readBook(), 1), what, much % 5)) {
      const by = kind === 'cancel' ? booker_id : provider_id;
      const actor = [...consumers, ...providers].find(({ accountId }) => accountId === by) as Actor;
      await cancelAppointment(db, actor, { id, reason: null }, now);
    }
  }
  if (kind === 'withdraw') {
    const own = inState(await readBook(), 0).filter(({ provider_id }) => provider_id === provider.accountId);
    if (own.length === 0) return;
    const { id, local_date: date, publication } = among(own, what);
    const key = `withdraw:${place}`;
    world.withdrawn.push({ which, key, at: now });
    const choices = [
      { ids: [id] },
      { date },
      { publication: publication ?? '' },
      { date },
      { ids: [id] },
      'all' as const,
    ];
    await withdrawSlots(db, provider, among(choices, much), { now, key });
  }
  if (kind === 'bring back') {
    const last = world.withdrawn.findLast((one) => one.which === which);
    // The key of a withdrawal is good for a day.
    if (last && now - last.at < 20 * hour) await bringBack(db, provider, last.key, now);
  }
}
