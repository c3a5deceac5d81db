import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/* What is wrong with a page for whoever looks at it, each fault a line; an empty list is a page to be proud of. */

/** The script that finds violations: a page that brings it with it is looked at in half the time. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Letters of Arabic change where they join, which axe takes for the icons of a font, and leaves the word out. We have none.
const checks = {
  'label-content-name-mismatch': {
    options: { pixelThreshold: Number.POSITIVE_INFINITY, valueTextRoles: ['switch', 'checkbox', 'radio'] },
  },
};

/** What axe finds by WCAG 2.2 AA; `rules` are all of them, or the named ones. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const run = (asked: object) => (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, asked);
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: standards };
  // What happens to lie under the tabs of a phone or the buttons of a long form is scrolled to; it is not too small to touch.
  const setTabs = (position: string) =>
    page.evaluate((position) => {
      for (const tabs of document.querySelectorAll<HTMLElement>('.tabs, .save-bar')) {
        if (position) tabs.style.position = position;
        else tabs.removeAttribute('style');
      }
    }, position);
  await setTabs('static');
  const found: AxeResults = await page.evaluate(run, { runOnly, checks, resultTypes: ['violations'], preload: false });
  await setTabs('');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`),
  );
}

/** What is wider than the screen or its box, broken, too small to read or to type into, opens nothing, or is styled by an attribute. */
export function smallness(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = { text: 12, typed: 16 };
    /** A word up to this length is never broken. */
    const longest = 13;
    const faults: string[] = [];
    const width = document.documentElement.clientWidth;

    const nameOf = (element: Element) => {
      const said = element.textContent?.trim() || element.getAttribute('aria-label') || element.getAttribute('name');
      return `<${element.localName}> "${said?.replace(/\s+/g, ' ').slice(0, 40)}"`;
    };
    const isSeen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
    };
    /** A wide table may scroll by itself. */
    const isScrolled = (element: Element) => element.closest('.overflow-x-auto') !== null;
    /** Ends in an ellipsis where it has no room. */
    const isCut = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).textOverflow === 'ellipsis' || isCut(element.parentElement));
    const isForEarsOnly = (element: Element) => element.closest('.sr-only') !== null;
    const fontOf = (element: Element) =>
      Number.parseFloat(getComputedStyle(element).fontSize) *
      (element as HTMLElement & { currentCSSZoom: number }).currentCSSZoom;
    const round = (pixels: number) => Math.round(pixels * 100) / 100;
    const tooSmall = (pixels: number, limit: number) => round(pixels) < limit;

    const isWide = document.documentElement.scrollWidth > width;
    if (isWide) faults.push(`the page is ${document.documentElement.scrollWidth} px wide on a screen of ${width} px`);

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const read = new Set<Element>();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const around = text.parentElement;
      if (!around || !text.textContent?.trim() || read.has(around)) continue;
      read.add(around);
      if (!isSeen(around) || isForEarsOnly(around)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      const box = around.closest('nav, header, section, li, dd, td, a, button, label, body')?.getBoundingClientRect();
      const isOut = left < -0.5 || right > Math.min(width, box?.right ?? width) + 0.5;
      if (isOut && !isScrolled(around) && !isCut(around))
        faults.push(`sticks out of its box at ${round(right)} px: ${nameOf(around)}`);
      for (const { index, 0: word } of text.textContent.matchAll(/\S+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => round(top)));
        if (word.length <= longest && lines.size > 1)
          faults.push(`broken into ${lines.size}: "${word}" of ${nameOf(around)}`);
      }
      const font = fontOf(around);
      if (tooSmall(font, least.text)) faults.push(`read at ${round(font)} px: ${nameOf(around)}`);
    }

    for (const field of document.querySelectorAll('input, select, textarea')) {
      const { type } = field as HTMLInputElement;
      if (['hidden', 'checkbox', 'radio'].includes(type) || !isSeen(field)) continue;
      const font = fontOf(field);
      if (tooSmall(font, least.typed)) faults.push(`typed at ${round(font)} px: ${nameOf(field)}`);
    }

    for (const opener of document.querySelectorAll('[popovertarget]')) {
      const opened = document.getElementById(opener.getAttribute('popovertarget') ?? '');
      if (isSeen(opener) && !opened) faults.push(`opens nothing: ${nameOf(opener)}`);
    }

    for (const element of document.querySelectorAll('[style]'))
      faults.push(`styled by an attribute: ${nameOf(element)}`);
    return faults;
  });
}

/** What would be wrong with the page on paper: no heading, something to press, or words that do not fit. */
export async function waste(page: Page): Promise<string[]> {
  const faults = (await smallness(page)).filter((fault) =>
    /^(the page is|sticks out|broken into \d+: "[^-]*" of)/.test(fault),
  );
  const pressed = await page.evaluate(() => {
    const visible = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const buttons = visible('button, nav, .pressable, .act, .ends, .round, [popover]').map(
      (one) => `printed: <${one.localName}> ${one.textContent}`,
    );
    const [first] = visible('h1, h2');
    return first ? buttons : [...buttons, 'no heading'];
  });
  return [...faults, ...pressed];
}

/** What is wider than the screen when letters alone are twice as large: by a reader's own style, or the size they chose. */
export async function widthTwiceAsLarge(page: Page): Promise<string[]> {
  const setRoot = (size: string) =>
    page.evaluate((to) => document.documentElement.style.setProperty('font-size', to), size);
  await setRoot('200%');
  const width = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await setRoot('');
  return width > 0 ? [`${width} px wider than the screen`] : [];
}

/** How React names the attribute of a property. */
const attributeOf: Record<string, string> = { className: 'class', htmlFor: 'for', dateTime: 'datetime' };

/**
 * Where the scripts would have written another attribute than the server. React keeps the server's without a word; of a text
 * that differs it throws an error.
 */
export const mismatches = (page: Page): Promise<string[]> =>
  page.evaluate((names) => {
    type Props = Record<string, unknown>;
    const propsOf = (element: Element) => {
      const key = Object.keys(element).find((name) => name.startsWith('__reactProps'));
      return key ? (element as unknown as Record<string, Props>)[key] : {};
    };
    return [...document.querySelectorAll('*')].flatMap((element) =>
      Object.entries(propsOf(element) ?? {}).flatMap(([property, written]) => {
        const name = names[property] ?? property;
        const served = element.getAttribute(name);
        if (typeof written !== 'string' || !/^[a-z-]+$/.test(name) || served === written) return [];
        // The text of an element, what a choice begins with, and what a browser hides are no attributes.
        if (name === 'children' || name === 'nonce' || (name === 'value' && /select|textarea/.test(element.localName)))
          return [];
        return [`${element.localName} ${name}: ${served} is not ${written}`];
      }),
    );
  }, attributeOf);
