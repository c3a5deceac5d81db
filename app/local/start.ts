import { buildIfStale } from './build';
import { demoLines } from './demo';
import { runHourly } from './hourly';
import { script, untilLost } from './refusal';
import { startServer } from './server';
import { settingsOf } from './settings';

const say = (line: string) => process.stdout.write(`${line}\n`);

await script(async () => {
  const settings = settingsOf(process.env);
  const server = await startServer({ ...settings, say, prepare: () => buildIfStale(say) });
  say(`Daybook is open at ${server.url}`);
  const isForOthers = !['127.0.0.1', 'localhost', '::1'].includes(settings.host ?? '');
  if (isForOthers && !settings.vars?.MAIL_URL)
    say('Whoever can reach this address can read all mail at /mail, links for new passwords too. Set MAIL_URL.');
  await untilLost(server, async () => {
    for (const line of await demoLines(server.d1)) say(line);
    runHourly(server);
  });
});
