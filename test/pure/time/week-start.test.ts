import { expect, test } from 'vitest';
import { regionOfLanguages, weekStartIn } from '../../../app/domain/time/week-start';

const [sunday, monday, saturday] = [0, 1, 6];

test.each([
  ['en', 'US', sunday],
  ['en', 'GB', monday],
  ['pt', 'PT', sunday],
  ['de', 'IN', sunday],
  ['de', 'DE', monday],
  ['fr', 'CA', sunday],
  ['ar', 'EG', saturday],
  ['ar', 'MA', monday],
])('the week of %s in %s begins on day %i', (language, region, day) => {
  expect(weekStartIn(language, region)).toBe(day);
});

test.each([
  ['en', sunday],
  ['de', monday],
  ['ar', saturday],
])('the week of %s in a place that nobody knows begins on day %i', (language, day) => {
  expect(weekStartIn(language, null)).toBe(day);
  expect(weekStartIn(language, 'XX')).toBe(day);
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
