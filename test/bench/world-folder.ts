import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { todayIn } from '../../app/domain/time/zones';
import { runtimeOf, workerOf } from '../../app/local/configuration';
import { openDesk } from '../../app/local/desk';
import { lockFolder, secretsOf } from '../../app/local/folder';
import { migrate } from '../../app/local/migrations';
import { root } from '../../app/local/root';
import { guardRuntime } from '../../app/local/runtime-guard';
import type { Say } from './served';
import { fillWorld } from './world';
import { type WorldSize, worldOf, zoneOf } from './world-plan';
import '../../app/local/steady-wait';

export const benchFolder = join(root, '.bench');

/** The sources of a kept world: the date at its rich provider, the tables and the generator. */
function recipe(size: WorldSize): string {
  const hash = createHash('sha256');
  const texts = [join(root, 'migrations'), import.meta.dirname].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.sql$|^world.*\.ts$/.test(name))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  for (const text of [todayIn(zoneOf(0), Date.now()), JSON.stringify(size), ...texts]) hash.update(text);
  return hash.digest('hex');
}

const folderOf = (size: WorldSize) => join(benchFolder, `${size.slots}-of-${size.accounts}`);
const markerOf = (size: WorldSize) => join(folderOf(size), 'made');

/** Whether a world was made earlier today, and is still as it would be made now. */
export const isMade = (size: WorldSize): boolean =>
  existsSync(markerOf(size)) && readFileSync(markerOf(size), 'utf8') === recipe(size);

/**
 * Makes the data folder of a world, or finds the one made earlier today.
 * @returns its path, and the seconds to make it, if it was made now
 */
async function storedWorld(size: WorldSize, say: Say): Promise<{ folder: string; seconds: number | null }> {
  const folder = folderOf(size);
  if (isMade(size)) return { folder, seconds: null };
  say(`Making a world of ${size.slots.toLocaleString('en')} slots …`);
  await rm(folder, { recursive: true, force: true });
  const began = performance.now();
  await makeBenchWorld(folder, size);
  writeFileSync(markerOf(size), recipe(size));
  return { folder, seconds: (performance.now() - began) / 1000 };
}

/** Makes a data folder with a world in it, as the server wants one. */
export async function makeBenchWorld(folder: string, size: WorldSize, now = Date.now()): Promise<void> {
  const release = await lockFolder(folder);
  const guard = guardRuntime();
  const secrets = secretsOf(folder, { isNew: true });
  const shared = await runtimeOf(folder, {}, ({ message }) => void process.stderr.write(`${message}\n`));
  const desk = openDesk(Miniflare, shared, await workerOf({}, secrets));
  try {
    await desk.ready();
    guard.renew();
    await migrate(desk.d1);
    await fillWorld(desk.d1, { size, now, pepper: secrets.PASSWORD_PEPPER });
  } finally {
    await desk.dispose();
    guard.end();
    release();
  }
}

/**
 * Copies the kept world, because Book wears a database out, and removes the copy after its use. It shares its blocks if the
 * file system can.
 * @param use also gets the seconds that it took to make the world, or null
 */
export async function withCopy<Result>(
  world: number | WorldSize,
  name: string,
  say: Say,
  use: (dataDir: string, madeIn: number | null) => Promise<Result>,
): Promise<Result> {
  const size = typeof world === 'number' ? worldOf(world) : world;
  const { folder, seconds } = await storedWorld(size, say);
  if (seconds !== null) say(`Made in ${seconds.toFixed(1)} s.`);
  const copy = `${folder}-${name}`;
  const remove = () => rm(copy, { recursive: true, force: true });
  await remove();
  try {
    await cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return await use(copy, seconds);
  } finally {
    await remove();
  }
}
