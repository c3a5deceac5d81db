import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { faultsOf } from '../../habits/faults';
import { fuzz, type Report } from '../../habits/fuzz';
import { brokenRules } from '../../habits/invariants';
import { registerProvider } from '../../support/factories';
import { describeFirst, share } from '../../support/matrix';
import { createParty } from '../../support/party-factories';
import { useServer } from '../../support/use-server';

/* The beginning of what `npm run fuzz` does for longer, and with another seed each time. */

const daybook = useServer();
const { requests, seed } = share({ requests: 600, seed: 22 }, { requests: 2_000, seed: 23 });

describe(`of ${requests} requests that mean harm (seed ${seed})`, () => {
  let report: Report;
  beforeAll(async () => {
    report = await fuzz(daybook, { requests, seed });
  }, 120_000);

  test('none is left out', () => {
    expect(report.sent).toBeGreaterThanOrEqual(requests);
  });

  test('none gets a response off the document', () => {
    expect(Object.fromEntries(report.faults)).toEqual({});
  });

  test('none breaks a rule of the book', () => {
    expect(report.broken).toEqual([]);
  });

  test('enough are taken that they reach what lies behind the first check', () => {
    const taken = [...report.statuses].filter(([, counted]) => [...counted.keys()].some((status) => status < 300));

    expect(taken.length).toBeGreaterThan(share(30, 50));
  });
});

describeFirst('what must not come back', () => {
  const faultsIn = (path: string, text: string) =>
    faultsOf(
      { actor: { role: 'stranger', browser: daybook.visitor(), username: '' }, method: 'GET', path, headers: {} },
      { status: 200, headers: new Headers({ 'content-type': 'text/html' }), text },
    );

  test.each([
    ['an element', '<p><fzmark></p>'],
    ['an attribute', '<input value="" fzattr="1">'],
    ['a script in a link', '<a href="javascript:fzmark()">x</a>'],
  ])('is found as %s', (_, text) => {
    expect(faultsIn('/', text)).toHaveLength(1);
  });

  test('is harmless as words', () => {
    expect(faultsIn('/', '<p>&lt;fzmark> &quot; fzattr="1"</p>')).toEqual([]);
  });

  test('is a page where the document has another response', () => {
    expect(faultsIn('/api/health', '<p>ok</p>')).toHaveLength(2);
  });
});

describeFirst('a book that breaks a rule is found where', () => {
  beforeAll(async () => {
    await createParty(await registerProvider(daybook));
  });

  const namesOfBroken = async () => (await brokenRules(daybook.d1)).map((line) => line.split(':')[0]);

  test.each([
    [
      'a party counts others than come',
      'UPDATE parties SET going = going + ? WHERE deleted_at IS NULL AND capacity IS NULL',
    ],
    ['a city counts others than its providers', 'UPDATE cities SET providers = providers + ?'],
  ])('%s', async (rule, change) => {
    const count = (by: number) => daybook.d1.prepare(change).bind(by).run();
    await count(1);
    onTestFinished(async () => void (await count(-1)));

    expect(await namesOfBroken()).toEqual([rule]);
  });
});
