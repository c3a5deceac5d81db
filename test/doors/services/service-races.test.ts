import { expect, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { raceForStanding, raceOfSeries } from '../../habits/series-races';
import { raceForSeats, raceOfLengths } from '../../habits/service-races';
import { registerCrowd, registerProvider } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* Races for services, series and standing times; `npm run races` has more rounds of each. */

const daybook = useServer();
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

test('the last place of a class, and half an hour that is in all that is wanted, have one winner each', {
  timeout: 120_000,
}, async () => {
  const crowd = await registerCrowd(daybook, 5);
  const race = { crowd, rounds: 12, chance: new Chance(31) };
  const seats = await raceForSeats(daybook.d1, { host: await registerProvider(daybook), ...race });
  expect([seats['1 won the last place'], sum(seats)]).toEqual([8, 12]);
  const lengths = await raceOfLengths(daybook.d1, { host: await registerProvider(daybook), ...race });
  expect(sum(lengths)).toBe(12);
});

test('series that cross are booked whole or not at all, and a standing time has what others did not book first', {
  timeout: 120_000,
}, async () => {
  const crowd = await registerCrowd(daybook, 5);
  const race = { crowd, chance: new Chance(33) };
  const series = await raceOfSeries(daybook.d1, { host: await registerProvider(daybook), rounds: 16, ...race });
  expect([series['series 201'], series['series 409'], series['one 409']].every((many = 0) => many > 0)).toBe(true);
  expect(sum(await raceForStanding(daybook.d1, { host: await registerProvider(daybook), rounds: 4, ...race }))).toBe(4);
});
