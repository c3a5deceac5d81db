import { format } from 'node:util';
import { afterAll, afterEach, beforeEach } from 'vitest';

/*
 * Noise fails the test: lines that console.error prints in the test's process, and errors that a served Worker logs
 * (server.ts hands them on), must be expected by the test that causes them.
 */

type Noise = { expected: { pattern: RegExp; wasSeen: boolean }[]; unexpected: string[] };
const place = globalThis as { consoleNoise?: Noise };
/** Stored at the worker, because each test file runs this file anew and shares what it imports. */
place.consoleNoise ??= { expected: [], unexpected: [] };
const { expected, unexpected } = place.consoleNoise;
/** A served Worker's lines arrive a little later than its answers. */
const patienceMs = 1_000;

console.error = (...parts: unknown[]) => {
  const line = format(...parts);
  const match = expected.find(({ pattern }) => pattern.test(line));
  if (match) match.wasSeen = true;
  else unexpected.push(line);
};

/** Says that this test makes console.error print a line like this, once or more; the test fails if it doesn't. */
export function expectConsoleError(pattern: RegExp): void {
  expected.push({ pattern, wasSeen: false });
}

beforeEach(() => {
  expected.length = 0;
});

afterEach(async () => {
  const missing = () => expected.filter(({ wasSeen }) => !wasSeen).map(({ pattern }) => String(pattern));
  const end = Date.now() + patienceMs;
  while (missing().length > 0 && Date.now() < end) await new Promise((resume) => setTimeout(resume, 20));
  complain('console.error did not print what this test expects', missing());
  complain('console.error printed what this test does not expect', unexpected.splice(0));
});

afterAll(() => complain('console.error printed what no test expects', unexpected.splice(0)));

function complain(what: string, lines: string[]): void {
  if (lines.length > 0) throw new Error(`${what}:\n${lines.join('\n')}`);
}
