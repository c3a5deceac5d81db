import { startServer } from '../../app/local/server';
import { type Cost, costOfEveryAnswer } from './every-answer';
import { load } from './load';
import type { Measured } from './report';
import { type Memory, memoryOf, readMeter, withRuntime } from './runtime-process';
import { findTargets, logIn, makeFeed, type Scenario, scenariosOf } from './scenarios';
import { worldOf } from './world-plan';
import { startYardsticks } from './yardsticks';

type Wanted = {
  slots: number;
  /** How long each row is measured. */
  seconds: number;
  /** Data folders of the same world, one for each server. */
  folders: { product: string; yardsticks: string };
  /** Rows of the product whose name has this in it. */
  only: string;
  /** Whether to make the table of every screen and call. */
  withCosts: boolean;
  say: (line: string) => void;
};

type Door = { url: string; pid: number | null };

const all = [1, 10, 50];
const yardstick = (name: string, path: string, method: 'GET' | 'POST' = 'GET'): Scenario => ({
  name,
  connections: all,
  next: () => ({ path, method }),
});

/** Each before the rows that are held against it, so that both are measured within seconds. */
const yardsticksBefore: Record<string, Scenario[]> = {
  'slot list': [yardstick('bare read', '/read'), yardstick('bare Remix', '/remix')],
  'provider page, kept': [yardstick('bare answer', '/none')],
  Book: [yardstick('bare write', '/write', 'POST')],
};

/** One row, after as long a time of the same as the code needs to be compiled. */
async function measure({ url, pid }: Door, { name, next, most }: Scenario, wanted: Wanted, connections: number) {
  const { slots, seconds } = wanted;
  const requests = most ?? Number.POSITIVE_INFINITY;
  const loaded = await load(url, next, {
    connections,
    warmUp: { seconds: Math.min(1, seconds / 2), requests: Math.ceil(requests / 3) },
    counted: { seconds, requests: Math.ceil(requests / 2) },
    meter: () => readMeter(pid),
  });
  return { slots, name, connections, ...loaded } satisfies Measured;
}

/** Every row of one size of the world. */
export async function measureSize(wanted: Wanted): Promise<{ rows: Measured[]; costs: Cost[]; memory: Memory | null }> {
  const { slots, folders, only, say } = wanted;
  const yardsticks = await startYardsticks(folders.yardsticks);
  try {
    const log = ({ level, message }: { level: string; message: string }) => {
      if (level === 'error') say(message);
    };
    const server = await withRuntime(() => startServer({ dataDir: folders.product, vars: { RATE_LIMIT: 'off' }, log }));
    try {
      const sessions = await logIn(server.url);
      const found = await findTargets(server.d1, server.url, sessions, Date.now());
      const targets = { ...found, feed: await makeFeed(server.url, sessions) };
      const scenarios = scenariosOf(worldOf(slots), targets, sessions).filter(({ name }) => name.includes(only));
      const rows: Measured[] = [];
      for (const connections of all) {
        for (const scenario of scenarios) {
          const planned = [
            ...(yardsticksBefore[scenario.name] ?? []).map((one) => [yardsticks, one] as const),
            [server, scenario] as const,
          ];
          for (const [door, one] of planned) {
            if (!one.connections.includes(connections)) continue;
            const row = await measure(door, one, wanted, connections);
            say(`${slots} slots, ${connections} connections, ${row.name}: ${row.perSecond.toFixed(0)} requests/s`);
            rows.push(row);
          }
        }
      }
      const memory = memoryOf(server.pid);
      const costs = wanted.withCosts ? await costOfEveryAnswer(server, targets, sessions) : [];
      return { rows, costs, memory };
    } finally {
      await server.stop();
    }
  } finally {
    await yardsticks.stop();
  }
}
