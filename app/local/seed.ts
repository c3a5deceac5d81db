import { buildIfStale } from './build';
import { demoLines } from './demo/lines';
import { say } from './lines';
import { Refusal, script } from './refusal';
import { startServer } from './server';
import { settingsOf } from './settings';

await script(async () => {
  const settings = { ...settingsOf(process.env), port: 0, seed: true };
  const server = await startServer({ ...settings, say, prepare: () => buildIfStale(say, 'quick') });
  try {
    if (!(await server.demo)) throw new Refusal(`${settings.dataDir} already has accounts; nothing was added.`);
    for (const line of await demoLines(server.d1)) say(line);
  } finally {
    await server.stop();
  }
});
