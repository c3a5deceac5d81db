import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import routes from '../../app/routes';
import { expectConsoleError } from '../support/console';
import { isFile } from '../support/every-route';
import { share, testFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, desk, phone } from './browser';
import { type LookWorld, makeLookWorld } from './look-world';
import { type Screen, screens, unfold, type Who } from './screens';
import { axe, sheets, smallness, violations, waste, widthTwiceAsLarge } from './sight';

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

/** `npm test` asks axe about these, the matrix about all. */
const heardFirst = [
  'nobody: the landing page',
  'nobody: the form of a time',
  'provider: home',
  'provider: the week',
  'provider: the day sheet',
  'provider: hours',
  'provider: a party being created',
  'consumer: times',
  'consumer: the questions of a booking',
];

testFirst('every address of the product is among the screens that are looked at and walked by keyboard', () => {
  const paths = everyScreen.map(([, { path }]) => (typeof path === 'string' ? path : path(world)).split('?')[0] ?? '');
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
const contrastOf = (page: Page) => violations(page, ['color-contrast']);

const first: Look = { name: '360', viewport: phone, faultsOf: smallness };
const byAxe: Look = { name: '360, by axe', viewport: phone, faultsOf: (page) => violations(page) };
const rest: Look[] = [
  byAxe,
  { name: '360, dark', viewport: phone, colorScheme: 'dark', faultsOf: contrastOf },
  { name: '700', viewport: { width: 700, height: 900 }, faultsOf: smallness },
  { name: '1280', viewport: desk, faultsOf: smallness },
  { name: '1280, by axe', viewport: desk, faultsOf: (page) => violations(page) },
  { name: '1280, dark', viewport: desk, colorScheme: 'dark', faultsOf: contrastOf },
  { name: 'on A4, upright', viewport: sheets['A4, upright'], media: 'print', faultsOf: waste },
  { name: 'on A4, lying', viewport: sheets['A4, lying'], media: 'print', faultsOf: waste },
  // Last, because it leaves a style attribute behind.
  { name: '360, letters of 200 %', viewport: phone, faultsOf: widthTwiceAsLarge },
];

test.each(share(seenFirst, everyScreen))(
  '%s can be read, touched and heard, small and large, light and dark, and on paper',
  async (name, screen) => {
    const { who, path, act, status } = screen;
    const isHeard = share(heardFirst.includes(name), true);
    const page = await keepOpen({ as: who === 'nobody' ? undefined : world[who], brings: isHeard ? [axe] : [] });
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
    if (status) expectConsoleError(new RegExp(`status of ${status}`));
    const answer = await page.goto(typeof path === 'string' ? path : path(world));
    if (!act) expect(answer?.status()).toBe(status ?? 200);
    expect(await answer?.text()).not.toMatch(/<[^>]+\sstyle=/);
    await act?.(page, world);
    const faults: Record<string, string[]> = {};
    const looks = share(isHeard ? [byAxe, first] : [first], isForMatrix(screen) ? [first, ...rest] : rest);
    for (const { name: look, viewport, colorScheme = 'light', media = 'screen', faultsOf } of looks) {
      if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, media });
      const found = await faultsOf(page);
      if (found.length > 0) faults[look] = found;
    }
    expect(faults).toEqual({});
  },
);

testFirst(
  'who comes to a party is read without sliding on a phone, and on paper nothing of it is cut off',
  async () => {
    const page = await keepOpen({ as: world.provider });
    await page.setViewportSize(phone);
    await page.goto(`/view-party/${world.party}`);
    const table = page.getByRole('region', { name: 'RSVPs' });
    const rightOf = (what: Locator) => what.evaluate((box) => box.getBoundingClientRect().right);
    expect(await rightOf(page.getByRole('cell', { name: 'Yes' }))).toBeLessThanOrEqual(await rightOf(table));
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print' });
    const [whole, seen] = await table.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    expect(whole).toBe(seen);
  },
);
