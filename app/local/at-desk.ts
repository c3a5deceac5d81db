import { resolve } from 'node:path';
import { runtimeOf, workerOf } from './configuration';
import type { D1 } from './d1';
import { type Desk, openDesk } from './desk';
import { lockFolder } from './folder';
import { guardRuntime } from './runtime-guard';

const none = { SESSION_SECRETS: '', PASSWORD_PEPPER: '' };

/** Opens the database of a data folder, and works on it. @throws Refusal if a server is using the folder */
export async function atDesk<Done>(folder: string, work: (d1: D1, desk: Desk) => Promise<Done>): Promise<Done> {
  const dataDir = resolve(folder);
  const release = await lockFolder(dataDir);
  const guard = guardRuntime();
  const { Miniflare } = await import('miniflare');
  const desk = openDesk(Miniflare, await runtimeOf(dataDir, {}, () => undefined), await workerOf({}, none));
  try {
    await desk.ready();
    guard.renew();
    return await work(desk.d1, desk);
  } finally {
    guard.release();
    await desk.dispose();
    guard.end();
    release();
  }
}
