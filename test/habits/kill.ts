import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../app/local/server';
import { dayAhead, type Person, registerCrowd, registerProvider, rowsOf } from '../support/factories';
import type { Arrived, startMailServer } from '../support/mail-server';
import type { Chance } from './chance';
import { brokenRules } from './invariants';
import { type Counts, count, gone, serving, underKill } from './tool';

/* Kills a server in a process of its own at random moments, while people write. */

export const kinds = ['bookings', 'moves', 'messages', 'hours'] as const;
type Kind = (typeof kinds)[number];
/** How often a folder's server is killed, by which chance. */
export type Killing = { dataDir: string; rounds: number; chance: Chance; say?: (line: string) => void };
export type KillReport = { kills: number; acknowledged: Counts; unanswered: Counts; mails: number; twice: number };

/** A request about a slot, and whether it was acknowledged before the kill. */
type Asked = { what: 'book' | 'move' | 'cancel'; slot: string; who: string; to?: string; isAcknowledged: boolean };
type Someone = { person: Person; held: string[] };

/** A round waits so long for its writes, in milliseconds. */
const patience = 10_000;

/**
 * Kills a server again and again, so many times under each kind of write, and checks the book in the end.
 * @throws AssertionError for anything lost or doubled
 */
export async function kill({
  dataDir,
  rounds = 1,
  under = kinds,
  chance,
  mailServer,
  say,
}: Omit<Killing, 'rounds'> & {
  rounds?: number;
  under?: readonly Kind[];
  mailServer: Awaited<ReturnType<typeof startMailServer>>;
}): Promise<KillReport> {
  const vars = { MAIL_URL: `smtp://localhost:${mailServer.port}`, MAIL_FROM: 'book@daybook.test' };
  const folder = { dataDir, vars, log: () => {} };
  const { host, people } = await serving(folder, async (server) => {
    const [host, people] = [await registerProvider(server), await registerCrowd(server, 6)];
    await server.d1.prepare("UPDATE accounts SET email = username || '@mail.test', email_confirmed_at = 1").run();
    await publishWeek(host);
    return { host, people };
  });
  const crowd = people.map((person): Someone => ({ person, held: [] }));
  const asked: Asked[] = [];
  const hours: HoursKept = { acknowledged: null, asked: [], many: 0 };
  const report: KillReport = { kills: 0, acknowledged: {}, unanswered: {}, mails: 0, twice: 0 };
  const note = (what: string, status: number) =>
    count(status === 0 ? report.unanswered : report.acknowledged, `${what} ${status}`);

  for (let round = 0; round < rounds * under.length; round++) {
    const focus = under[round % under.length] as Kind;
    await underKill(folder, [host, ...people], async (killServer) => {
      await checkHours(host, hours);
      const open = await openFor(host);
      let [isOn, done] = [true, 0];
      const act = async (one: Someone) => {
        while (isOn) {
          const drawn = draw(chance, focus, one, host, open);
          asked.push(drawn.asked);
          const { status } = await drawn.send().catch(gone);
          note(drawn.asked.what, status);
          drawn.asked.isAcknowledged = status === 200;
          if (status === 200) done += 1;
          if (status !== 0 && status !== 200) asked.splice(asked.indexOf(drawn.asked), 1);
          ok([0, 200, 409].includes(status), `${drawn.asked.what} is answered by ${status}`);
          settle(one, drawn.asked, status);
        }
      };
      const plan = async () => {
        while (isOn) {
          note('hours', (await askForHours(host, hours, chance).catch(gone)).status);
          if (focus !== 'hours') await sleep(200);
        }
      };
      const busy = Promise.all([plan(), ...crowd.map(act)]);
      const enough = 1 + chance.below(60);
      for (const end = Date.now() + patience; done < enough && Date.now() < end; ) await sleep(5);
      await sleep(chance.below(30));
      isOn = false;
      killServer();
      await busy;
    });
    report.kills += 1;
    say?.(`${report.kills} kills, ${asked.filter(({ isAcknowledged }) => isAcknowledged).length} writes acknowledged`);
  }
  return serving(folder, async (last) => {
    await checkAppointments(last, asked);
    deepStrictEqual(await brokenRules(last.d1), []);
    Object.assign(host.browser, { url: last.url });
    await checkHours(host, hours);
    return { ...report, ...(await checkMail(last, mailServer.arrived)) };
  });
}

/** Open times; publishes more if few are left. */
async function openFor(host: Person): Promise<string[]> {
  const open = await readOpen(host);
  if (open.length > 40) return open;
  await publishWeek(host);
  return readOpen(host);
}

/** Up to a hundred free times that hours can't take back. */
async function readOpen(host: Person): Promise<string[]> {
  const query = new URLSearchParams({ provider: host.username, dates: days().join(' ') });
  const pages = [0, 1, 2, 3, 4].map((page) => host.api('GET', `/api/Appointment/GetPage?${query}&page=${page}`));
  const rows = (await Promise.all(pages)).flatMap(rowsOf);
  return rows.filter(({ notes }) => notes === null).map(({ id }) => id);
}

const publishWeek = (host: Person) =>
  host.api('POST', '/api/Appointment/CreateAppointment?len=5', { start: '00:00', end: '12:00', dates: days() });
const days = () => Array.from({ length: 7 }, (_, later) => dayAhead(2 + later));

function draw(chance: Chance, focus: Kind, { person, held }: Someone, host: Person, open: string[]) {
  const act = chance.next();
  const to = open[chance.below(open.length)] as string;
  const own = held.length > 0 ? chance.of(held) : undefined;
  const asked = { who: person.username, isAcknowledged: false };
  const call = (who: Person, path: string, body?: object) => () => who.api('PUT', `/api/Appointment/${path}`, body);
  if (own && act < (focus === 'moves' ? 0.7 : 0.15)) {
    const who = chance.is(0.3) ? host : person;
    return { asked: { what: 'move', slot: own, to, ...asked } as Asked, send: call(who, `Move?id=${own}&to=${to}`) };
  }
  if (own && (act > (focus === 'messages' ? 0.5 : 0.85) || held.length > 20)) {
    const who = chance.is(0.5) ? host : person;
    const send = call(who, `Cancel?id=${own}`, { reason: 'Ill' });
    return { asked: { what: 'cancel', slot: own, ...asked } as Asked, send };
  }
  return { asked: { what: 'book', slot: to, ...asked } as Asked, send: call(person, `Book?id=${to}`) };
}

/** Notes an acknowledged request; people know nothing of one without an answer. */
function settle(one: Someone, { what, slot, to }: Asked, status: number): void {
  if (what === 'book') {
    if (status === 200 && !one.held.includes(slot)) one.held.push(slot);
    return;
  }
  if (status !== 409) one.held = one.held.filter((id) => id !== slot);
  if (what === 'move' && status === 200 && to) one.held.push(to);
}

/** Checks that all that was acknowledged stands. */
async function checkAppointments({ d1 }: Server, asked: Asked[]): Promise<void> {
  const { results } = await d1
    .prepare('SELECT bookings.id, status, moved_to, username FROM bookings JOIN accounts ON accounts.id = booker_id')
    .all<{ id: string; status: number; moved_to: string | null; username: string }>();
  const rows = new Map(results.map((row) => [row.id, row]));
  const ends = new Set(asked.filter(({ what }) => what !== 'book').map(({ slot }) => slot));
  for (const { what, slot, who, to } of asked.filter(({ isAcknowledged }) => isAcknowledged)) {
    const row = rows.get(slot);
    const told = `${what} ${slot}`;
    deepStrictEqual(row?.username, who, told);
    if (what === 'cancel') deepStrictEqual([row?.status, row?.moved_to], [2, null], told);
    if (what === 'move')
      deepStrictEqual([row?.status, row?.moved_to, rows.get(to ?? '')?.username], [2, to, who], told);
    if (what === 'book' && !ends.has(slot)) deepStrictEqual(row?.status, 1, told);
  }
}

/** The last hours that were acknowledged, and those sent since: one of these stands. Their notes tell them apart. */
type HoursKept = { acknowledged: string | null; asked: string[]; many: number };

/** Sets other hours. @throws if the server is gone */
async function askForHours(host: Person, kept: HoursKept, chance: Chance): Promise<{ status: number }> {
  kept.many += 1;
  const notes = `Hours ${kept.many}`;
  kept.asked.push(notes);
  const end = `${14 + chance.below(8)}:00`;
  const hours = Array.from({ length: 7 }, (_, day) => ({ day, start: '12:00', end })).filter(() => chance.is(0.8));
  const body = { hours, len: chance.of([10, 15, 30]), gap: chance.of([0, 5]), ahead: 20, notes };
  const { status, text } = await host.api('PUT', '/api/Appointment/SetHours', body);
  deepStrictEqual(status, 200, text);
  kept.acknowledged = notes;
  kept.asked = [];
  return { status };
}

/** Checks that acknowledged or later hours stand, and that exactly their slots are published. */
async function checkHours(host: Person, kept: HoursKept): Promise<void> {
  const set = (await host.api('GET', '/api/Appointment/GetHours')).json as { notes: string } | null;
  const notes = set?.notes ?? null;
  ok([kept.acknowledged, ...kept.asked].includes(notes), `hours are ${notes}, not ${kept.acknowledged}`);
  kept.acknowledged = notes;
  kept.asked = [];
  if (!set) return;
  const { json } = await host.api('PUT', '/api/Appointment/SetHours?preview=true', set);
  deepStrictEqual(json, { created: 0, withdrawn: 0 });
}

/** SQL: the message of each booking, move and cancellation, and its reader. Everybody here has an address. */
const told = `SELECT
  (SELECT 2 * count(*) FROM bookings WHERE moved_from IS NULL) AS booked,
  (SELECT coalesce(sum(iif(canceled_by = 'provider', 1, 2)), 0) FROM bookings WHERE status = 2 AND moved_to IS NULL) AS canceled,
  (SELECT coalesce(sum(iif(canceled_by = 'provider', 1, 2)), 0) FROM bookings WHERE moved_to IS NOT NULL) AS moved`;

/** Give up after so many rounds without a mail. */
const idleFor = 100;

/**
 * Checks that each effect has its messages, and that each arrived once; at most twice, as the same mail, if a kill came between sending
 * and noting. First it lets the waiting mail leave.
 */
async function checkMail({ d1, scheduled }: Server, arrived: Arrived[]): Promise<{ mails: number; twice: number }> {
  const { results } = await d1
    .prepare("SELECT kind, count(*) AS many FROM messages WHERE kind <> 'reminder' GROUP BY kind")
    .all<{ kind: string; many: number }>();
  const written = Object.fromEntries(results.map(({ kind, many }) => [kind, many]));
  deepStrictEqual({ booked: 0, canceled: 0, moved: 0, ...written }, { ...(await d1.prepare(told).first()) });
  // Hundreds of kills leave thousands of mails, and each wake sends some, so it ends when no more leave.
  let [left, idle] = [Number.POSITIVE_INFINITY, 0];
  for (let tries = 0; idle < idleFor; tries++) {
    await d1
      .prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'due' OR mail_state = 'leased' AND ?")
      .bind(tries === 0 ? 1 : 0)
      .run();
    await scheduled();
    const waiting = await d1
      .prepare("SELECT count(*) AS many FROM messages WHERE mail_state IN ('due', 'leased')")
      .first<number>('many');
    if (!waiting) break;
    idle = waiting < left ? 0 : idle + 1;
    left = waiting;
    await sleep(200);
  }
  const unsent =
    "SELECT mail_state, reason, count(*) AS many FROM messages WHERE mail_state IS NOT 'sent' GROUP BY 1, 2";
  deepStrictEqual((await d1.prepare(unsent).all()).results, [], 'a message was not sent');
  const messages = await d1.prepare('SELECT count(*) AS many FROM messages').first<number>('many');
  const copies = new Map<string, number>();
  for (const { mail } of arrived) copies.set(mail.messageId ?? '', (copies.get(mail.messageId ?? '') ?? 0) + 1);
  deepStrictEqual(copies.size, messages, 'as many mails came as were written');
  const twice = [...copies.values()].filter((many) => many > 1);
  ok(
    twice.every((many) => many === 2),
    'a mail came more than twice',
  );
  return { mails: copies.size, twice: twice.length };
}
