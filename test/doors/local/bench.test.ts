import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import type { Report } from '../../bench/report';
import { isNotAsked } from '../../bench/subjects';
import { benchFolder } from '../../bench/world-folder';
import { documentedCalls } from '../../support/openapi';

/* What `npm run bench` does for longer, in a small world and each thing once or twice. Its figures say nothing here. */

test('the benchmark asks everything that can be asked, is refused nothing, and ends', {
  timeout: 480_000,
}, async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/bench/run.ts', '--short'], { cwd: root });
  const { stdout } = await run;
  expect(stdout).toContain('| a guest’s booking, from the provider’s page |');
  const { rows, ratios, costs, counts } = JSON.parse(readFileSync(join(benchFolder, 'short.json'), 'utf8')) as Report;
  const names = new Set(rows.map(({ name }) => name));
  for (const name of ['bare write', 'bare booking', 'Book', 'guest form']) expect(names).toContain(name);
  expect(rows.filter(({ refused, requests }) => refused > 0 || requests === 0)).toEqual([]);
  expect(ratios.some(({ what }) => what === 'Book / bare booking')).toBe(true);
  const calls = documentedCalls().filter((call) => call.startsWith('GET '));
  const isMeasured = (call: string) => costs.some(({ path }) => path.startsWith(call.slice(4).replace('{id}', '')));
  expect(calls.filter((call) => !isNotAsked(call) && !isMeasured(call))).toEqual([]);
  expect(counts[0]?.reads.length).toBeGreaterThan(150);
});
