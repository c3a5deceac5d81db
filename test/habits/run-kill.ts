import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from '../../app/local/build';
import { startMailServer } from '../support/mail-server';
import { Chance, seedOf } from './chance';
import { kill } from './kill';
import { killWithSeries } from './kill-series';
import { killWhileWaiting } from './kill-waitlist';

/* `npm run kill [-- rounds] [seed]`: so many kills under each kind of write. */

const [given, chosen] = process.argv.slice(2);
const [rounds, seed] = [Number(given ?? 30), seedOf(chosen)];
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Rounds are a whole number.');
const say = (line: string) => void process.stdout.write(`${line}\n`);

await buildIfStale(say);
const newFolder = () => mkdtemp(join(tmpdir(), 'daybook-'));
const [dataDir, waiting, regular] = [await newFolder(), await newFolder(), await newFolder()];
const mailServer = await startMailServer();
try {
  say(`${rounds} kills under each kind of write, seed ${seed}`);
  const report = await kill({ dataDir, rounds, chance: new Chance(seed), mailServer, say });
  say(JSON.stringify(report, null, 2));
  say(`${rounds} kills with series`);
  say(JSON.stringify(await killWithSeries({ dataDir: regular, rounds, chance: new Chance(seed), say }), null, 2));
  say(`${rounds} kills while people wait`);
  say(JSON.stringify(await killWhileWaiting({ dataDir: waiting, rounds, chance: new Chance(seed), say }), null, 2));
} finally {
  await mailServer.stop();
  for (const folder of [dataDir, waiting, regular]) await rm(folder, { recursive: true, force: true });
}
