import { describe, type SuiteAPI, type TestAPI, test } from 'vitest';

/*
 * Of slow tests `npm test` runs the cases that break first, such as one width, one theme, scripts on
 * or off. `npm run test:matrix` does the rest. It is the project `matrix` of vitest.config.ts: all files that import this one
 * or journeys.ts, once more, with MATRIX=rest, and a few that are for the matrix alone. A release runs both.
 */

const isRest = process.env.MATRIX === 'rest';

/** The part of slow cases for `npm test`, or the rest for the matrix. */
export const share = <Part>(first: Part, rest: Part): Part => (isRest ? rest : first);

const nothing = () => {};
/** Takes the place of a test or a group of tests. */
const leaveOut = Object.assign(nothing, { each: () => nothing });
const [noTest, noGroup] = [leaveOut as unknown as TestAPI, leaveOut as unknown as SuiteAPI];
/** A test for `npm test` alone, in a file whose other tests have a rest. */
export const testFirst = share(test, noTest);
/** Tests for `npm test` alone. */
export const describeFirst = share(describe, noGroup);
/** A test for the matrix alone. */
export const testRest = share(noTest, test);
/** A group of tests for the matrix alone. */
export const describeRest = share(noGroup, describe);
