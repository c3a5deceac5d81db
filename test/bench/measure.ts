import type { Reader } from '../support/every-route';
import { recordBooking, shareSessions } from './bare-booking';
import { type Ask, load } from './load';
import type { Measured } from './report';
import { type Memory, memoryOf, readMeter } from './runtime-process';
import { findTargets, logIn, makeFeed, type Scenario, type Sessions, scenariosOf } from './scenarios';
import { type Say, serving } from './served';
import { checkSubjects, cookieOf, type Subject, subjectsOf } from './subjects';
import type { WorldSize } from './world-plan';
import { startYardsticks } from './yardsticks';

type Wanted = {
  size: WorldSize;
  /** For each row. */
  seconds: number;
  /** Data folders of the same world, one for each server. */
  folders: { product: string; yardsticks: string };
  /** Rows of the product whose name has this in it. */
  only: string;
  /** The clients who share the bookings and answers. */
  crowd: number;
  /** Requests of each screen and call; undefined without that table. */
  costs: Times | undefined;
  say: Say;
};

type Door = { url: string; pid: number | null };

const all = [1, 10, 50];
const yardstick = (name: string, path: string, method: 'GET' | 'POST' = 'GET'): Scenario => ({
  name,
  connections: all,
  next: () => ({ path, method }),
});

/** Measured right before the rows that are compared with them. */
const yardsticksBefore = (bareBooking: Scenario): Record<string, Scenario[]> => ({
  'slot list': [yardstick('bare read', '/read'), yardstick('bare Remix', '/remix')],
  'provider page, kept': [yardstick('bare answer', '/none')],
  Book: [yardstick('bare write', '/write', 'POST'), bareBooking],
});

/** Measures one row, after a warm-up that compiles its code. */
async function measure({ url, pid }: Door, { name, next, most }: Scenario, wanted: Wanted, connections: number) {
  const { seconds } = wanted;
  const requests = most ?? Number.POSITIVE_INFINITY;
  const loaded = await load(url, next, {
    connections,
    warmUp: { seconds: Math.min(1, seconds / 2), requests: Math.ceil(requests / 3) },
    counted: { seconds, requests: Math.ceil(requests / 2) },
    meter: () => readMeter(pid),
  });
  return { slots: wanted.size.slots, name, connections, ...loaded } satisfies Measured;
}

/** Every row of one size of the world. */
export async function measureSize(wanted: Wanted): Promise<{ rows: Measured[]; costs: Cost[]; memory: Memory | null }> {
  const { size, folders, only, say } = wanted;
  const yardsticks = await startYardsticks(folders.yardsticks, await recordBooking(folders.product));
  try {
    const log = ({ level, message }: { level: string; message: string }) => {
      if (level === 'error') say(message);
    };
    return await serving(folders.product, { log }, async (server) => {
      const sessions = await logIn(server.url, wanted.crowd);
      const found = await findTargets(server.d1, server.url, sessions, Date.now());
      const targets = { ...found, feed: await makeFeed(server.url, sessions) };
      const subjects = subjectsOf(targets);
      await checkSubjects(server.url, subjects, sessions);
      const bookingOf = await shareSessions(server.d1, yardsticks.d1);
      const { bookable } = targets;
      let booked = 0;
      const bareBooking: Scenario = {
        name: 'bare booking',
        connections: all,
        most: Math.floor(bookable.length / all.length),
        next: () => {
          booked += 1;
          return bookingOf(bookable[booked % bookable.length]?.id ?? '', booked);
        },
      };
      const first = bareBooking.next();
      const booking = await fetch(yardsticks.url + first.path, { method: 'PUT' });
      const booker = /account=([\w-]+)/.exec(first.path)?.[1];
      if (!booker || !(await booking.text()).includes(booker)) throw new Error('The bare booking books nothing.');
      const before = yardsticksBefore(bareBooking);
      const scenarios = scenariosOf(size, targets, sessions, server.secrets).filter(({ name }) => name.includes(only));
      const rows: Measured[] = [];
      for (const connections of all) {
        for (const scenario of scenarios) {
          const planned = [
            ...(before[scenario.name] ?? []).map((one) => [yardsticks, one] as const),
            [server, scenario] as const,
          ];
          for (const [door, one] of planned) {
            if (!one.connections.includes(connections)) continue;
            const row = await measure(door, one, wanted, connections);
            say(`${size.slots} slots, ${connections} connections, ${row.name}: ${row.perSecond.toFixed(0)} requests/s`);
            rows.push(row);
          }
        }
      }
      const memory = memoryOf(server.pid);
      const costs = wanted.costs ? await costOfEveryAnswer(server, subjects, sessions, wanted.costs) : [];
      return { rows, costs, memory };
    });
  } finally {
    await yardsticks.stop();
  }
}

/** The processor time of the whole server process for one answer, and its duration, in milliseconds. */
export type Cost = { path: string; reader: Reader; cpu: number | null; took: number; kilobytes: number };

/** In seconds, for one answer of a table. */
const longest = 60;

/** Requests of each: first to compile the code, then counted ones. */
type Times = { warmUp: number; counted: number };

/**
 * The processor time of every screen and every GET call, one after the other.
 * @throws Error if somebody is refused what they may see
 */
async function costOfEveryAnswer(
  { url, pid }: { url: string; pid: number | null },
  subjects: Subject[],
  sessions: Sessions,
  times: Times,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const { path, reader } of subjects) {
    const next = (): Ask => ({ path, headers: cookieOf(sessions, reader) });
    const { requests, refused, p50, kilobytes, cpu } = await load(url, next, {
      connections: 2,
      warmUp: { seconds: longest, requests: times.warmUp },
      counted: { seconds: longest, requests: times.counted },
      meter: () => readMeter(pid),
    });
    if (refused > 0) throw new Error(`${path} refused ${refused} of ${requests} as ${reader}.`);
    costs.push({ path, reader, cpu, took: p50, kilobytes });
  }
  return costs;
}
