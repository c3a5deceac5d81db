import { parseArgs } from 'node:util';
import { Refusal } from '../../app/local/refusal';
import { loadNames, loadsWith, mostSecondsFor, mostTimes, neededFor } from './loads';
import { smallWorld, type WorldSize, worldOf } from './world-plan';

/* What `npm run bench` is told. */

/** The parts that a report is made of, and those that print a table of their own. */
export const parts = {
  load: 'requests a second over 1, 10 and 50 connections, beside yardsticks',
  screens: 'processor time of each screen and call, once warm',
  rows: 'round trips and rows of each response and write, and the bill',
  cold: 'processor time of the first requests of a process, for each screen',
  large: 'memory for the largest answers',
  bill: 'what a million bookings cost, as docs/costs.md has it',
  shop: 'round trips and rows of a shop of twenty, as docs/costs.md has them',
};
export type Part = keyof typeof parts;
export const usualParts: Part[] = ['load', 'rows'];

export type Settings = {
  parts: Part[];
  /** The worlds of the load, the last of which has the screens too, and those in which rows are counted. */
  sizes: { load: WorldSize[]; rows: WorldSize[] };
  /** For each row of the load. */
  seconds: number;
  only: string;
  short: boolean;
};

const options = {
  sizes: { type: 'string' },
  seconds: { type: 'string', default: '3' },
  only: { type: 'string', default: '' },
  short: { type: 'boolean', default: false },
} as const;

/** The parts and options that there are. */
export const usage = [
  'npm run bench -- [part …] [options]',
  '',
  ...Object.entries(parts).map(([name, what]) => `  ${name.padEnd(18)} ${what}`),
  `  Without a part: ${usualParts.join(' and ')}, or load alone with --only.`,
  '',
  '  --sizes 1000,100000  slots of the worlds; without it 1000,1000000, and rows also 100000',
  '  --seconds 3          for each row of the load',
  '  --only Book          rows of the load whose name has this in it, and the yardsticks; of cold, addresses',
  '  --short              everything once, in a small world, to see whether it works',
].join('\n');

function read(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function sizesOf(list: string): WorldSize[] {
  const sizes = list.split(',').map(Number);
  if (sizes.every((slots) => Number.isInteger(slots) && slots >= 1_000 && slots <= 5_000_000))
    return sizes.map(worldOf);
  throw new Refusal(`--sizes takes whole numbers from 1000 to 5000000, with commas between them, not "${list}".`);
}

/** The parts where none is named. */
function partsFor({ short, only }: Pick<Settings, 'short' | 'only'>): Part[] {
  if (short) return ['load', 'screens', 'rows'];
  return only === '' ? usualParts : ['load'];
}

/** @throws Refusal for what there is not, and where a run would use up more than can be made */
export function settingsOf(args: string[]): Settings {
  const { values, positionals } = read(args);
  const { short, only } = values;
  const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Refusal(`There is no part "${unknown}".\n\n${usage}`);
  const named = positionals as Part[];
  const chosen = named.length > 0 ? named : partsFor({ short, only });

  const seconds = short ? 0.05 : Number(values.seconds);
  if (!(seconds > 0 && seconds <= 60)) throw new Refusal('--seconds takes a number up to 60.');
  if (chosen.includes('load')) {
    if (!loadNames.some((name) => name.includes(only))) {
      throw new Refusal(`No row of the load has "${only}" in its name. There are: ${loadNames.join('; ')}.`);
    }
    const names = loadsWith(only);
    const times = neededFor('times', names, seconds);
    if (times > mostTimes) {
      const words = [times, mostTimes].map((count) => count.toLocaleString('en'));
      throw new Refusal(
        `--seconds ${seconds} may book ${words[0]} free times, and ${words[1]} are made at most: --seconds ${mostSecondsFor(names)} would do.`,
      );
    }
  }
  const small = { load: [smallWorld], rows: [smallWorld] };
  const sizes = (usual: string) => sizesOf(values.sizes ?? usual);
  return {
    parts: [...chosen],
    sizes: short ? small : { load: sizes('1000,1000000'), rows: sizes('1000,100000,1000000') },
    seconds,
    only,
    short,
  };
}
