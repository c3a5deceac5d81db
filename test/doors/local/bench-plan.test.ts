import { expect, test } from 'vitest';
import { Refusal } from '../../../app/local/refusal';
import { durationWords, linesOfSteps, stepsOf } from '../../bench/estimate';
import { noFigure } from '../../bench/load';
import { loadNames, loadsWith, mostSecondsFor, mostTimes, neededFor } from '../../bench/loads';
import { linesOf, type Measured, type Report, ratiosOf } from '../../bench/report';
import { settingsOf } from '../../bench/settings';
import { smallWorld, worldOf } from '../../bench/world-plan';
import { planSlots, planSpareSlots } from '../../bench/world-slots';

/* What `npm run bench` decides before it measures, and which figures it prints. */

const known = { screens: 170, coldScreens: 90, isMade: () => false };
const secondsOf = (...args: string[]) =>
  stepsOf(settingsOf(args), known).reduce((sum, { seconds }) => sum + seconds, 0);
const row = (more: Partial<Measured>): Measured => ({
  ...{ slots: 1_000, name: 'Book', connections: 10, requests: 1_000, refused: 0 },
  ...{ perSecond: 6_027, p50: 1, p99: 2, kilobytes: 1, cpu: 1 },
  ...more,
});
const reportOf = (rows: Measured[]): Report => ({
  ...{
    date: '',
    commit: '',
    machine: '',
    seconds: 1,
    rows,
    ratios: ratiosOf(rows),
    costs: [],
    counts: [],
    process: [],
  },
  worker: { raw: 1, gzip: 1 },
});

test('one refusal in a hundred leaves a figure, and one more leaves none', () => {
  expect(noFigure({ requests: 1_000, refused: 10 })).toBeUndefined();
  expect(noFigure({ requests: 1_000, refused: 11 })).toBe('no figure: refused 11 of 1000');
});

test('a load without a single response has no figure where one was refused', () => {
  expect(noFigure({ requests: 0, refused: 1 })).toBe('no figure: refused 1 of 0');
});

test('the report prints no speed of a row that was refused', () => {
  const text = linesOf(reportOf([row({ refused: 900 })]), undefined).join('\n');

  expect(text).toContain('no figure: refused 900 of 1000');
  expect(text).not.toContain('6027');
});

test('the report says how many were refused beside a figure', () => {
  const text = linesOf(reportOf([row({ refused: 3 })]), undefined).join('\n');

  expect(text).toMatch(/6027.*refused 3 of 1000/);
});

test('a row that was refused is compared with nothing, on either side', () => {
  const bare = row({ name: 'bare booking' });

  expect(ratiosOf([row({}), bare])).toHaveLength(1);
  expect(ratiosOf([row({ refused: 900 }), bare])).toEqual([]);
  expect(ratiosOf([row({}), { ...bare, refused: 900 }])).toEqual([]);
});

test('a longer load needs more free times, and rows that book nothing need none', () => {
  expect(neededFor('times', ['Book'], 1)).toBe(3 * (250 + 1_000) + 2 * (1 + 10 + 50));
  expect(neededFor('times', ['Book'], 2)).toBeGreaterThan(neededFor('times', ['Book'], 1));
  expect(neededFor('times', ['landing', 'BookRsvp', 'login'], 1)).toBe(0);
});

test('replies to parties are needed for the row that replies alone', () => {
  expect(neededFor('replies', ['BookRsvp'], 1)).toBeGreaterThan(3_000);
  expect(neededFor('replies', ['Book'], 1)).toBe(0);
});

test('spare times are as many as wanted, each once, and none that the world has or its rich provider', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const key = ({ provider, startsAt }: { provider: number; startsAt: number }) => `${provider} ${startsAt}`;
  const usual = new Set([...planSlots(smallWorld, now)].map(key));

  const spare = [...planSpareSlots(smallWorld, now, 5_000)];

  expect(new Set(spare.map(key)).size).toBe(5_000);
  expect(spare.filter((slot) => usual.has(key(slot)) || slot.provider === 0)).toEqual([]);
});

test('a load for which too many free times would be made is refused before it begins, with what would do', () => {
  const most = mostSecondsFor(loadNames);

  expect(() => settingsOf(['--seconds', '60'])).toThrow(`--seconds ${most} would do`);
  expect(settingsOf(['--seconds', String(most)]).seconds).toBe(most);
  expect(neededFor('times', loadNames, most + 1)).toBeGreaterThan(mostTimes);
});

test('a part that books nothing may be told any seconds', () => {
  expect(settingsOf(['cold', '--seconds', '60']).parts).toEqual(['cold']);
});

test.each([
  [['warm'], /no part "warm".*cold.*--sizes/s],
  [['constructor'], /no part "constructor"/],
  [['--size', '1000'], /--size'.*load.*--sizes/s],
  [['--sizes', ''], /whole numbers from 1000/],
  [['--sizes', '1000,many'], /whole numbers from 1000/],
  [['--sizes', '10'], /whole numbers from 1000/],
  [['--seconds', 'long'], /a number up to 60/],
  [['--only', 'Bok'], /"Bok".*Book; guest form/s],
])('%j is refused with what there is', (args, words) => {
  expect(() => settingsOf(args)).toThrow(Refusal);
  expect(() => settingsOf(args)).toThrow(words);
});

test('sizes that are given are those of the load and of the counting, and no others', () => {
  const { sizes } = settingsOf(['--sizes', '1000']);

  expect(sizes).toEqual({ load: [worldOf(1_000)], rows: [worldOf(1_000)] });
});

test('one row alone is the load, without the counting', () => {
  expect(settingsOf(['--only', 'Book']).parts).toEqual(['load']);
});

test('a row is measured with the yardsticks, which are first', () => {
  expect(loadsWith('landing')).toEqual(['bare read', 'bare response', 'landing', 'bare write', 'bare booking']);
});

test('the short run of a small world takes under two minutes once its world is made', () => {
  const steps = stepsOf(settingsOf(['--sizes', '1000', '--seconds', '1']), { ...known, isMade: () => true });

  expect(steps.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(120);
});

test('more seconds, more sizes and worlds to make take longer', () => {
  const short = secondsOf('--sizes', '1000', '--seconds', '1');

  expect(secondsOf('--sizes', '1000', '--seconds', '2')).toBeGreaterThan(short + 50);
  expect(secondsOf('--sizes', '1000,100000', '--seconds', '1')).toBeGreaterThan(short + 90);
  const made = stepsOf(settingsOf(['--sizes', '1000', '--seconds', '1']), { ...known, isMade: () => true });
  expect(made.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(short);
});

test('a world that several parts use is made once', () => {
  const steps = stepsOf(settingsOf(['load', 'rows', 'cold', '--sizes', '1000']), known);

  expect(steps.filter(({ what }) => what.startsWith('make'))).toHaveLength(1);
});

test('each step is printed with its time, below the time of all', () => {
  const lines = linesOfSteps([
    { what: 'make a world', seconds: 35 },
    { what: 'load', seconds: 90 },
  ]);

  expect(lines[0]).toContain('about 2 min 5 s');
  expect(lines.slice(1)).toEqual(['         35 s  make a world', '   1 min 30 s  load']);
});

test.each([
  [0.2, '1 s'],
  [59.6, '1 min'],
  [95, '1 min 35 s'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});
