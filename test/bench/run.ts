import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../app/local/root';
import { measureCold } from './cold';
import { countSize } from './counts';
import { measureFarAway } from './far-away';
import { measureHours } from './hours';
import { measureLarge } from './large';
import { measureMail } from './mail';
import { measureSize } from './measure';
import { linesOf, type Report, ratiosOf } from './report';
import { timeStartUp } from './start-up';
import { mostOfWorker, weighWorker } from './worker-size';
import { benchFolder, copyOfWorld } from './world-folder';

/*
 * How fast the served product is on this machine, with the load beside it on the same processors: compare figures of one
 * machine, not of two. Bounded: each row lasts `seconds`, and all traffic stays on this machine.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many slots, separated by commas; the table of costs is made on the last. */
    sizes: { type: 'string', default: '1000,1000000' },
    seconds: { type: 'string', default: '3' },
    /** The worlds, by slots, in which round trips and rows are counted. */
    counts: { type: 'string', default: '1000,100000,1000000' },
    /** A report to compare with; the last one otherwise. */
    against: { type: 'string' },
    /** Only rows whose name has this in it, and the yardsticks. */
    only: { type: 'string', default: '' },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
/** What is measured by itself: `npm run bench -- far`. */
const parts: Record<string, (say: (line: string) => void) => Promise<boolean>> = {
  far: measureFarAway,
  cold: (line) => measureCold(line, values.only),
  hours: measureHours,
  large: measureLarge,
  mail: measureMail,
};
for (const name of positionals) {
  const part = parts[name];
  if (!part) throw new Error(`There is no ${name}; there are ${Object.keys(parts).join(', ')}.`);
  if (!(await part(say))) process.exitCode = 1;
}
if (positionals.length > 0) process.exit();

const [sizes, counted] = [values.sizes, values.counts].map((list) => list.split(',').filter(Boolean).map(Number)) as [
  number[],
  number[],
];
const seconds = Number(values.seconds);
if (![...sizes, ...counted].every((size) => Number.isInteger(size) && size > 0)) {
  throw new Error('--sizes and --counts take whole numbers.');
}
if (!(seconds > 0 && seconds <= 60)) throw new Error('--seconds takes a number up to 60.');

const latest = join(benchFolder, 'latest.json');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Report;
const before = values.against ? read(values.against) : existsSync(latest) ? read(latest) : undefined;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const report: Report = {
  date: new Date().toISOString(),
  commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' and changes'),
  machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version },
  seconds,
  rows: [],
  ratios: [],
  costs: [],
  counts: [],
  memory: [],
  worlds: [],
  startUp: [],
  worker: weighWorker(),
};

for (const [place, slots] of sizes.entries()) {
  const product = await copyOfWorld(slots, 'product', say);
  const yardsticks = await copyOfWorld(slots, 'yardsticks', say);
  try {
    report.worlds.push({ slots, madeIn: product.madeIn });
    report.startUp.push({ slots, milliseconds: await timeStartUp(product.dataDir) });
    const folders = { product: product.dataDir, yardsticks: yardsticks.dataDir };
    const withCosts = place === sizes.length - 1 && values.only === '';
    const { rows, costs, memory } = await measureSize({ slots, seconds, folders, only: values.only, withCosts, say });
    report.rows.push(...rows);
    report.costs.push(...costs);
    report.memory.push({ slots, server: memory });
  } finally {
    await product.remove();
    await yardsticks.remove();
  }
}
for (const slots of values.only === '' ? counted : []) report.counts.push(await countSize(slots, say));
report.ratios = ratiosOf(report.rows);

mkdirSync(benchFolder, { recursive: true });
if (existsSync(latest)) renameSync(latest, join(benchFolder, 'previous.json'));
writeFileSync(latest, `${JSON.stringify(report, null, 2)}\n`);
say('');
for (const line of linesOf(report, before)) say(line);
if (report.worker.gzip > mostOfWorker) process.exitCode = 1;
