import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { isFile, makeRouteWorld, more, type RouteWorld, readers, screens } from '../support/every-route';
import { share } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, pathOf } from './browser';

/* The same walk as at the doors, in a real browser with scripts on: no screen may break where its script runs. */

const daybook = useServer();
const browsers = browsersAt(daybook);
let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

/** In the order of their statuses. */
const numbered = readers.map((reader, index) => [reader, index] as const);
const first = numbered.filter(([reader]) => reader === 'provider');

describe.each(
  share(
    first,
    numbered.filter((one) => !first.includes(one)),
  ),
)('to a %s, scripts on,', (reader, index) => {
  test('every screen answers as it should, and its script runs without an error', async () => {
    const page = await browsers.open({ as: reader === 'stranger' ? undefined : world[reader] });
    const pages = [...screens, ...more].filter(([path]) => !isFile(path));
    const refusals = new Set(pages.map(([, statuses]) => statuses[index] ?? 0).filter((status) => status >= 400));
    for (const status of refusals) expectConsoleError(new RegExp(`status of ${status}`));
    for (const [path, statuses, where] of pages) {
      const status = statuses[index] ?? 0;
      const answer = await page.goto(where(world));
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, answer?.status()]).toEqual([path, status === 302 ? 200 : status]);
      if (status === 302) expect([path, pathOf(page).split('?')[0]]).toEqual([path, '/not-logged-in']);
    }
  });
});
