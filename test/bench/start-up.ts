import { addressOf, run } from '../support/process';

/** From the spawn of `npm start`'s script on existing data to the first answer of the landing page, in milliseconds. */
export async function timeStartUp(dataDir: string): Promise<number> {
  const began = performance.now();
  const running = run('start', { PORT: '0', DATA_DIR: dataDir, SEED: 'off' });
  try {
    const answer = await fetch(await addressOf(running));
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The server answered ${answer.status} at first.`);
    return performance.now() - began;
  } finally {
    running.child.kill('SIGTERM');
    await running.ended;
  }
}
