import autocannon from 'autocannon';
import { processorTime } from './runtime-process';

/** One request; headers beside those that every one has. */
export type Ask = { method?: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: string };

/** Responses that counted; refused are those that were no success, 'see other' or 'not modified', and requests that got none. */
export type Responses = { requests: number; refused: number };

/** Why there is no figure: more than one request in a hundred was refused. Undefined where there is one. */
export const noFigure = ({ requests, refused }: Responses): string | undefined =>
  refused * 100 > requests ? `no figure: refused ${refused} of ${requests}` : undefined;

/** The result of a load: times in milliseconds, `kilobytes` (KiB) of one response with its headers. */
export type Load = Responses & {
  perSecond: number;
  p50: number;
  p99: number;
  kilobytes: number;
  /** Processor time of the server for each request, in milliseconds; null if unknown. */
  cpu: number | null;
};

type Bound = { seconds: number; requests: number };
type Door = { url: string; pid: number | null };

/**
 * Sends requests over so many open connections, one after the other on each. The time that warms up and the
 * time that counts follow without a pause, and requests pending at the end are still answered: none of
 * one measurement are left for the next.
 * @param next gives each request; called for every one
 */
export async function load(
  { url, pid }: Door,
  next: () => Ask,
  { connections, warmUp, counted }: { connections: number; warmUp: Bound; counted: Bound },
): Promise<Load> {
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { method = 'GET', path, headers = {}, body = '' } = next();
    return { ...request, method, path, headers, body };
  };
  const moment = () => ({ at: performance.now(), cpu: pid === null ? null : processorTime(pid) });
  type Moment = ReturnType<typeof moment>;
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
        // It checks at this interval whether it has stopped.
        sampleInt: 50,
        requests: [{ setupRequest }],
      },
      (error) => (error ? reject(error) : resolve()),
    );
    running.on('response', (client, status, size, milliseconds) => {
      if (!start) {
        warmed += 1;
        if (warmed >= warmUp.requests || performance.now() - began >= warmUp.seconds * 1000) start = moment();
        return;
      }
      if (!end) {
        times.push(milliseconds);
        bytes += size;
        if ((status < 200 || status > 299) && status !== 303 && status !== 304) refused += 1;
        if (times.length < counted.requests && performance.now() - start.at < counted.seconds * 1000) return;
        end = moment();
      }
      // The only way to end a connection after its response.
      (client as unknown as { responseMax: number }).responseMax = 1;
    });
    running.on('reqError', () => {
      refused += 1;
    });
  });
  if (!start || !end) throw new Error('The load ended before its time.');

  times.sort((one, other) => one - other);
  const requests = times.length;
  return {
    requests,
    perSecond: (requests * 1000) / (end.at - start.at),
    p50: times[Math.floor(requests * 0.5)] ?? 0,
    p99: times[Math.floor(requests * 0.99)] ?? 0,
    refused,
    kilobytes: bytes / 1024 / requests,
    cpu: start.cpu === null || end.cpu === null ? null : (end.cpu - start.cpu) / requests,
  };
}
