import { beforeAll, describe, expect, test } from 'vitest';
import { ask, hasMore, idsOf, openSlotsOf } from '../../support/appointment-calls';
import {
  book,
  cancel,
  dayAhead,
  peopleAt,
  publish,
  type Row,
  registerConsumer,
  registerProvider,
  rowsOf,
  several,
  writeSlot,
} from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

describe('GetPage', () => {
  test('gives 20 rows a page, by start, and says whether more follow', async () => {
    const ana = await newProvider();
    await publish(ana, { end: '12:20', dates: [dayAhead(3)] }, 'len=5'); // 40 slots
    const pages = await Promise.all(
      ['0', '1', '2', '900000'].map((page) => ask(maya, 'GetPage', { provider: ana.username, page })),
    );
    expect(pages.map((page) => [page.status, rowsOf(page).length, hasMore(page)])).toEqual([
      [200, 20, 'true'],
      [200, 20, 'false'],
      [200, 0, 'false'],
      [200, 0, 'false'],
    ]);
    const starts = pages.flatMap(rowsOf).map(({ startsAt }) => startsAt);
    expect(starts).toEqual([...new Set(starts)].sort());
  });

  test('shows only what is open and has not begun', async () => {
    const ana = await newProvider();
    const [booked, withdrawn, open] = await publish(ana, { end: '10:30' });
    await book(maya, booked as Row);
    await cancel(ana, withdrawn as Row);
    await writeSlot(daybook.d1, ana, { startsIn: -10 });
    await writeSlot(daybook.d1, ana, { startsIn: -600 });
    expect(idsOf(await openSlotsOf(maya, ana))).toEqual([open?.id]);
  });

  describe('filtered', () => {
    const town = useServer();
    let found: (query: Record<string, string>) => Promise<string[]>;

    beforeAll(async () => {
      const [reader, eva, rui] = await Promise.all([
        registerConsumer(town),
        registerProvider(town, { username: 'Salon.Eva', displayName: 'Éva Szabó', location: 'Győr' }),
        registerProvider(town, { username: 'rui-gyor', displayName: '100%_Rui', location: 'Évora' }),
      ]);
      for (const who of [eva, rui]) await publish(who, { dates: [dayAhead(5), dayAhead(6)] });
      found = async (query) => {
        const name = ({ provider }: Row) => (provider === eva.username ? 'eva' : 'rui');
        const day = ({ date }: Row) => (date === dayAhead(5) ? 'one' : 'two');
        const rows = rowsOf(await ask(reader, 'GetPage', query));
        return rows.map((row) => `${name(row)} ${day(row)}`).sort();
      };
    });

    const all = ['eva one', 'eva two', 'rui one', 'rui two'];
    test.each<[string, Record<string, string>, string[]]>([
      ['nothing', {}, all],
      ['a provider', { provider: 'salon.EVA' }, ['eva one', 'eva two']],
      ['a city in other letters', { location: ' gYŐR ' }, ['eva one', 'eva two']],
      ['one day', { dates: dayAhead(5) }, ['eva one', 'rui one']],
      ['two days', { dates: `${dayAhead(6)} ${dayAhead(5)}` }, all],
      ['a part of a username', { q: 'LON.e' }, ['eva one', 'eva two']],
      ['a part of a name in other bytes', { q: 'E\u0301VA' }, ['eva one', 'eva two']],
      ['signs as they are', { q: '%_r' }, ['rui one', 'rui two']],
      ['everything', { q: 'eva', provider: 'salon.eva', location: 'győr', dates: dayAhead(5) }, ['eva one']],
      ['a provider and another city', { provider: 'salon.eva', location: 'Évora' }, []],
    ])('by %s', async (_, query, expected) => expect(await found(query)).toEqual(expected));
  });
});

test('GetDates gives each day that has an open slot once, the earliest first', async () => {
  const ana = await newProvider({ username: 'Dated' });
  const days = [dayAhead(20), dayAhead(375), dayAhead(740)]; // by month and day they would come the other way round
  await publish(ana, { end: '10:00', dates: days.toReversed() });
  const dates = async (provider = 'dated') => (await ask(maya, 'GetDates', { provider })).json;
  expect(await dates('DATED')).toEqual(days);
  for (const slot of rowsOf(await ask(maya, 'GetPage', { provider: 'dated', dates: dayAhead(20) })))
    await book(maya, slot);
  expect(await dates()).toEqual(days.slice(1));
});

describe('GetLocations', () => {
  const world = useServer();

  test('gives the cities that have a provider, A to Z, each once, as first spelt', async () => {
    const reader = await registerConsumer(world, { location: 'Nowhere' });
    expect(await ask(reader, 'GetLocations')).toMatchObject({ status: 200, json: [] });
    for (const location of ['Zürich', 'auckland', 'Bengaluru', 'BENGALURU', 'Lisbon', ' zÜRICH']) {
      await registerProvider(world, { location });
    }
    expect((await ask(reader, 'GetLocations')).json).toEqual(['auckland', 'Bengaluru', 'Lisbon', 'Zürich']);
  });
});

test('GetProviders gives providers by display name, 20 a page, with these four keys', async () => {
  const location = 'Manchester';
  const doctors = Array.from({ length: 21 }, (_, index) => `${index % 2 ? 'doctor' : 'Doctor'} ${10 + index}`);
  await Promise.all(doctors.map((displayName) => newProvider({ location, displayName })));
  const zoe = { username: 'zoe', displayName: 'Zoë', location, description: 'Voice' };
  await Promise.all([newProvider(zoe), newConsumer({ displayName: 'Doctor Who', location })]);
  const pages = await several(3, (page) => ask(maya, 'GetProviders', { location: ' mANCHESTER', page: String(page) }));
  expect(pages.map(hasMore)).toEqual(['true', 'false', 'false']);
  const found = pages.map(({ json }) => json as (typeof zoe)[]);
  expect(found.map(({ length }) => length)).toEqual([20, 2, 0]);
  expect(found.flat().map(({ displayName }) => displayName)).toEqual([...doctors, 'Zoë']);
  expect(found[1]?.[1]).toStrictEqual(zoe);
  expect(found[0]?.[0]).toMatchObject({ description: null });
});
