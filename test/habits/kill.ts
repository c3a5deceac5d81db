import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../app/local/server';
import { dayAhead, type Person, registerCrowd, registerProvider, rowsOf } from '../support/factories';
import type { Arrived, startMailServer } from '../support/mail-server';
import { addressOf, run } from '../support/process';
import type { Chance } from './chance';
import { brokenRules } from './invariants';
import { type Counts, count, type Open, serving } from './tool';

/** How often a folder's server is killed, by which chance. */
type Killing = {
  dataDir: string;
  rounds: number;
  chance: Chance;
  mailServer?: Awaited<ReturnType<typeof startMailServer>>;
  say?: (line: string) => void;
};
type Writers<Report> = {
  people: Person[];
  /** What they write to a server of its own process, until they have it killed. */
  write: (round: number, kill: () => void) => Promise<unknown>;
  /**
   * @param starts how many mails had arrived when each server started
   * @throws AssertionError for anything lost or doubled
   */
  check: (server: Server, starts: number[]) => Promise<Report>;
};

/** Kills a server again and again while people write, and checks the book in the end. */
export const killingOf =
  <Report extends object>(setUp: (server: Open, killing: Killing) => Promise<Writers<Report>>) =>
  async (killing: Killing): Promise<Report & { kills: number }> => {
    const { dataDir, rounds, mailServer, say } = killing;
    const vars = mailServer && { MAIL_URL: `smtp://localhost:${mailServer.port}`, MAIL_FROM: 'book@daybook.test' };
    const folder = { dataDir, vars, log: () => {} };
    const { people, write, check } = await serving(folder, (server) => setUp(server, killing));
    const moveTo = (url: string) => people.map(({ browser }) => Object.assign(browser, { url }));
    const starts: number[] = [];
    const noteStart = () => starts.push(mailServer?.arrived.length ?? 0);
    for (let round = 0; round < rounds; round++) {
      noteStart();
      const running = run('start', { RATE_LIMIT: 'off', ...vars, PORT: '0', DATA_DIR: dataDir, SEED: 'off' });
      const kill = () => void running.child.kill('SIGKILL');
      try {
        moveTo(await addressOf(running));
        await write(round, kill);
      } finally {
        kill();
        await running.ended;
        // What a killed server has sent counts as its own, also if it is read only now.
        await mailServer?.atRest();
      }
      say?.(`${round + 1} kills`);
    }
    noteStart();
    return serving(folder, async (server) => {
      moveTo(server.url);
      deepStrictEqual(await brokenRules(server.d1), []);
      return { ...(await check(server, starts)), kills: rounds };
    });
  };

/** Takes a connection that broke for no response; any other error is thrown. */
export function gone(error: NodeJS.ErrnoException): { status: 0; json: undefined } {
  if (!/^ECONN|^EPIPE/.test(error.code ?? '')) throw error;
  return { status: 0, json: undefined };
}

export const kinds = ['bookings', 'moves', 'messages', 'hours'] as const;
type Kind = (typeof kinds)[number];

/** A request about a slot, and whether it was acknowledged before the kill. */
type Asked = { what: 'book' | 'move' | 'cancel'; slot: string; who: string; to?: string; isAcknowledged: boolean };
type Someone = { person: Person; booked: string[] };

/** A round waits so long for its writes, in milliseconds. */
const patience = 10_000;

/** Waits until a round has had enough of its writes acknowledged to be killed, however slow the machine is. */
export async function untilEnough(isEnough: () => boolean): Promise<void> {
  for (const end = Date.now() + patience; !isEnough() && Date.now() < end; ) await sleep(5);
}

/** People book, move and cancel, and the host sets hours; each kind of write has rounds in which it comes most often. */
export const kill = killingOf(async (server, { chance, mailServer }) => {
  const [host, people] = [await registerProvider(server), await registerCrowd(server, 6)];
  await server.d1.prepare("UPDATE accounts SET email = username || '@mail.test', email_confirmed_at = 1").run();
  const crowd = people.map((person): Someone => ({ person, booked: [] }));
  const all: Asked[] = [];
  const hours: HoursAsked = { acknowledged: null, asked: [], many: 0 };
  const [acknowledged, lost]: [Counts, Counts] = [{}, {}];
  const note = (what: string, status: number) => count(status === 0 ? lost : acknowledged, `${what} ${status}`);
  return {
    people: [host, ...people],
    async write(round, killServer) {
      const focus = kinds[round % kinds.length] as Kind;
      await checkHours(host, hours);
      await publishWeek(host);
      const open = await readOpen(host);
      let [isOn, done] = [true, 0];
      const act = async (one: Someone) => {
        while (isOn) {
          const asked = draw(chance, focus, one, open);
          all.push(asked);
          const { what, slot, to } = asked;
          const by = chance.is({ book: 0, move: 0.3, cancel: 0.5 }[what]) ? host : one.person;
          const path = { book: 'Book', move: 'Move', cancel: 'Cancel' }[what];
          const body = what === 'cancel' ? { reason: 'Ill' } : undefined;
          const call = `/api/Appointment/${path}?id=${slot}${to ? `&to=${to}` : ''}`;
          const { status } = await by.api('PUT', call, body).catch(gone);
          ok([0, 200, 409].includes(status), `${what} is answered by ${status}`);
          note(what, status);
          if (status === 409) {
            all.splice(all.indexOf(asked), 1);
            continue;
          }
          // People know nothing of a request without a response, but count on nothing that it may have ended.
          const others = one.booked.filter((id) => id !== slot);
          one.booked =
            status === 200 && what !== 'cancel' ? [...others, to ?? slot] : what === 'book' ? one.booked : others;
          asked.isAcknowledged = status === 200;
          if (status === 200) done += 1;
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
      await untilEnough(() => done >= enough);
      await sleep(chance.below(30));
      isOn = false;
      killServer();
      await busy;
    },
    async check(last, starts) {
      await checkAppointments(last, all);
      await checkHours(host, hours);
      return { acknowledged, lost, ...(await checkMail(last, mailServer?.arrived ?? [], starts)) };
    },
  };
});

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

function draw(chance: Chance, focus: Kind, { person, booked }: Someone, open: string[]): Asked {
  const [act, free] = [chance.next(), chance.of(open)];
  const own = booked.length > 0 ? chance.of(booked) : undefined;
  const asked = { who: person.username, isAcknowledged: false };
  if (own && act < (focus === 'moves' ? 0.7 : 0.15)) return { what: 'move', slot: own, to: free, ...asked };
  const isEnd = act > (focus === 'messages' ? 0.5 : 0.85) || booked.length > 20;
  return own && isEnd ? { what: 'cancel', slot: own, ...asked } : { what: 'book', slot: free, ...asked };
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
type HoursAsked = { acknowledged: string | null; asked: string[]; many: number };

/** Sets other hours. @throws if the server is gone */
async function askForHours(host: Person, sent: HoursAsked, chance: Chance): Promise<{ status: number }> {
  sent.many += 1;
  const notes = `Hours ${sent.many}`;
  sent.asked.push(notes);
  const end = `${14 + chance.below(8)}:00`;
  const hours = Array.from({ length: 7 }, (_, day) => ({ day, start: '12:00', end })).filter(() => chance.is(0.8));
  const body = { hours, len: chance.of([10, 15, 30]), gap: chance.of([0, 5]), ahead: 20, notes };
  const { status, text } = await host.api('PUT', '/api/Appointment/SetHours', body);
  deepStrictEqual(status, 200, text);
  sent.acknowledged = notes;
  sent.asked = [];
  return { status };
}

/** Checks that acknowledged or later hours stand, and that exactly their slots are published. */
async function checkHours(host: Person, sent: HoursAsked): Promise<void> {
  const set = (await host.api('GET', '/api/Appointment/GetHours')).json as { notes: string } | null;
  const notes = set?.notes ?? null;
  ok([sent.acknowledged, ...sent.asked].includes(notes), `hours are ${notes}, not ${sent.acknowledged}`);
  sent.acknowledged = notes;
  sent.asked = [];
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
 * Checks that each effect has its messages, and that each arrived: once from each server that sent it. A kill between sending and
 * noting leaves a mail to the next server, so a second copy is the same mail, and each copy is one of its tries. First it lets the
 * waiting mail leave.
 */
async function checkMail(
  { d1, scheduled }: Server,
  arrived: Arrived[],
  starts: number[],
): Promise<{ mails: number; again: number }> {
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
  const { results: sent } = await d1
    .prepare("SELECT replace(id, ':', '.') AS id, tries FROM messages")
    .all<{ id: string; tries: number }>();
  // A mail is named after its message, and how often that has grown: here never.
  const ids = arrived.map(({ mail }) => /^<(.*)\.1@/.exec(mail.messageId ?? '')?.[1] ?? '');
  for (const [at, start] of starts.entries()) {
    const ofOne = ids.slice(start, starts[at + 1]);
    deepStrictEqual(new Set(ofOne).size, ofOne.length, 'a server sent a mail twice');
  }
  const copies: Counts = {};
  for (const id of ids) count(copies, id);
  deepStrictEqual(Object.keys(copies).sort(), sent.map(({ id }) => id).sort(), 'as many mails came as were written');
  const untried = sent.filter(({ id, tries }) => (copies[id] ?? 0) > tries);
  deepStrictEqual(untried, [], 'a mail came more often than it was tried');
  return { mails: sent.length, again: ids.length - sent.length };
}
