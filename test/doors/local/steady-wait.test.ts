import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import '../../../app/local/steady-wait';

/** Wakes whoever sleeps, changes nothing, and only later changes what they sleep for. */
const early = `
  const { workerData } = require('node:worker_threads');
  const later = (milliseconds, act) => setTimeout(act, milliseconds);
  const wake = () => Atomics.notify(workerData, 0);
  later(20, wake);
  later(60, () => { Atomics.store(workerData, 0, 1); wake(); });
`;

test('whoever is woken while nothing has changed sleeps on', async () => {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const waker = new Worker(early, { eval: true, workerData: shared });

  expect([Atomics.wait(shared, 0, 0, 10_000), shared[0]]).toEqual(['ok', 1]);

  await waker.terminate();
});
