import { expect, test } from 'vitest';
import { regionOfLanguages, weekStartIn } from '../../../app/domain/time/week-start';

const [sunday, monday, saturday] = [0, 1, 6];

test.each([
  ['US', sunday],
  ['PT', sunday],
  ['IN', sunday],
  ['DE', monday],
  ['GB', monday],
  ['EG', saturday],
  [null, sunday],
])('in %s the week begins on day %i', (region, day) => {
  expect(weekStartIn(region)).toBe(day);
});

test.each([
  ['de-DE,en;q=0.8', 'DE'],
  ['en-us', 'US'],
  ['zh-Hant-TW;q=0.9', 'TW'],
  [' pt-PT', 'PT'],
  ['de,en-US', null],
  ['de-1996', null],
  ['*', null],
  ['', null],
])('of whoever prefers "%s" the region is %s', (languages, region) => {
  expect(regionOfLanguages(languages)).toBe(region);
});
