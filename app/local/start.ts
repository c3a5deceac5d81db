import { buildIfStale } from './build';
import { demoLines } from './demo';
import { runHourly } from './hourly';
import { script, untilLost } from './refusal';
import { startServer } from './server';
import { settingsOf } from './settings';

const say = (line: string) => process.stdout.write(`${line}\n`);

await script(async () => {
  const server = await startServer({ ...settingsOf(process.env), say, prepare: () => buildIfStale(say) });
  say(`Daybook is open at ${server.url}`);
  await untilLost(server, async () => {
    for (const line of await demoLines(server.d1)) say(line);
    runHourly(server);
  });
});
