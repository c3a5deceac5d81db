import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from '../../app/local/root';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

const patienceMs = 60_000;

/** From the spawn of `npm start`'s script on existing data to the first answer of the landing page, in milliseconds. */
export async function timeStartUp(dataDir: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'app/local/start.ts')], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, SEED: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    while (child.exitCode === null && performance.now() - began < patienceMs) {
      const status = await statusOf(`http://127.0.0.1:${port}/`);
      if (status === 200) return performance.now() - began;
      await new Promise((resume) => setTimeout(resume, 5));
    }
    throw new Error('The server did not start.');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** The status of an answer; undefined while nobody listens. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
