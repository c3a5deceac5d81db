import { buildIfStale } from '../../app/local/build';
import { startMailServer } from '../support/mail-server';
import { Chance } from './chance';
import { kill, kinds } from './kill';
import { killWithHandOvers } from './kill-hand-over';
import { killWithSeries } from './kill-series';
import { killWithShops } from './kill-shop';
import { killWhileWaiting } from './kill-waitlist';
import { inFolder, say, told } from './tool';

/* `npm run kill [-- rounds] [seed]`: so many kills under each kind of write. */

const { many: rounds, seed } = told('Rounds', 30);
await buildIfStale(say);
const mailServer = await startMailServer();
try {
  for (const [what, run, times, more] of [
    ['under each kind of write', kill, rounds * kinds.length, { mailServer }],
    ['with series', killWithSeries, rounds, {}],
    ['while people wait', killWhileWaiting, rounds, {}],
    ['with shops', killWithShops, rounds, {}],
    ['with hand-overs', killWithHandOvers, rounds, {}],
  ] as const) {
    say(`${rounds} kills ${what}, seed ${seed}`);
    const report = await inFolder<object>((dataDir) =>
      run({ dataDir, rounds: times, chance: new Chance(seed), say, ...more }),
    );
    say(JSON.stringify(report, null, 2));
  }
} finally {
  await mailServer.stop();
}
