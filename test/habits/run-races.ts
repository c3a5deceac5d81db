import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../app/local/build';
import { registerCrowd, registerProvider, several } from '../support/factories';
import { raceAgainst, racedWords, type Scheduler } from './against';
import { raceForAnyTime } from './any-time-races';
import { Chance } from './chance';
import { race } from './races';
import { raceForStanding, raceOfSeries } from './series-races';
import { raceForSeats, raceOfLengths } from './service-races';
import { raceForAnyone, raceForAnyoneOfLengths, raceOfHandOver } from './shop-races';
import { inFolder, say, serving, told } from './tool';
import { raceForOffers } from './waitlist-races';

/*
 * `npm run races [-- rounds] [seed] [names of races, comma-separated]`, or, at a scheduler that is served somewhere,
 * `npm run races -- --against URL [--adapter FILE] [--people 50]`
 */

const { against, adapter, people } = parseArgs({
  options: {
    against: { type: 'string' },
    adapter: { type: 'string', default: fileURLToPath(new URL('schedulers/daybook.ts', import.meta.url)) },
    people: { type: 'string', default: '50' },
  },
  allowPositionals: true,
}).values;
if (against !== undefined) {
  if (!(Number.isInteger(Number(people)) && Number(people) > 1)) throw new Error('At least two people race.');
  const scheduler: Scheduler = await import(pathToFileURL(adapter).href);
  const raced = await raceAgainst(scheduler, against, Number(people));
  for (const line of racedWords(raced)) say(line);
  process.exit(raced.booked === 1 ? 0 : 1);
}

const { many: rounds, seed, rest } = told('Rounds', 1_000);
const races = {
  moves: [race, rounds],
  'last places': [raceForSeats, rounds],
  lengths: [raceOfLengths, rounds],
  'any time': [raceForAnyTime, rounds],
  series: [raceOfSeries, rounds],
  'anyone in a shop': [raceForAnyone, rounds],
  'lengths in a shop': [raceForAnyoneOfLengths, rounds],
  'a hand-over': [raceOfHandOver, rounds],
  'standing times': [raceForStanding, Math.ceil(rounds / 10)],
  'people who wait': [raceForOffers, Math.ceil(rounds / 10)],
} as const;
const wanted = rest[0]?.split(',') ?? Object.keys(races);
const isRace = (name: string): name is keyof typeof races => Object.hasOwn(races, name);
if (!wanted.every(isRace)) throw new Error(`Races are ${Object.keys(races).join(', ')}.`);

await buildIfStale(say);
say(`${rounds} rounds, seed ${seed}`);
for (const name of wanted) {
  const [run, times] = races[name];
  // Each round reads the whole book, so each race begins with an empty one.
  await inFolder((dataDir) =>
    serving({ dataDir }, async (server) => {
      const [crowd, host] = [await registerCrowd(server, 6), await registerProvider(server)];
      const colleagues = await several(2, () => registerProvider(server));
      const begun = performance.now();
      const counts = await run(server.d1, { host, colleagues, crowd, rounds: times, chance: new Chance(seed) });
      const held = 'after each round everyone had what they were told, and no rule was broken';
      say(`${name}: ${held}: ${JSON.stringify(counts)}`);
      say(`${times} rounds in ${Math.round((performance.now() - begun) / 1000)} s`);
    }),
  );
}
