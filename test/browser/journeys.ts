import { share } from '../support/matrix';
import { desk, phone } from './browser';

/*
 * The journeys of one job: with scripts and without, on a phone and on a desk. `npm test` does each job in the one
 * that breaks first, the matrix in the others.
 */

type Journey = [scripts: 'off' | 'on', width: number, setting: { script: boolean; viewport: typeof phone }];
const journey = (script: boolean, viewport: typeof phone): Journey => [
  script ? 'on' : 'off',
  viewport.width,
  { script, viewport },
];

/**
 * The journeys of a job, for `describe.each` of 'with scripts %s at %i px'. The first is that of the doors: what they test
 * without scripts has its test here in the matrix alone.
 */
export const journeys = share([journey(false, phone)], [journey(true, phone), journey(true, desk)]);

type Scripts = [scripts: 'off' | 'on', script: boolean];
/** For what a script could break, and what doors/ asks of the same screen without one: for `describe.each` of 'with scripts %s'. */
export const scriptsFirst = share<Scripts[]>([['on', true]], [['off', false]]);
