import { test } from 'vitest';

/*
 * `npm test` ends within five minutes: of slow tests it runs the cases that break first, such as one width, one theme, scripts on
 * or off. `npm run test:matrix` does the rest. It is the project `matrix` of vitest.config.ts: all files that import this one
 * or ways.ts, once more, with MATRIX=rest, and a few that are for the matrix alone. CI runs both.
 */

const isRest = process.env.MATRIX === 'rest';

/** The part of slow cases for `npm test`, or the rest for the matrix. */
export const share = <Part>(first: Part, rest: Part): Part => (isRest ? rest : first);

type Test = (name: string, run: () => void | Promise<void>) => void;
const leaveOut: Test = () => {};
/** A test for `npm test` alone, in a file whose other tests have a rest. */
export const testFirst = share<Test>(test, leaveOut);
/** A test for the matrix alone. */
export const testRest = share<Test>(leaveOut, test);
