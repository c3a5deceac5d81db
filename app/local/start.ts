import { buildIfStale } from './build';
import { demoLines } from './demo/lines';
import { saysFull } from './disk';
import { runHourly } from './hourly';
import { say } from './lines';
import { script, untilLost } from './refusal';
import { startServer } from './server';
import { settingsOf } from './settings';

await script(async () => {
  const settings = settingsOf(process.env);
  const server = await startServer({ ...settings, say, room: true, prepare: () => buildIfStale(say, 'quick') });
  say(`Daybook is open at ${server.url}`);
  say(`Started in ${(performance.now() / 1000).toFixed(1)} s.`);
  const isForOthers = !['127.0.0.1', 'localhost', '::1'].includes(settings.host ?? '');
  if (isForOthers && !settings.vars?.MAIL_URL)
    say(
      settings.vars?.PUBLIC_URL
        ? 'Nobody gets mail: it is kept in the data folder. Set MAIL_URL.'
        : 'Nobody gets mail: it is kept, and shown at /mail to this machine. Set MAIL_URL.',
    );
  await untilLost(server, async () => {
    const lines = await server.demo
      .then(() => demoLines(server.d1))
      .catch((error: unknown) => {
        // If the disk is full, the server starts again by itself.
        if (!server.isFull() && !saysFull(String(error))) throw error;
        return [];
      });
    for (const line of lines) say(line);
    runHourly(server);
  });
});
