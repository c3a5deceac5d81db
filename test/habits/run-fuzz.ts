import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../../app/local/build';
import { startServer } from '../../app/local/server';
import type { Served } from '../support/use-server';
import { visitor } from '../support/visit';
import { seedOf } from './chance';
import { fuzz } from './fuzz';

/* `npm run fuzz [-- requests] [seed]` */

const [given, chosen] = process.argv.slice(2);
const requests = Number(given ?? 20_000);
const seed = seedOf(chosen);
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed))
  throw new Error('Requests and seed are whole numbers.');
const say = (line: string) => void process.stdout.write(`${line}\n`);

await buildIfStale(say);
const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
const logged: string[] = [];
const server = await startServer({
  dataDir,
  vars: { RATE_LIMIT: 'off' },
  passwordCost: { ln: 4, r: 8, p: 1 },
  log: ({ level, message }) => void (level === 'error' && logged.push(message)),
});
try {
  say(`${requests} requests, seed ${seed}`);
  const begun = performance.now();
  const served: Served = { ...server, visitor: () => visitor(server.url) };
  const { sent, statuses, faults, broken } = await fuzz(served, { requests, seed, say });
  for (const [name, counted] of [...statuses].sort()) {
    say(
      `${name}  ${[...counted]
        .sort(([one], [other]) => one - other)
        .map(([status, many]) => `${status}: ${many}`)
        .join(', ')}`,
    );
  }
  const isDone = ([, counted]: [string, Map<number, number>]) => [...counted.keys()].some((status) => status < 300);
  const never = [...statuses].filter((one) => !isDone(one)).map(([name]) => name);
  if (never.length > 0) say(`Never done: ${never.join(', ')}`);
  for (const [fault, { many, first }] of faults) say(`\n${fault} (${many} times)\n  ${first}`);
  for (const line of [...broken, ...new Set(logged)]) say(line);
  say(
    `\n${sent} requests in ${Math.round((performance.now() - begun) / 1000)} s: ${faults.size} kinds of fault, ${broken.length} rules broken, ${logged.length} errors logged; seed ${seed}`,
  );
  if (faults.size + broken.length + logged.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
