import { desk, phone } from './browser';

/*
 * What is the same job on screens of two widths, with scripts and without, takes longest of all tests. `npm test` does each
 * job twice, so that both widths and both ways are seen; `npm run test:matrix` (the project `matrix`) does what that leaves.
 */

/** Whether these tests are to do what `npm test` leaves. */
export const isRest = process.env.MATRIX === 'rest';

type Way = [scripts: 'off' | 'on', size: string, setting: { script: boolean; viewport: typeof phone }];

const jobs: Way[] = [
  ['off', '360 x 740', { script: false, viewport: phone }],
  ['on', '1280 x 900', { script: true, viewport: desk }],
];
const rest: Way[] = [
  ['off', '1280 x 900', { script: false, viewport: desk }],
  ['on', '360 x 740', { script: true, viewport: phone }],
];

/** With and without scripts, on a phone and on a desk: for `describe.each` of 'with scripts %s at %s'. */
export const everyWay = isRest ? rest : jobs;
