import { setTimeout as pause } from 'node:timers/promises';
import { timed } from './first-byte';
import { nameOf } from './rows';
import { processorTime } from './runtime-process';
import { findTargets, logIn } from './scenarios';
import { known, moduleBefore, type Say, serving } from './served';
import { cookieOf, type Subject, subjectsOf } from './subjects';
import { number, table } from './table';
import { withCopy } from './world-folder';

/* Processor time of the first request of each screen in a fresh process, and of those after it. */

const slots = 1000;
/** Requests after the first, the last of which counts as warm. */
const after = 5;
/** Processor time that a request may take on the free plan, in milliseconds. */
const limit = 10;

/** Milliseconds of processor time: of the process until it is ready, of the first request, the second, and the last. */
type Row = { what: string; reader: string; start: number; first: number; second: number; last: number };

/** The processor time so far, once the process has nothing more to do. */
async function atRest(pid: number): Promise<number> {
  for (let before = processorTime(pid); ; ) {
    await pause(60);
    const now = processorTime(pid);
    if (now - before < 0.5) return now;
    before = now;
  }
}

/** Measures each screen for the reader who sees most of it, each in a process of its own, and prints the table. */
export async function measureCold(say: Say, only = ''): Promise<boolean> {
  return withCopy(slots, 'cold', say, async (dataDir) => {
    const { sessions, targets } = await serving(dataDir, {}, async ({ d1, url }) => {
      const sessions = await logIn(url, 0);
      return { sessions, targets: await findTargets(d1, url, sessions, Date.now()) };
    });
    const yardstick: Subject = { path: '/-/read', reader: 'stranger' };
    const screens = new Map(
      subjectsOf(targets)
        .filter(({ path }) => path.includes(only))
        .map((subject) => [subject.path, subject]),
    );
    const rows: Row[] = [];
    for (const { path, reader } of [yardstick, ...screens.values()]) {
      await serving(dataDir, { before: moduleBefore('apart') }, async (server) => {
        const pid = known(server.pid);
        const headers = cookieOf(sessions, reader);
        const start = await atRest(pid);
        await timed(server.url, { path: '/-/database' });
        const cost = async () => {
          const began = await atRest(pid);
          const { status } = await timed(server.url, { path, headers });
          if (status !== 200) throw new Error(`${path} was answered ${status} as ${reader}.`);
          return (await atRest(pid)) - began;
        };
        const costs: number[] = [];
        while (costs.length <= after) costs.push(await cost());
        const [first = 0, second = 0] = costs;
        rows.push({ what: nameOf(path), reader, start, first, second, last: costs.at(-1) ?? 0 });
      });
    }
    const cells = rows.map((row) => [
      row.what,
      row.reader,
      ...[row.first, row.second, row.last, row.start].map((time) => number(time)),
    ]);
    for (const line of table(['CPU ms of', 'reader', 'first', 'second', `${after + 1}th`, 'start'], cells)) say(line);
    const [bare, ...asked] = rows;
    const mean = (of: keyof Row) => number(asked.reduce((sum, row) => sum + Number(row[of]), 0) / asked.length);
    say(`In the mean: first ${mean('first')}, second ${mean('second')}, start ${mean('start')} ms.`);
    const own = asked.map(({ first }) => first - (bare?.first ?? 0));
    const count = (all: number[]) => `${all.filter((time) => time > limit).length} of ${all.length}`;
    say(
      `${count(asked.map(({ first }) => first))} take more than ${limit} ms at first, D1 and the local server included.`,
    );
    say(`Beside what ${yardstick.path} takes, one row read and no code of ours: ${count(own)}.`);
    return true;
  });
}
