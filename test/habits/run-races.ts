import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../../app/local/build';
import { startServer } from '../../app/local/server';
import { registerCrowd, registerProvider } from '../support/factories';
import { visitor } from '../support/visit';
import { Chance, seedOf } from './chance';
import { race } from './races';
import { raceForOffers } from './waitlist-races';

/* `npm run races [-- rounds] [seed]` */

const [given, chosen] = process.argv.slice(2);
const [rounds, seed] = [Number(given ?? 1_000), seedOf(chosen)];
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Rounds are a whole number.');
const say = (line: string) => void process.stdout.write(`${line}\n`);

await buildIfStale(say);
const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off' }, passwordCost: { ln: 4, r: 8, p: 1 } });
try {
  say(`${rounds} rounds, seed ${seed}`);
  const begun = performance.now();
  const door = { visitor: () => visitor(server.url) };
  const [host, crowd] = [await registerProvider(door), await registerCrowd(door, 6)];
  const counts = await race(server.d1, { host, crowd, rounds, chance: new Chance(seed) });
  say(`After each round everyone had what they were told, and no rule was broken: ${JSON.stringify(counts)}`);
  const offerRounds = Math.max(1, Math.floor(rounds / 10));
  const busy = await registerProvider(door);
  const offers = await raceForOffers(server.d1, { host: busy, crowd, rounds: offerRounds, chance: new Chance(seed) });
  say(`Of those who waited one had each time, in ${offerRounds} rounds of each race: ${JSON.stringify(offers)}`);
  say(`${rounds} rounds in ${Math.round((performance.now() - begun) / 1000)} s`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
