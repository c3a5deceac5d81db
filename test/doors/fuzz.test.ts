import { expect, test } from 'vitest';
import { fuzz } from '../habits/fuzz';
import { useServer } from '../support/use-server';

/* The beginning of what `npm run fuzz` does for longer, and with another seed each time. */

const daybook = useServer();
const seed = 22;

test(`two thousand requests that mean harm break nothing, and get no answer off the document (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const { sent, statuses, faults, broken } = await fuzz(daybook, { requests: 2_000, seed });
  expect([Object.fromEntries(faults), broken]).toEqual([{}, []]);
  expect(sent).toBeGreaterThanOrEqual(2_000);
  // Enough of them are taken that they reach what lies behind the first check.
  const taken = [...statuses].filter(([, counted]) => [...counted.keys()].some((status) => status < 300));
  expect(taken.length).toBeGreaterThan(50);
});
