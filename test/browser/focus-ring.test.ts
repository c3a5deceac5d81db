import { beforeAll, expect, test } from 'vitest';
import { useServer } from '../support/use-server';
import { browsersAt, phone } from './browser';
import { type LookWorld, makeLookWorld } from './look-world';

const served = useServer();
const { open } = browsersAt(served);

let world: LookWorld;
beforeAll(async () => {
  world = await makeLookWorld(served);
});

test.each([
  ['a screen', '/login', 'Menu'],
  ['a letter', ({ meetup }: LookWorld) => `/meetup-rsvp/${meetup.open}`, 'Daybook'],
])('the ring around what has the focus stands out from the header of %s, light and dark', async (_, path, name) => {
  const page = await open();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(typeof path === 'string' ? path : path(world));
    await page.setViewportSize(phone);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const [ring, ground, focused] = await page.evaluate(() => {
      const header = document.querySelector('header') as Element;
      const focused = document.activeElement as Element;
      return [getComputedStyle(focused).outlineColor, getComputedStyle(header).backgroundColor, focused.textContent];
    });
    expect(focused).toBe(name);
    expect(contrast(ring, ground)).toBeGreaterThanOrEqual(3);
  }
});

/** How much lighter one colour is than another, by WCAG. */
function contrast(...colours: [string, string]): number {
  const [darker = 0, lighter = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}
