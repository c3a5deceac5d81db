import { watch } from 'node:fs';
import { join } from 'node:path';
import { build, buildIfStale } from './build';
import { demoLines } from './demo';
import { script } from './refusal';
import { root } from './root';
import { startServer } from './server';
import { settingsOf } from './settings';

const say = (line: string) => process.stdout.write(`${line}\n`);
const quietMs = 150;

// Not `remix vite:dev`: it runs the app in Node, without our Durable Objects. This serves what is deployed, built anew
// after each change; until a build has succeeded, the last one stays open.
await script(async () => {
  const server = await startServer({ ...settingsOf(process.env), prepare: () => buildIfStale(say) });
  say(`Daybook is open at ${server.url} and follows your changes: reload the page to see them.`);
  for (const line of await demoLines(server.d1)) say(line);

  let timer: NodeJS.Timeout | undefined;
  let isBuilding = false;
  let isStale = false;
  const rebuild = async () => {
    isStale = true;
    if (isBuilding) return;
    isBuilding = true;
    while (isStale) {
      isStale = false;
      const began = Date.now();
      const failure = await build();
      if (failure === undefined) await server.reload();
      say(failure ?? `Built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
    isBuilding = false;
  };
  for (const folder of ['app', 'db', 'public', 'migrations']) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(rebuild, quietMs);
    });
  }
});
