import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import routes from '../../app/routes';
import { expectConsoleError } from '../support/console';
import { isFile } from '../support/every-route';
import { share, testFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, desk, paper, phone } from './browser';
import { strays } from './keyboard';
import { type LookWorld, makeLookWorld, pathIn } from './look-world';
import { type Screen, screens, unfold, type Who } from './screens';
import { axe, smallness, violations, waste, widthTwiceAsLarge } from './sight';

const served = useServer();
const { openShared } = browsersAt(served);

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
  'provider: /hours, asked about a time',
  'consumer: /details/:asking?step=questions',
];

testFirst('every address of the product is among the screens that are looked at and walked by keyboard', () => {
  const paths = everyScreen.map(([, { path }]) => pathIn(world, path).split('?')[0] ?? '');
  const isSeen = (address: string) =>
    paths.some((path) => new RegExp(`^${address.replace(/:\w+/g, '[^/]+')}$`).test(path));
  const addresses = routes
    // What has no screen leads on to one.
    .filter(({ file }) => file.endsWith('.tsx'))
    .map(({ path = '' }) => `/${path}`)
    .filter((path) => !isFile(path) && !/^\/api\/|\*/.test(path))
    // What an address may leave out makes two of it.
    .flatMap((path) => (path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path]));

  expect(addresses.filter((address) => !isSeen(address))).toEqual([]);
});

type Look = {
  /** What is promised of the screen. */
  rule: string;
  viewport: typeof phone;
  colorScheme?: 'dark';
  media?: 'print';
  faultsOf: (page: Page) => Promise<string[]>;
};
const onPhone: Look[] = [{ rule: 'fits a phone of 360 px', viewport: phone, faultsOf: smallness }];
const heard: Look[] = [
  { rule: 'is walked by keyboard on a phone', viewport: phone, faultsOf: strays },
  { rule: 'keeps to WCAG on a phone', viewport: phone, faultsOf: (page) => violations(page) },
  {
    rule: 'has contrast on a dark phone',
    viewport: phone,
    colorScheme: 'dark',
    faultsOf: (page) => violations(page, ['color-contrast']),
  },
];
const rest: Look[] = [
  { rule: 'fits a tablet of 700 px', viewport: { width: 700, height: 900 }, faultsOf: smallness },
  { rule: 'fits a desk of 1280 px', viewport: desk, faultsOf: smallness },
  { rule: 'keeps to WCAG on a desk', viewport: desk, faultsOf: (page) => violations(page) },
  { rule: 'fits on paper', viewport: paper, media: 'print', faultsOf: waste },
  // Last, because it leaves a style attribute behind.
  { rule: 'fits a phone with letters of 200 %', viewport: phone, faultsOf: widthTwiceAsLarge },
];

type AnyScreen = Screen & { who: Who };
type Standing = { name: string; page: Page; status?: number; source?: string };

/** The screen that stands open: the tests of a screen only look, so they share it until one fails. */
let standing: Standing | undefined;

/** Opens a screen, and does what is to be done there. */
async function standOn(name: string, { who, path, act, status }: AnyScreen): Promise<Standing> {
  if (standing?.name === name && !standing.page.isClosed()) return standing;
  const brings = share(heardFirst.includes(name), true) ? [axe] : [];
  const page = await openShared({ as: who === 'nobody' ? undefined : world[who], brings });
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  if (status) expectConsoleError(new RegExp(`status of ${status}`));
  const response = await page.goto(pathIn(world, path));
  const source = await response?.text();
  await act?.(page, world);
  standing = { name, page, status: response?.status(), source };
  return standing;
}

describe.each(share(seenFirst, everyScreen))('%s', (name, screen) => {
  test('is answered with its status', async () => {
    const { status } = await standOn(name, screen);

    // Where something is done on the screen, the status is that of the answer to it.
    expect(status).toBe(screen.act ? 200 : (screen.status ?? 200));
  });

  test('is answered without a style attribute', async () => {
    const { source } = await standOn(name, screen);

    expect(source).toContain('<html');
    expect(source).not.toMatch(/<[a-z][^\s>]*(\s+[^\s=>]+(="[^"]*")?)*?\sstyle=/i);
  });

  const looks = [
    ...share(heardFirst.includes(name) ? heard : [], heard),
    ...(share(true, isForMatrix(screen)) ? onPhone : []),
    ...share([], rest),
  ];
  test.each(looks.map((look) => [look.rule, look] as const))('%s', async (_, look) => {
    const { viewport, colorScheme = 'light', media = 'screen', faultsOf } = look;
    const { page } = await standOn(name, screen);
    if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, media });

    expect(await faultsOf(page)).toEqual([]);
  });
});

testFirst('who comes to a party is read without sliding on a phone', async () => {
  const page = await openShared({ as: world.provider, viewport: phone });
  await page.goto(pathIn(world, '/view-party/:party'));
  const rightOf = async (role: 'cell' | 'region', name: string) => {
    const box = await page.getByRole(role, { name }).boundingBox();
    return box ? box.x + box.width : Number.NaN;
  };

  expect(await rightOf('cell', 'Yes')).toBeLessThanOrEqual(await rightOf('region', 'RSVPs'));
});
