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

/* `npm run races [-- rounds] [seed] [names of races, comma-separated]` */

const [given, chosen, names] = process.argv.slice(2);
const [rounds, seed] = [Number(given ?? 1_000), seedOf(chosen)];
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Rounds are a whole number.');
const races = {
  moves: [race, rounds],
  'last places': [raceForSeats, rounds],
  lengths: [raceOfLengths, rounds],
  series: [raceOfSeries, rounds],
  'standing times': [raceForStanding, Math.ceil(rounds / 10)],
  'people who wait': [raceForOffers, Math.ceil(rounds / 10)],
} as const;
const wanted = names?.split(',') ?? Object.keys(races);
const isRace = (name: string): name is keyof typeof races => Object.hasOwn(races, name);
if (!wanted.every(isRace)) throw new Error(`Races are ${Object.keys(races).join(', ')}.`);
const say = (line: string) => void process.stdout.write(`${line}\n`);

await buildIfStale(say);
say(`${rounds} rounds, seed ${seed}`);
for (const name of wanted) {
  const [run, times] = races[name];
  // Each round reads the whole book, so each race begins with an empty one.
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off' }, passwordCost: { ln: 4, r: 8, p: 1 } });
  try {
    const door = { visitor: () => visitor(server.url) };
    const [crowd, host] = [await registerCrowd(door, 6), await registerProvider(door)];
    const begun = performance.now();
    const counts = await run(server.d1, { host, crowd, rounds: times, chance: new Chance(seed) });
    say(
      `${name}: after each round everyone had what they were told, and no rule was broken: ${JSON.stringify(counts)}`,
    );
    say(`${times} rounds in ${Math.round((performance.now() - begun) / 1000)} s`);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
