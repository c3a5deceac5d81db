import type { Page } from 'playwright-core';
import { takenOver } from './browser';

/** Where the focus was, and what was wrong with it there. */
type Stops = Map<Element, string | null>;

/** Where Tab may stop, but for what a page keeps out of its way or does not show. */
const stops = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';

/** How many places Tab stops at on a page; of a group of radio buttons at one. */
const stopsOf = (page: Page) =>
  page.evaluate((selector) => {
    const groups = new Set<string>();
    const around = document.querySelector('dialog:modal') ?? document;
    return [...around.querySelectorAll<HTMLInputElement>(selector)].filter((element) => {
      if (element.disabled || element.tabIndex < 0 || element.closest('[inert]')) return false;
      if (!element.checkVisibility({ visibilityProperty: true })) return false;
      if (element.type !== 'radio') return true;
      const group = `${element.form?.id} ${element.name}`;
      return !groups.has(group) && groups.add(group);
    }).length;
  }, stops);

/**
 * Notes at each press of a key where the focus is then, and what is wrong with it: off the screen, covered, or without the
 * words that say what it is. To ask the page after each press takes as long again as the press.
 */
const noteStops = (page: Page) =>
  page.evaluate(() => {
    const stops: Stops = new Map();
    (window as unknown as { stops: Stops }).stops = stops;
    const note = () => {
      const focused = document.activeElement;
      if (focused && focused !== document.body && !stops.has(focused)) stops.set(focused, faultOf(focused));
    };
    window.addEventListener('keyup', note, { capture: true });

    /** Whether something else lies over a corner or the middle of it, or the screen ends before. */
    function isHidden(element: Element | null | undefined) {
      if (!element) return false;
      const { clientWidth, clientHeight } = document.documentElement;
      const { left, right, top, bottom, height } = element.getClientRects()[0] ?? element.getBoundingClientRect();
      if (left < -1 || right > clientWidth + 1) return true;
      // What is higher than the screen is seen where it begins or ends.
      const isTall = height > clientHeight / 2;
      const rows = [top + 2, (top + bottom) / 2, bottom - 2].filter((y) => !isTall || (y > 0 && y < clientHeight));
      const columns = [left + 2, (left + right) / 2, right - 2];
      const around = element.closest('label') ?? element;
      const isOver = (x: number, y: number) => {
        const seen = document.elementFromPoint(x, y);
        return !seen || !(around.contains(seen) || seen.contains(element));
      };
      const hidden = rows.map((y) => columns.filter((x) => isOver(x, y)).length);
      return isTall ? hidden.every((count) => count > 0) : hidden.some((count) => count > 1);
    }

    function faultOf(focused: Element) {
      const said = focused.getAttribute('aria-label') ?? focused.textContent ?? '';
      const name = `<${focused.localName}> "${said.trim().slice(0, 40)}" ${focused.getAttribute('name') ?? ''}`;
      const label = (focused as HTMLInputElement).labels?.[0];
      const group = focused.closest('fieldset');
      const isFirst = group?.querySelector('input') === focused;
      // A legend for ears only is nowhere on the screen.
      const legend = isFirst ? group?.querySelector('legend:not(.sr-only)') : null;
      if (isHidden(focused)) return `hidden: ${name}`;
      if (isHidden(label?.contains(focused) ? null : label)) return `its label is hidden: ${name}`;
      return isHidden(legend) ? `its legend is hidden: ${name}` : null;
    }
  });

/** How many elements the focus was at, and what was wrong. */
const readStops = (page: Page) =>
  page.evaluate(() => {
    const { stops } = window as unknown as { stops: Stops };
    return { seen: stops.size, faults: [...stops.values()].filter((fault) => fault !== null) };
  });

/** Presses a key until it has stopped everywhere, or would have had to. Between the last stop and the first is the browser's own bar. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const count = await stopsOf(page);
  await noteStops(page);
  let noted = await readStops(page);
  // A date or a time has a stop for each of its parts.
  for (let press = 0; press < count * 4 && noted.seen < count; ) {
    for (const end = press + count + 1 - noted.seen; press < end; press++) await page.keyboard.press(key);
    noted = await readStops(page);
  }
  const faults = noted.faults.map((fault) => `${key}: ${fault}`);
  return noted.seen < count ? [...faults, `${key} stops at ${noted.seen} of ${count}`] : faults;
}

/** Where Tab and Shift+Tab stop so that the focus or its label can't be seen, or do not stop. */
export async function strays(page: Page): Promise<string[]> {
  if ((await page.locator('script[type=module]').count()) > 0) await takenOver(page);
  const begin = () =>
    page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
  await begin();
  const faults = [...(await walk(page, 'Tab')), ...(await walk(page, 'Shift+Tab'))];
  await begin();
  return faults;
}
