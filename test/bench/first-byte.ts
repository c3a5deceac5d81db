import { Agent, request } from 'node:http';

/** One request; `body` is sent as JSON, or as the form that it is. */
export type Asking = { method?: string; path: string; headers?: Record<string, string>; body?: unknown };

/** An answer, with the milliseconds from the request to its first byte, and to its last. */
export type Timed = { status: number; headers: Headers; text: string; firstByte: number; lastByte: number };

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks once, over a connection that is kept, and times the answer. */
export function timed(url: string, { method = 'GET', path, headers, body }: Asking): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const isForm = body instanceof URLSearchParams;
    const sent = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body);
    const kind = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const type = sent === undefined ? undefined : { 'content-type': kind };
    const began = performance.now();
    const asked = request(new URL(path, url), { method, agent, headers: { ...type, ...headers } }, (response) => {
      const firstByte = performance.now() - began;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString(),
          firstByte,
          lastByte: performance.now() - began,
        }),
      );
    });
    asked.on('error', reject);
    asked.end(sent);
  });
}
