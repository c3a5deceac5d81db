import type { Reader } from '../support/every-route';
import { load, noFigure, type Responses } from './load';
import { connectionsOf, loadsWith, mostRequestsOf, neededFor, warmUpOf } from './loads';
import type { Measured } from './report';
import { type Reading, rowsOfEveryResponse } from './rows';
import { memoryOf } from './runtime-process';
import { findTargets, freeTimes, logIn, scenariosOf } from './scenarios';
import { type Say, serving, yardsticks } from './served';
import { checkSubjects, cookieOf, subjectsOf } from './subjects';
import { number } from './table';
import { addStock } from './world';
import { withCopy } from './world-folder';
import type { WorldSize } from './world-plan';
import { costOfWrites, type Writing } from './writes';

/** The processor time of the whole server process for one response, and its duration, in milliseconds. */
export type Cost = { path: string; reader: Reader; cpu: number | null; took: number; kilobytes: number } & Responses;

const errorsOnly =
  (say: Say) =>
  ({ level, message }: { level: string; message: string }) => {
    if (level === 'error') say(message);
  };

type LoadOptions = {
  size: WorldSize;
  /** For each row. */
  seconds: number;
  /** Rows of the product whose name has this in it. */
  only: string;
  /** The clients who share the bookings and replies. */
  crowd: number;
  say: Say;
};

/** Every row of the load in one world, which gets as many free times and parties as the load may use up. */
export async function measureLoad(
  dataDir: string,
  { size, seconds, only, crowd, say }: LoadOptions,
): Promise<{ rows: Measured[]; memory: number | null }> {
  return serving(dataDir, { log: errorsOnly(say), before: yardsticks() }, async (server) => {
    const now = Date.now();
    await server.d1.prepare('CREATE TABLE bench_rows (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID').run();
    const sessions = await logIn(server.url, crowd);
    const targets = await findTargets(server.d1, server.url, sessions, now);
    const names = loadsWith(only);
    const needed = neededFor('times', names, seconds);
    const parties = Math.max(size.openParties, Math.ceil(neededFor('replies', names, seconds) / crowd));
    say(`Making room for ${needed.toLocaleString('en')} bookings …`);
    await addStock(server.d1, { size, now, times: needed, parties });
    const stock = { times: await freeTimes(server.d1, now, needed), parties };
    const scenarios = scenariosOf(size, targets, stock, sessions, server.secrets);
    const rows: Measured[] = [];
    const measurements = [1, 10, 50].flatMap((connections) =>
      names.filter((name) => connectionsOf(name).includes(connections)).map((name) => ({ name, connections })),
    );
    for (const [place, { name, connections }] of measurements.entries()) {
      const most = mostRequestsOf(name, seconds);
      const row = await load(server, scenarios[name], {
        connections,
        warmUp: { seconds: warmUpOf(seconds), requests: most.warmUp },
        counted: { seconds, requests: most.counted },
      });
      const figure = noFigure(row) ?? `${row.perSecond.toFixed(0)} requests/s`;
      const at = `${size.slots.toLocaleString('en')} slots, ${connections} connections`;
      say(`${place + 1} of ${measurements.length}: ${at}, ${name}: ${figure}`);
      rows.push({ slots: size.slots, name, connections, ...row });
    }
    return { rows, memory: server.pid === null ? null : memoryOf(server.pid).now };
  });
}

/**
 * The processor time of every screen and every GET call, for each who may see it.
 * @param times requests of each, to compile the code and then counted
 * @throws Error that names everything which somebody was refused
 */
export async function measureScreens(
  dataDir: string,
  { times, say }: { times: { warmUp: number; counted: number }; say: Say },
): Promise<Cost[]> {
  return serving(dataDir, { log: errorsOnly(say) }, async (server) => {
    const sessions = await logIn(server.url, 0);
    const subjects = subjectsOf(await findTargets(server.d1, server.url, sessions, Date.now()));
    await checkSubjects(server.url, subjects, sessions);
    const costs: Cost[] = [];
    for (const [place, { path, reader }] of subjects.entries()) {
      const next = () => ({ path, headers: cookieOf(sessions, reader) });
      const { requests, refused, p50, kilobytes, cpu } = await load(server, next, {
        connections: 2,
        warmUp: { seconds: 60, requests: times.warmUp },
        counted: { seconds: 60, requests: times.counted },
      });
      const figure = noFigure({ requests, refused }) ?? `${number(cpu, 2)} ms`;
      say(`${place + 1} of ${subjects.length}: ${path} as ${reader}: ${figure}`);
      costs.push({ path, reader, cpu, took: p50, kilobytes, requests, refused });
    }
    return costs;
  });
}

/** The rows of all responses and writes in a world of so many slots. */
export type Counts = { slots: number; reads: Reading[]; writes: Writing[] };

/** Counts once over, on a copy of the kept world. */
export async function countSize(size: WorldSize, say: Say): Promise<Counts> {
  const now = Date.now();
  return withCopy(size, 'counts', say, (dataDir) =>
    serving(dataDir, { vars: { TIMING: 'on' } }, async ({ d1, url }) => {
      say(`Counting rows at ${size.slots.toLocaleString('en')} slots …`);
      const sessions = await logIn(url, 0);
      const targets = await findTargets(d1, url, sessions, now);
      const reads = await rowsOfEveryResponse(url, targets, sessions);
      const writes = await costOfWrites(url, { size, sessions, now });
      return { slots: size.slots, reads, writes };
    }),
  );
}
