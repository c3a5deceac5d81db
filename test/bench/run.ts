import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server';
import { visitor } from '../support/visit';

/*
 * How fast the served product is on this machine, with the load beside it on the same processors: compare figures of one
 * machine, not of two. Bounded: each row lasts `seconds`, and all traffic stays on this machine.
 */

const seconds = 3;
const connections = [1, 10, 50];

type Ask = { method?: string; path: string; cookie?: string };
type Row = { what: string; connections: number; perSecond: number; p50: number; p99: number; refused: number };

function ask(port: number, agent: Agent, { method = 'GET', path, cookie }: Ask): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', method, path, agent, headers: cookie ? { cookie } : {} },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    call.on('error', reject);
    call.end();
  });
}

/** Asks the same over so many connections, one request after the other on each. `next` gives undefined when used up. */
async function measure(port: number, what: string, count: number, next: () => Ask | undefined): Promise<Row> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const times: number[] = [];
  let refused = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const one = async () => {
    for (let asked = next(); asked && performance.now() < end; asked = next()) {
      const before = performance.now();
      const status = await ask(port, agent, asked);
      times.push(performance.now() - before);
      if (status >= 400) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: count }, one));
  const elapsed = (performance.now() - began) / 1000;
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
  return {
    what,
    connections: count,
    perSecond: Math.round(times.length / elapsed),
    p50: at(0.5),
    p99: at(0.99),
    refused,
  };
}

const dataDir = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const server = await startServer({ dataDir, seed: true, vars: { RATE_LIMIT: 'off' } });
try {
  const maya = visitor(server.url);
  await maya.api('POST', '/api/Account/Login', { username: 'maya', password: 'Welcome1' });
  const cookie = maya.cookies.header('/');
  const dates = (await maya.api('GET', '/api/Appointment/GetDates?provider=maple.dental')).json as string[];
  const days = dates
    .slice(1, 4)
    .map((date) => `&dates=${date}`)
    .join('');
  const open = async (page: number) =>
    (await maya.api('GET', `/api/Appointment/GetPage?page=${page}`)).json as { id: string }[];
  const pages = await Promise.all(Array.from({ length: 60 }, (_, page) => open(page)));
  const ids = pages.flat().map(({ id }) => id);
  const [first] = ids;

  const always = (asked: Ask) => () => asked;
  const reads: [string, () => Ask | undefined][] = [
    ['landing', always({ path: '/' })],
    ['slot list', always({ path: `/view?provider=maple.dental${days}`, cookie })],
    ['booking screen', always({ path: `/details/${first}`, cookie })],
    ['GetPage', always({ path: '/api/Appointment/GetPage?location=Toronto', cookie })],
    [
      'Book',
      () => {
        const id = ids.pop();
        return id ? { method: 'PUT', path: `/api/Appointment/Book?id=${id}`, cookie } : undefined;
      },
    ],
  ];
  const rows: Row[] = [];
  for (const [what, next] of reads) {
    for (const count of connections) rows.push(await measure(server.port, what, count, next));
  }
  console.table(rows);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
