import { cpus } from 'node:os';
import autocannon from 'autocannon';
import type { Reading } from './runtime-process';

/** One request; headers beside those that every one has. */
export type Ask = { method?: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: string };

/** The result of a load: times in milliseconds, `kilobytes` (KiB) of one answer with its headers. */
export type Load = {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that were no success, 'see other' or 'not modified', and requests that got none. */
  refused: number;
  kilobytes: number;
  /** Processor time of the server for each request, in milliseconds; null if unknown. */
  cpu: number | null;
  /** The share of the machine that others used meanwhile, from 0 to 1; null if unknown. */
  others: number | null;
};

/** The time and the most requests, to warm up and then counted. */
type Bounds = {
  connections: number;
  warmUp: { seconds: number; requests: number };
  counted: { seconds: number; requests: number };
  meter: () => Reading | null;
};

/** The generator checks at this interval whether it has stopped, in milliseconds. */
const look = 50;

/**
 * Sends requests over so many open connections, one after the other on each. The time that warms up and the
 * time that counts follow without a pause, and requests under way at the end are still answered: none of
 * one measurement are left for the next.
 * @param next gives each request; called for every one
 */
export async function load(url: string, next: () => Ask, bounds: Bounds): Promise<Load> {
  const { warmUp, counted, meter, connections } = bounds;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { method = 'GET', path, headers = {}, body = '' } = next();
    return { ...request, method, path, headers, body };
  };
  const times: number[] = [];
  let [bytes, refused, warmed] = [0, 0, 0];
  const began = performance.now();
  let start: Moment | undefined;
  let end: Moment | undefined;

  await new Promise<void>((resolve, reject) => {
    const running = autocannon(
      {
        url,
        connections,
        amount: Number.MAX_SAFE_INTEGER,
        timeout: 30,
        bailout: 50,
        sampleInt: look,
        requests: [{ setupRequest }],
      },
      (error) => (error ? reject(error) : resolve()),
    );
    running.on('response', (client, status, size, milliseconds) => {
      const now = performance.now();
      if (!start) {
        warmed += 1;
        if (warmed < warmUp.requests && now - began < warmUp.seconds * 1000) return;
        start = { at: now, meter: meter() };
        return;
      }
      if (!end) {
        times.push(milliseconds);
        bytes += size;
        if ((status < 200 || status > 299) && status !== 303 && status !== 304) refused += 1;
        if (times.length < counted.requests && now - start.at < counted.seconds * 1000) return;
        end = { at: now, meter: meter() };
      }
      // The only way to end a connection after its answer.
      (client as unknown as { responseMax: number }).responseMax = 1;
    });
    running.on('reqError', () => {
      refused += 1;
    });
  });
  if (!start || !end) throw new Error('The load ended before its time.');

  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / (end.at - start.at),
    p50: at(0.5),
    p99: at(0.99),
    refused,
    kilobytes: bytes / 1024 / times.length,
    ...spent(start, end, times.length),
  };
}

type Moment = { at: number; meter: Reading | null };

/** What was used between two moments. */
function spent(start: Moment, end: Moment, requests: number): Pick<Load, 'cpu' | 'others'> {
  if (!start.meter || !end.meter) return { cpu: null, others: null };
  const server = end.meter.server - start.meter.server;
  const ours = server + end.meter.own - start.meter.own;
  const machine = end.meter.machine - start.meter.machine;
  const available = (end.at - start.at) * cpus().length;
  return { cpu: server / requests, others: Math.max(0, (machine - ours) / available) };
}
