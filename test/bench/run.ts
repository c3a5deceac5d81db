import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../../app/local/build';
import { Refusal, script } from '../../app/local/refusal';
import { root } from '../../app/local/root';
import { billLines, billOf } from './bill';
import { linesOfSteps, stepsOf } from './estimate';
import { coldSubjects, measureCold, measureLarge } from './fresh';
import { noFigure } from './load';
import { countSize, measureLoad, measureScreens } from './measure';
import { linesOf, type Report, ratiosOf } from './report';
import type { Targets } from './scenarios';
import { timeStartUp } from './served';
import { type Part, type Settings, settingsOf, usualParts } from './settings';
import { measureShop } from './shop';
import { subjectsOf } from './subjects';
import { mostOfWorker, weighWorker } from './worker-size';
import { benchFolder, isMade, withCopy } from './world-folder';
import { worldOf } from './world-plan';

/*
 * Measures the served product on this machine, with the load on the same processors: compare figures of one
 * machine, not of two. Bounded: each row lasts `seconds`, and all traffic stays on this machine.
 */

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Stands for the ids of a world that is not made yet, to count what will be asked. */
const anywhere: Targets = {
  ...{
    dates: '&dates=01-01-2030',
    open: 'open',
    booked: 'booked',
    held: 'held',
    link: '/booking/key',
    person: 'person',
  },
  ...{ waiting: '/waiting/key', offer: '/offer/key' },
};

/** Parts with a table of their own. @returns false where something is worse than it may be */
async function measureAlone(part: Part, { only }: Settings): Promise<boolean> {
  if (part === 'cold') return measureCold(say, only);
  if (part === 'large') return measureLarge(say);
  if (part === 'shop') return measureShop(say);
  if (part !== 'bill') return true;
  for (const row of billLines(billOf(await countSize(worldOf(100_000), say)))) say(row);
  return true;
}

async function measure({ parts, sizes, seconds, only, short }: Settings, report: Report): Promise<void> {
  for (const size of parts.includes('load') ? sizes.load : []) {
    await withCopy(size, 'product', say, async (dataDir) => {
      const startUp = await timeStartUp(dataDir);
      const { rows, memory } = await measureLoad(dataDir, { size, seconds, only, crowd: short ? 5 : 50, say });
      report.rows.push(...rows);
      report.process.push({ slots: size.slots, startUp, memory });
    });
  }
  for (const size of parts.includes('screens') ? sizes.load.slice(-1) : []) {
    const times = short ? { warmUp: 1, counted: 2 } : { warmUp: 200, counted: 300 };
    await withCopy(size, 'screens', say, async (dataDir) => {
      report.costs.push(...(await measureScreens(dataDir, { times, say })));
    });
  }
  for (const size of parts.includes('rows') ? sizes.rows : []) report.counts.push(await countSize(size, say));
  report.ratios = ratiosOf(report.rows);
}

await script(async () => {
  const settings = settingsOf(process.argv.slice(2));
  await buildIfStale(say);
  const screens = subjectsOf(anywhere).length;
  const coldScreens = coldSubjects(anywhere, settings.only).size;
  // The yardstick is always there.
  if (settings.parts.includes('cold') && coldScreens === 1) {
    throw new Refusal(`No screen or call of cold has "${settings.only}" in its address.`);
  }
  for (const line of linesOfSteps(stepsOf(settings, { screens, coldScreens, isMade }))) say(line);

  for (const part of settings.parts) if (!(await measureAlone(part, settings))) process.exitCode = 1;
  const reported = settings.parts.filter((part) => ['load', 'screens', 'rows'].includes(part));
  if (reported.length === 0) return;

  const isUsual = reported.join() === usualParts.join();
  const name = settings.short ? 'short' : isUsual ? 'latest' : reported.join('-');
  const latest = join(benchFolder, `${name}.json`);
  const before = existsSync(latest) ? (JSON.parse(readFileSync(latest, 'utf8')) as Report) : undefined;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const report: Report = {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' and changes'),
    machine: `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`,
    seconds: settings.seconds,
    rows: [],
    ratios: [],
    costs: [],
    counts: [],
    process: [],
    worker: weighWorker(),
  };
  await measure(settings, report);
  mkdirSync(benchFolder, { recursive: true });
  if (before && !settings.short) renameSync(latest, join(benchFolder, `${name}-before.json`));
  writeFileSync(latest, `${JSON.stringify(report, null, 2)}\n`);
  for (const line of ['', ...linesOf(report, before)]) say(line);
  const isRefused = [...report.rows, ...report.costs].some(noFigure);
  if (isRefused || report.worker.gzip > mostOfWorker) process.exitCode = 1;
});
