import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../app/local/root';
import { billLines, billOf } from './bill';
import { measureCold, measureLarge } from './fresh';
import { countSize, measureSize } from './measure';
import { linesOf, type Report, ratiosOf } from './report';
import { type Say, timeStartUp } from './served';
import { mostOfWorker, weighWorker } from './worker-size';
import { benchFolder, withCopy } from './world-folder';
import { smallWorld, type WorldSize, worldOf } from './world-plan';

/*
 * Measures the served product on this machine, with the load on the same processors: compare figures of one
 * machine, not of two. Bounded: each row lasts `seconds`, and all traffic stays on this machine.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Numbers of slots, separated by commas; the last one gets the table of costs. */
    sizes: { type: 'string', default: '1000,1000000' },
    seconds: { type: 'string', default: '3' },
    /** The worlds, by slots, in which round trips and rows are counted. */
    counts: { type: 'string', default: '1000,100000,1000000' },
    /** Only rows whose name has this in it, and the yardsticks. */
    only: { type: 'string', default: '' },
    /** Runs everything once, in a small world, to see whether it works. */
    short: { type: 'boolean', default: false },
  },
});
const { short, only } = values;
const say = (line: string) => void process.stdout.write(`${line}\n`);
/** Parts with a table of their own: `npm run bench -- cold`. */
const parts: Record<string, (say: Say) => Promise<boolean>> = {
  cold: (line) => measureCold(line, only),
  large: measureLarge,
  async bill(line) {
    for (const row of billLines(billOf(await countSize(worldOf(100_000), line)))) line(row);
    return true;
  },
};
for (const name of positionals) {
  const part = parts[name];
  if (!part) throw new Error(`There is no ${name}; there are ${Object.keys(parts).join(', ')}.`);
  if (!(await part(say))) process.exitCode = 1;
}
if (positionals.length > 0) process.exit();

/** The worlds of a list of slots. */
function worlds(list: string): WorldSize[] {
  const sizes = list.split(',').filter(Boolean).map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
    throw new Error('--sizes and --counts take whole numbers.');
  }
  return sizes.map(worldOf);
}
const [sizes, counted] = short ? [[smallWorld], [smallWorld]] : [worlds(values.sizes), worlds(values.counts)];
const seconds = short ? 0.05 : Number(values.seconds);
if (!(seconds > 0 && seconds <= 60)) throw new Error('--seconds takes a number up to 60.');

const latest = join(benchFolder, short ? 'short.json' : 'latest.json');
const before = existsSync(latest) ? (JSON.parse(readFileSync(latest, 'utf8')) as Report) : undefined;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report: Report = {
  date: new Date().toISOString(),
  commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' and changes'),
  machine: `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`,
  seconds,
  rows: [],
  ratios: [],
  costs: [],
  counts: [],
  process: [],
  worker: weighWorker(),
};
for (const [place, size] of sizes.entries()) {
  const times = short ? { warmUp: 1, counted: 2 } : { warmUp: 200, counted: 300 };
  const costs = place === sizes.length - 1 && only === '' ? times : undefined;
  await withCopy(size, 'product', say, async (dataDir) => {
    const startUp = await timeStartUp(dataDir);
    const measured = await measureSize(dataDir, { size, seconds, only, crowd: short ? 5 : 50, costs, say });
    report.rows.push(...measured.rows);
    report.costs.push(...measured.costs);
    report.process.push({ slots: size.slots, startUp, memory: measured.memory });
  });
}
for (const size of only === '' ? counted : []) report.counts.push(await countSize(size, say));
report.ratios = ratiosOf(report.rows);

mkdirSync(benchFolder, { recursive: true });
if (before && !short) renameSync(latest, join(benchFolder, 'previous.json'));
writeFileSync(latest, `${JSON.stringify(report, null, 2)}\n`);
for (const line of ['', ...linesOf(report, before)]) say(line);
const refused = report.rows.filter((row) => row.refused > 0);
for (const { name, connections } of refused) say(`Refused: ${name} over ${connections} connections.`);
if (refused.length > 0 || report.worker.gzip > mostOfWorker) process.exitCode = 1;
