import { expect, test } from 'vitest';
import { brokenSince, type Call, documentedByCall, read, written } from '../../support/calls';
import ofRelease from './calls-of-1.0.0.txt?raw';

/* Programs that were written for a release go on working. */

const call: Call = { takes: ['id', 'reason'], needs: ['id'], answers: { 200: ['id', 'of.name'], 404: [] } };
const calls = { 'PUT /api/Thing/End': call };

test('each call takes and answers at least what it did in 1.0.0, and needs no more', () => {
  expect(brokenSince(read(ofRelease), documentedByCall())).toEqual([]);
});

test('the text of a release says all of its calls', () => {
  expect(read(written(documentedByCall()))).toEqual(documentedByCall());
  expect(Object.keys(read(ofRelease)).length).toBeGreaterThan(100);
});

test.each<[string, typeof calls | object]>([
  ['PUT /api/Thing/End is gone', {}],
  ['PUT /api/Thing/End does not take reason', { 'PUT /api/Thing/End': { ...call, takes: ['id'] } }],
  ['PUT /api/Thing/End needs reason', { 'PUT /api/Thing/End': { ...call, needs: ['id', 'reason'] } }],
  [
    'PUT /api/Thing/End does not answer 404',
    { 'PUT /api/Thing/End': { ...call, answers: { 200: ['id', 'of.name'] } } },
  ],
  [
    'PUT /api/Thing/End answers 200 without of.name',
    { 'PUT /api/Thing/End': { ...call, answers: { 200: ['id'], 404: [] } } },
  ],
])('it sees that %s', (fault, now) => {
  expect(brokenSince(calls, now as typeof calls)).toEqual([fault]);
});

test('more calls, parameters and fields are no fault', () => {
  const more = { ...call, takes: [...call.takes, 'more'], answers: { ...call.answers, 200: ['id', 'of.name', 'new'] } };

  expect(brokenSince(calls, { ...calls, 'GET /api/Thing/Get': call, 'PUT /api/Thing/End': more })).toEqual([]);
});
