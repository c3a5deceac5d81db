/*
 * Miniflare's bindings put a question to a thread of their own, and sleep until the answer is there. Where that thread is held up between its
 * answer and its call to wake up, the call wakes the next question, which finds no answer: it fails, and so do all after it. So whoever is
 * woken while nothing has changed sleeps on. Drop this with the release of Miniflare that has https://github.com/cloudflare/workers-sdk/pull/15552.
 */

const wait = Atomics.wait as (array: Int32Array, index: number, value: number, timeout?: number) => WaitResult;
type WaitResult = ReturnType<typeof Atomics.wait>;

Atomics.wait = (array: Int32Array | BigInt64Array, index: number, value: number | bigint, timeout?: number) => {
  let woken: WaitResult;
  do {
    woken = wait(array as Int32Array, index, value as number, timeout);
  } while (woken === 'ok' && Atomics.load(array as Int32Array, index) === value);
  return woken;
};
