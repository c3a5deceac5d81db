import { share } from '../support/matrix';
import { desk, phone } from './browser';

/*
 * The ways to do the same job: with scripts and without, on a phone and on a desk. `npm test` does each job in the one
 * that breaks first, the matrix in the others.
 */

type Way = [scripts: 'off' | 'on', size: string, setting: { script: boolean; viewport: typeof phone }];

const way = (scripts: 'off' | 'on', viewport: typeof phone): Way => [
  scripts,
  `${viewport.width} x ${viewport.height}`,
  { script: scripts === 'on', viewport },
];
const [bare, small] = [way('off', phone), way('on', phone)];
const [bareAtDesk, large] = [way('off', desk), way('on', desk)];

/**
 * The ways of a job, for `describe.each` of 'with scripts %s at %s'. The first is that of the doors: what they test without
 * scripts has its test here in the matrix alone.
 */
export const waysOfAJob = share([bare], [bareAtDesk, small, large]);

type Scripts = [scripts: 'off' | 'on', script: boolean];
const [off, on]: [Scripts, Scripts] = [
  ['off', false],
  ['on', true],
];
/** For what a script could break, and what doors/ asks of the same screen without one: for `describe.each` of 'with scripts %s'. */
export const scriptsFirst = share([on], [off]);
