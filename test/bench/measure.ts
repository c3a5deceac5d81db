import type { Reader } from '../support/every-route';
import { load } from './load';
import type { Measured } from './report';
import { type Reading, rowsOfEveryAnswer } from './rows';
import { memoryOf } from './runtime-process';
import { findTargets, logIn, scenariosOf } from './scenarios';
import { type Say, serving, yardsticks } from './served';
import { checkSubjects, cookieOf, subjectsOf } from './subjects';
import { withCopy } from './world-folder';
import type { WorldSize } from './world-plan';
import { costOfWrites, type Writing } from './writes';

type Wanted = {
  size: WorldSize;
  /** For each row. */
  seconds: number;
  /** Rows of the product whose name has this in it. */
  only: string;
  /** The clients who share the bookings and answers. */
  crowd: number;
  /** Requests of each screen and call, to compile the code and then counted; undefined without that table. */
  costs: { warmUp: number; counted: number } | undefined;
  say: Say;
};

/** The processor time of the whole server process for one answer, and its duration, in milliseconds. */
export type Cost = { path: string; reader: Reader; cpu: number | null; took: number; kilobytes: number };

/** Every row of one size of the world, and the processor time of every screen and every GET call. @throws Error for a refusal */
export async function measureSize(
  dataDir: string,
  { size, seconds, only, crowd, costs: times, say }: Wanted,
): Promise<{ rows: Measured[]; costs: Cost[]; memory: number | null }> {
  const log = ({ level, message }: { level: string; message: string }) => {
    if (level === 'error') say(message);
  };
  return serving(dataDir, { log, before: yardsticks() }, async (server) => {
    await server.d1.prepare('CREATE TABLE bench_rows (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID').run();
    const sessions = await logIn(server.url, crowd);
    const targets = await findTargets(server.d1, server.url, sessions, Date.now());
    const subjects = subjectsOf(targets);
    await checkSubjects(server.url, subjects, sessions);
    const wanted = scenariosOf(size, targets, sessions, server.secrets).filter(
      ({ name }) => name.includes(only) || name.startsWith('bare '),
    );
    const rows: Measured[] = [];
    for (const connections of [1, 10, 50]) {
      for (const { name, next, most = Number.POSITIVE_INFINITY } of wanted.filter(
        (one) => connections <= one.mostAtOnce,
      )) {
        const row = await load(server, next, {
          connections,
          warmUp: { seconds: Math.min(1, seconds / 2), requests: Math.ceil(most / 3) },
          counted: { seconds, requests: Math.ceil(most / 2) },
        });
        say(`${size.slots} slots, ${connections} connections, ${name}: ${row.perSecond.toFixed(0)} requests/s`);
        rows.push({ slots: size.slots, name, connections, ...row });
      }
    }
    const memory = server.pid === null ? null : memoryOf(server.pid).now;
    const costs: Cost[] = [];
    for (const { path, reader } of times ? subjects : []) {
      const next = () => ({ path, headers: cookieOf(sessions, reader) });
      const { requests, refused, p50, kilobytes, cpu } = await load(server, next, {
        connections: 2,
        warmUp: { seconds: 60, requests: times?.warmUp ?? 0 },
        counted: { seconds: 60, requests: times?.counted ?? 0 },
      });
      if (refused > 0) throw new Error(`${path} refused ${refused} of ${requests} as ${reader}.`);
      costs.push({ path, reader, cpu, took: p50, kilobytes });
    }
    return { rows, costs, memory };
  });
}

/** The rows of all answers and writes in a world of so many slots. */
export type Counts = { slots: number; reads: Reading[]; writes: Writing[] };

/** Counts once over, on a copy of the kept world. */
export async function countSize(size: WorldSize, say: Say): Promise<Counts> {
  const now = Date.now();
  return withCopy(size, 'counts', say, (dataDir) =>
    serving(dataDir, { vars: { TIMING: 'on' } }, async ({ d1, url }) => {
      const sessions = await logIn(url, 0);
      const targets = await findTargets(d1, url, sessions, now);
      const reads = await rowsOfEveryAnswer(url, targets, sessions);
      const writes = await costOfWrites(url, { size, sessions, now });
      return { slots: size.slots, reads, writes };
    }),
  );
}
