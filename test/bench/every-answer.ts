import type { Reader } from '../support/every-route';
import { type Ask, load } from './load';
import { readMeter } from './runtime-process';
import type { Sessions } from './scenarios';
import { cookieOf, type Subject } from './subjects';

/** The processor time of the whole server process for one answer, and its duration, in milliseconds. */
export type Cost = { path: string; reader: Reader; cpu: number | null; took: number; kilobytes: number };

const connections = 2;
/** In seconds, for one answer. */
const most = 60;

/** Requests of each: first to compile the code, then counted ones. */
export type Times = { warmUp: number; counted: number };

/**
 * The processor time of every screen and every GET call, one after the other.
 * @throws Error if somebody is refused what they may see
 */
export async function costOfEveryAnswer(
  { url, pid }: { url: string; pid: number | null },
  subjects: Subject[],
  sessions: Sessions,
  times: Times,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const { path, reader } of subjects) {
    const next = (): Ask => ({ path, headers: cookieOf(sessions, reader) });
    const { requests, refused, p50, kilobytes, cpu } = await load(url, next, {
      connections,
      warmUp: { seconds: most, requests: times.warmUp },
      counted: { seconds: most, requests: times.counted },
      meter: () => readMeter(pid),
    });
    if (refused > 0) throw new Error(`${path} refused ${refused} of ${requests} as ${reader}.`);
    costs.push({ path, reader, cpu, took: p50, kilobytes });
  }
  return costs;
}
