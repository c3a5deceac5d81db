import { expect, test } from 'vitest';
import { ask, hasMore } from '../../support/appointment-calls';
import { book, dayAhead, peopleAt, publish, publishOne, type Row, rowsOf, several } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

/* How the lists of open slots are asked for. What is in them: test/domain/bookings/lists.test.ts. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: { location: 'Nowhere' } });

test('GetPage gives 20 rows a page, by start, and says whether more follow', async () => {
  const ana = await newProvider();
  await publish(ana, { end: '12:20' }, 'len=5'); // 40 slots
  const numbers = ['0', '1', '900000'];
  const pages = await Promise.all(numbers.map((page) => ask(maya, 'GetPage', { provider: ana.username, page })));
  expect(pages.map((page) => rowsOf(page).length)).toEqual([20, 20, 0]);
  expect(pages.map(hasMore)).toEqual(['true', 'false', 'false']);
  const starts = pages.flatMap(rowsOf).map(({ startsAt }) => startsAt);
  expect(starts).toEqual([...new Set(starts)].sort());
});

test('GetPage is filtered by provider, city, days and a part of a name, alone or together', async () => {
  const eva = await newProvider({ username: 'Salon.Eva', displayName: 'Éva Szabó', location: 'Győr' });
  const rui = await newProvider({ username: 'rui-gyor', displayName: '100%_Rui', location: 'Évora' });
  const [one, two] = [dayAhead(5), dayAhead(6)];
  for (const who of [eva, rui]) await publish(who, { dates: [one, two] });
  const evas = [`Salon.Eva ${one}`, `Salon.Eva ${two}`];
  const ruis = [`rui-gyor ${one}`, `rui-gyor ${two}`];
  const filters: [query: Record<string, string>, found: string[]][] = [
    [{ dates: `${two} ${one}` }, [...evas, ...ruis]],
    [{ dates: one, location: ' gYŐR ' }, evas.slice(0, 1)],
    [{ provider: 'salon.EVA' }, evas],
    [{ provider: 'salon.eva', location: 'Évora' }, []],
    [{ q: 'LON.e' }, evas],
    [{ q: 'E\u0301VA' }, evas],
    [{ q: '%_r' }, ruis],
    [{ q: 'eva', provider: 'salon.eva', location: 'győr', dates: two }, evas.slice(1)],
  ];
  const line = ({ provider, date }: Row) => `${provider} ${date}`;
  for (const [query, found] of filters)
    expect(
      rowsOf(await ask(maya, 'GetPage', query))
        .map(line)
        .sort(),
    ).toEqual(found);
});

test('GetDates gives each day that has an open slot once, the earliest first', async () => {
  const ana = await newProvider();
  const days = [dayAhead(20), dayAhead(375), dayAhead(740)]; // by month and day they would come the other way round
  await publish(ana, { end: '10:00', dates: days.slice(1).reverse() });
  const slot = await publishOne(ana, { dates: days.slice(0, 1) });
  const dates = async () => (await ask(maya, 'GetDates', { provider: ana.username.toUpperCase() })).json;
  expect(await dates()).toEqual(days);
  await book(maya, slot);
  expect(await dates()).toEqual(days.slice(1));
});

test('GetLocations gives the cities that have a provider, A to Z, each once, as first spelt', async () => {
  for (const location of ['Zürich', 'auckland', 'Lisbon', ' zÜRICH']) await newProvider({ location });
  const cities = (await ask(maya, 'GetLocations')).json as string[];
  expect(cities.filter((city) => /auckland|lisbon|nowhere|zürich/i.test(city))).toEqual([
    'auckland',
    'Lisbon',
    'Zürich',
  ]);
});

test('GetProviders gives providers by display name, 20 a page, with these four keys', async () => {
  const location = 'Manchester';
  const doctors = Array.from({ length: 21 }, (_, index) => `${index % 2 ? 'doctor' : 'Doctor'} ${10 + index}`);
  await Promise.all(doctors.map((displayName) => newProvider({ location, displayName })));
  const zoe = { username: 'zoe', displayName: 'Zoë', location, description: 'Voice' };
  await Promise.all([newProvider(zoe), newConsumer({ displayName: 'Doctor Who', location })]);
  const pages = await several(2, (page) => ask(maya, 'GetProviders', { location: ' mANCHESTER', page: String(page) }));
  expect(pages.map(hasMore)).toEqual(['true', 'false']);
  const found = pages.flatMap(({ json }) => json as (typeof zoe)[]);
  expect(found.map(({ displayName }) => displayName)).toEqual([...doctors, 'Zoë']);
  expect(found.at(-1)).toStrictEqual(zoe);
  expect(found[0]).toMatchObject({ description: null });
});
