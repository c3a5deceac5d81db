import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { D1 } from '../../app/local/d1';
import { nameOf } from './rows';
import { memoryOf, processorTime } from './runtime-process';
import { findTargets, logIn, type Targets } from './scenarios';
import { known, type Say, serving, timed, yardsticks } from './served';
import { cookieOf, type Subject, subjectsOf } from './subjects';
import { number, table } from './table';
import { withCopy } from './world-folder';
import { consumerId, idOf, providerId, worldOf } from './world-plan';

/*
 * What responses take in a process of their own: the first ones of each screen, and the largest. Figures are the whole process's, with D1 in
 * it: the Worker's own part is less.
 */

const slots = 1000;

/** Requests after the first, the last of which counts as warm. */
const after = 5;
/** Processor time that a request may take on the free plan, in milliseconds. */
const limit = 10;

/** The processor time so far, once the process has nothing more to do. */
async function atRest(pid: number): Promise<number> {
  for (let before = processorTime(pid); ; ) {
    await pause(60);
    const now = processorTime(pid);
    if (now - before < 0.5) return now;
    before = now;
  }
}

const yardstick: Subject = { path: '/-/read', reader: 'stranger' };

/** Each address once, for the reader who sees most of it, after the yardstick. */
export const coldSubjects = (targets: Targets, only: string): Map<string, Subject> =>
  new Map(
    [yardstick, ...subjectsOf(targets).filter(({ path }) => path.includes(only))].map((subject) => [
      subject.path,
      subject,
    ]),
  );

/** Measures each screen for the reader who sees most of it, and prints the table. */
export async function measureCold(say: Say, only = ''): Promise<boolean> {
  return withCopy(slots, 'cold', say, async (dataDir) => {
    const { sessions, targets } = await serving(dataDir, {}, async ({ d1, url }) => {
      const sessions = await logIn(url, 0);
      return { sessions, targets: await findTargets(d1, url, sessions, Date.now()) };
    });
    const screens = coldSubjects(targets, only);
    const rows: { name: string[]; times: number[] }[] = [];
    for (const { path, reader } of screens.values()) {
      await serving(dataDir, { before: yardsticks() }, async (server) => {
        const pid = known(server.pid);
        const start = await atRest(pid);
        // Opens D1, so that the processor time of the next request is that of the Worker.
        await timed(server.url, '/-/database');
        const costs: number[] = [];
        while (costs.length <= after) {
          const began = await atRest(pid);
          const { status } = await timed(server.url, path, cookieOf(sessions, reader));
          if (status !== 200) throw new Error(`${path} was answered ${status} as ${reader}.`);
          costs.push((await atRest(pid)) - began);
        }
        const [first = 0, second = 0] = costs;
        rows.push({ name: [nameOf(path), reader], times: [first, second, costs.at(-1) ?? 0, start] });
        say(`${rows.length} of ${screens.size}: ${path} as ${reader}: ${number(first)} ms, then ${number(second)}`);
      });
    }
    const [bare, ...own] = rows;
    const mean = [0, 1, 2, 3].map((place) => own.reduce((sum, { times }) => sum + (times[place] ?? 0), 0) / own.length);
    const cells = [...rows, { name: ['mean of all but the first', ''], times: mean }].map(({ name, times }) => [
      ...name,
      ...times.map((time) => number(time)),
    ]);
    for (const line of table(['CPU ms of', 'reader', 'first', 'second', `${after + 1}th`, 'start'], cells)) say(line);
    const over = (free: number) => own.filter(({ times: [first = 0] }) => first - free > limit).length;
    say(`${over(0)} of ${own.length} take more than ${limit} ms at first, D1 and the local server included.`);
    say(`Beside what ${yardstick.path} takes, one row read and no code of ours: ${over(bare?.times[0] ?? 0)}.`);
    return true;
  });
}

/** A party's guests, and the characters of each one's answers; the limit is 50 questions of 2,000. */
const [guests, characters] = [500, 20_000];
/** In MiB, for one response. */
const mostMemory = 64;

/** Makes the party of the rich provider. @returns its id */
async function makeLarge(d1: D1, now: number): Promise<string> {
  const party = idOf('party', 1e6);
  const event =
    d1.prepare(`INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, created_at)
    VALUES (?1, 'party', ?2, 'A large one', ?3, ?3 + 7200000, '2031-01-01', 'UTC', ?4)`);
  await event.bind(party, providerId(0), now + 90 * 86_400_000, now).run();
  const insert = d1.prepare(
    `INSERT INTO invitations (id, party_id, account_id, name, name_sort_key, invitee, accepted, rsvp_at, created_at, answers,
       party_starts_at)
     SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 2, value ->> 1, 1, ?2, 1, ?3, (SELECT starts_at FROM parties WHERE id = ?1)
     FROM json_each(?4)`,
  );
  const long = Array.from({ length: 10 }, (_, nth) => ({
    question: `Question ${nth}?`,
    answer: 'word '.repeat(characters / 50),
  }));
  const rows = Array.from({ length: guests }, (_, nth) => [
    idOf('invitation', 1e8 + nth),
    consumerId(worldOf(slots), 1000 + nth),
    `Guest ${nth}`,
  ]);
  await insert.bind(party, now, JSON.stringify(long), JSON.stringify(rows)).run();
  return party;
}

/** Measures each response, and prints the table. @returns true if none takes too much memory */
export async function measureLarge(say: Say): Promise<boolean> {
  return withCopy(slots, 'large', say, async (dataDir) => {
    const { provider, party } = await serving(dataDir, {}, async ({ d1, url }) => {
      const { provider } = await logIn(url, 0);
      return { provider, party: await makeLarge(d1, Date.now()) };
    });
    const paths = {
      'guests.csv': `/view-party/${party}/guests.csv`,
      'the party': `/view-party/${party}`,
      GetMy: '/api/Party/GetMy',
      GetAll: '/api/Party/GetAll',
      'the export': '/your-data/daybook.json',
    };
    const cells: string[][] = [];
    let isBounded = true;
    for (const [what, path] of Object.entries(paths)) {
      say(`Asking for ${what} …`);
      await serving(dataDir, {}, async (server) => {
        const pid = known(server.pid);
        const headers = { cookie: provider };
        for (let times = 0; times < 3; times += 1) await timed(server.url, '/people', headers);
        // The peak is measured from here.
        writeFileSync(`/proc/${pid}/clear_refs`, '5');
        const [before, cpu] = [memoryOf(pid).now, processorTime(pid)];
        const response = await timed(server.url, path, headers);
        const taken = memoryOf(pid).most - before;
        if (taken > mostMemory) isBounded = false;
        const times = [response.firstByte, response.lastByte, processorTime(pid) - cpu];
        const mebibytes = number(response.text.length / 1024 / 1024, 2);
        cells.push([what, String(response.status), mebibytes, ...[taken, ...times].map((one) => number(one, 0))]);
      });
    }
    const head = ['response', 'status', 'MiB', 'memory MiB', 'first byte ms', 'last byte ms', 'CPU ms'];
    say(`A party of ${guests} guests with ${characters} characters each:`);
    for (const line of table(head, cells)) say(line);
    return isBounded;
  });
}
