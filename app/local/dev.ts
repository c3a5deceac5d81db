import { watch } from 'node:fs';
import { join } from 'node:path';
import { build, buildIfStale } from './build';
import { demoLines } from './demo/lines';
import { runHourly } from './hourly';
import { say } from './lines';
import { script, untilLost } from './refusal';
import { root } from './root';
import { type Server, startServer } from './server';
import { settingsOf } from './settings';

const quietMs = 150;

// If a build fails, this prints why, and the last good build stays.
function follower(server: Server): () => Promise<void> {
  let isBuilding = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (isBuilding) return;
    isBuilding = true;
    while (isStale) {
      isStale = false;
      const failure = await build('quick', say).then((output) => output ?? swap(server));
      if (failure !== undefined) say(failure);
    }
    isBuilding = false;
  };
}

async function swap(server: Server): Promise<string | undefined> {
  try {
    await server.reload();
    return undefined;
  } catch (error) {
    // A migration may contain a mistake, which the next change corrects.
    return String(error);
  }
}

// `remix vite:dev` runs the app in Node, without our Durable Objects. So this server runs what would be deployed, and
// builds again after each change.
await script(async () => {
  const server = await startServer({
    ...settingsOf(process.env),
    say,
    room: true,
    prepare: () => buildIfStale(say, 'quick'),
  });
  const follow = follower(server);
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ['app', 'db', 'public', 'migrations']) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(follow, quietMs);
    });
  }
  say(`Daybook is open at ${server.url} and follows your changes: reload the page to see them.`);
  await untilLost(server, async () => {
    await server.demo;
    for (const line of await demoLines(server.d1)) say(line);
    runHourly(server);
  });
});
