import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../../app/local/build';
import { startServer } from '../../app/local/server';
import { registerCrowd, registerProvider } from '../support/factories';
import { visitor } from '../support/visit';
import { Chance, seedOf } from './chance';
import { race } from './races';
import { raceForStanding, raceOfSeries } from './series-races';
import { raceForSeats, raceOfLengths } from './service-races';
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
  const door = { visitor: () => visitor(server.url) };
  const crowd = await registerCrowd(door, 6);
  const chance = new Chance(seed);
  for (const [name, run, times] of [
    ['moves', race, rounds],
    ['last places', raceForSeats, rounds],
    ['lengths', raceOfLengths, rounds],
    ['series', raceOfSeries, rounds],
    ['standing times', raceForStanding, Math.ceil(rounds / 10)],
    ['people who wait', raceForOffers, Math.ceil(rounds / 10)],
  ] as const) {
    const begun = performance.now();
    const counts = await run(server.d1, { host: await registerProvider(door), crowd, rounds: times, chance });
    say(
      `${name}: after each round everyone had what they were told, and no rule was broken: ${JSON.stringify(counts)}`,
    );
    say(`${times} rounds in ${Math.round((performance.now() - begun) / 1000)} s`);
  }
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
