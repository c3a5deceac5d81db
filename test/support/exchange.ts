import { type Agent, request } from 'node:http';

/** A response, with the milliseconds from the request to its first byte, and to its last. */
export type Received = {
  status: number;
  headers: Headers;
  setCookies: string[];
  text: string;
  firstByte: number;
  lastByte: number;
};

type Asked = {
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer | undefined;
  /** Keeps a connection; without one each request has its own. */
  agent?: Agent;
  /** In milliseconds: after this no response will come. */
  patience: number;
};

/** Sends a request; a path that is given apart from its host is sent as it is. @throws Error without a response */
export function exchange(to: URL | { hostname: string; port: string; path: string }, asked: Asked): Promise<Received> {
  const { method, headers, body, agent = false, patience } = asked;
  const { hostname, port } = to;
  const path = to instanceof URL ? to.pathname + to.search : to.path;
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const call = request({ hostname, port, path, method, headers, agent }, (response) => {
      const firstByte = performance.now() - began;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const all = Object.entries(response.headersDistinct);
        const pairs = all.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          setCookies: response.headers['set-cookie'] ?? [],
          text: Buffer.concat(chunks).toString('utf8'),
          firstByte,
          lastByte: performance.now() - began,
        });
      });
    });
    call.once('error', reject);
    call.setTimeout(patience, () => call.destroy(new Error(`${method} ${path} is not answered.`)));
    call.end(body);
  });
}
