import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import routes from '../../app/routes';
import { expectConsoleError } from '../support/console';
import { isFile } from '../support/every-route';
import { share, testFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, desk, phone } from './browser';
import { strays } from './keyboard';
import { type LookWorld, makeLookWorld, pathIn } from './look-world';
import { type Screen, screens, unfold, type Who } from './screens';
import { axe, smallness, violations, waste, widthTwiceAsLarge } from './sight';

const served = useServer();
const { keepOpen } = browsersAt(served);

let world: LookWorld;
beforeAll(async () => {
  world = await makeLookWorld(served);
});

const everyScreen = Object.entries(screens).flatMap(([who, list]) =>
  list.map((screen) => [`${who}: ${screen.name}`, { ...screen, who: who as Who }] as const),
);
/** A screen that is empty, refuses or was pressed: `npm test` looks at each as most people find it. */
const isForMatrix = ({ who, act, status }: Screen & { who: Who }) =>
  who === 'newProvider' || who === 'newConsumer' || status !== undefined || (act !== undefined && act !== unfold);
const seenFirst = everyScreen.filter(([, screen]) => !isForMatrix(screen));

/** `npm test` walks these by keyboard and asks axe about them, the matrix all. */
const heardFirst = [
  'nobody: /',
  'nobody: /with/:provider/:asking',
  'provider: /week',
  'provider: /hours?date=2030-01-07&time=10:00',
  'consumer: /details/:asking?step=questions',
];

testFirst('every address of the product is among the screens that are looked at and walked by keyboard', () => {
  const paths = everyScreen.map(([, { path }]) => pathIn(world, path).split('?')[0] ?? '');
  const isSeen = (address: string) =>
    paths.some((path) => new RegExp(`^${address.replace(/:\w+/g, '[^/]+')}$`).test(path));
  const addresses = routes
    .map(({ path = '' }) => `/${path}`)
    .filter((path) => !isFile(path) && !/^\/api\/|\*/.test(path))
    // What an address may leave out makes two of it.
    .flatMap((path) => (path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path]));
  expect(addresses.filter((address) => !isSeen(address))).toEqual([]);
});

type Look = {
  name: string;
  viewport: typeof phone;
  colorScheme?: 'dark';
  media?: 'print';
  faultsOf: (page: Page) => Promise<string[]>;
};
const first: Look = { name: '360', viewport: phone, faultsOf: smallness };
const heard: Look[] = [
  { name: '360, by keyboard', viewport: phone, faultsOf: strays },
  { name: '360, by axe', viewport: phone, faultsOf: (page) => violations(page) },
];
const rest: Look[] = [
  { name: '360, dark', viewport: phone, colorScheme: 'dark', faultsOf: (page) => violations(page, ['color-contrast']) },
  { name: '700', viewport: { width: 700, height: 900 }, faultsOf: smallness },
  { name: '1280', viewport: desk, faultsOf: smallness },
  { name: '1280, by axe', viewport: desk, faultsOf: (page) => violations(page) },
  // What can be printed on of A4, within margins of 14 mm.
  { name: 'on paper', viewport: { width: 688, height: 1016 }, media: 'print', faultsOf: waste },
  // Last, because it leaves a style attribute behind.
  { name: '360, letters of 200 %', viewport: phone, faultsOf: widthTwiceAsLarge },
];

test.each(share(seenFirst, everyScreen))(
  '%s can be read, touched, heard and walked, small and large, light and dark, and on paper',
  async (name, screen) => {
    const { who, path, act, status } = screen;
    const isHeard = share(heardFirst.includes(name), true);
    const page = await keepOpen({ as: who === 'nobody' ? undefined : world[who], brings: isHeard ? [axe] : [] });
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
    if (status) expectConsoleError(new RegExp(`status of ${status}`));
    const answer = await page.goto(pathIn(world, path));
    if (!act) expect(answer?.status()).toBe(status ?? 200);
    expect(await answer?.text()).not.toMatch(/<[^>]+\sstyle=/);
    await act?.(page, world);
    const faults: Record<string, string[]> = {};
    const isFirst = share(true, isForMatrix(screen));
    const looks = [...(isHeard ? heard : []), ...(isFirst ? [first] : []), ...share([], rest)];
    for (const { name: look, viewport, colorScheme = 'light', media = 'screen', faultsOf } of looks) {
      if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, media });
      const found = await faultsOf(page);
      if (found.length > 0) faults[look] = found;
    }
    expect(faults).toEqual({});
  },
);

testFirst('who comes to a party is read without sliding on a phone', async () => {
  const page = await keepOpen({ as: world.provider, viewport: phone });
  await page.goto(pathIn(world, '/view-party/:party'));
  const rightOf = async (role: 'cell' | 'region', name: string) => {
    const box = await page.getByRole(role, { name }).boundingBox();
    return box ? box.x + box.width : Number.NaN;
  };
  expect(await rightOf('cell', 'Yes')).toBeLessThanOrEqual(await rightOf('region', 'RSVPs'));
});
