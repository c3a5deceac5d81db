import { expect, test } from 'vitest';
import { faultsOf } from '../../habits/faults';
import { fuzz } from '../../habits/fuzz';
import { brokenRules } from '../../habits/invariants';
import { share, testFirst } from '../../support/matrix';
import { useServer } from '../../support/use-server';

/* The beginning of what `npm run fuzz` does for longer, and with another seed each time. */

const daybook = useServer();
const { requests, seed } = share({ requests: 600, seed: 22 }, { requests: 2_000, seed: 23 });

test(`${requests} requests that mean harm break nothing, and get no answer off the document (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const { sent, statuses, faults, broken } = await fuzz(daybook, { requests, seed });
  expect([Object.fromEntries(faults), broken]).toEqual([{}, []]);
  expect(sent).toBeGreaterThanOrEqual(requests);
  // Enough of them are taken that they reach what lies behind the first check.
  const taken = [...statuses].filter(([, counted]) => [...counted.keys()].some((status) => status < 300));
  expect(taken.length).toBeGreaterThan(share(30, 50));
});

testFirst('what must not come back is found, whatever it was asked by', () => {
  const actor = { role: 'stranger', browser: daybook.visitor(), username: '' } as const;
  const found = (path: string, type: string, text: string) =>
    faultsOf(
      { actor, method: 'GET', path, headers: {} },
      { status: 200, headers: new Headers({ 'content-type': type }), text },
    );
  expect(found('/', 'text/html', '<p>&lt;fzmark> &quot; fzattr="1"</p>')).toEqual([]);
  for (const text of ['<p><fzmark></p>', '<input value="" fzattr="1">', '<a href="javascript:fzmark()">x</a>'])
    expect(found('/', 'text/html', text)).toHaveLength(1);
  expect(found('/api/health', 'text/html', '<p>ok</p>')).toHaveLength(2);
});

testFirst('a book that breaks a rule is found', async () => {
  await daybook.d1.prepare('UPDATE parties SET going = going + 1 WHERE deleted_at IS NULL AND capacity IS NULL').run();
  await daybook.d1.prepare('UPDATE cities SET providers = providers + 1').run();
  const broken = (await brokenRules(daybook.d1)).map((line) => line.split(':')[0]);
  expect(broken).toEqual(['a party counts others than come', 'a city counts others than its providers']);
});
