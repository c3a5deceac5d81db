import { buildIfStale } from '../../app/local/build';
import { startMailServer } from '../support/mail-server';
import { Chance } from './chance';
import { kill } from './kill';
import { killWithSeries } from './kill-series';
import { killWhileWaiting } from './kill-waitlist';
import { inFolder, say, told } from './tool';

/* `npm run kill [-- rounds] [seed]`: so many kills under each kind of write. */

const { many: rounds, seed } = told('Rounds', 30);
await buildIfStale(say);
const mailServer = await startMailServer();
const report = async (title: string, run: (dataDir: string) => Promise<object>) => {
  say(title);
  say(JSON.stringify(await inFolder(run), null, 2));
};
try {
  const each = () => ({ rounds, chance: new Chance(seed), say });
  await report(`${rounds} kills under each kind of write, seed ${seed}`, (dataDir) =>
    kill({ dataDir, mailServer, ...each() }),
  );
  await report(`${rounds} kills with series`, (dataDir) => killWithSeries({ dataDir, ...each() }));
  await report(`${rounds} kills while people wait`, (dataDir) => killWhileWaiting({ dataDir, ...each() }));
} finally {
  await mailServer.stop();
}
