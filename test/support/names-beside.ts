import type { HTMLElement } from 'node-html-parser';
import type { Page } from './visit';

const inline = 'a, b, em, i, small, span, strong';

/** The smallest block of a page in which this element stands. */
function blockOf(element: HTMLElement): HTMLElement {
  let block = element;
  while (block.parentNode && block.matches(inline)) block = block.parentNode;
  return block;
}

/**
 * The sentences of a page in which a name stands that could turn them around: neither in `<bdi>`, nor between the signs of Unicode
 * that isolate it. A name that has its line to itself turns nothing.
 */
export const turnedBy = (page: Page, name: string): string[] =>
  page
    .$$('main *')
    .filter((element) =>
      element.childNodes.some(
        (child) => child.childNodes.length === 0 && child.rawText.replaceAll(`\u2068${name}\u2069`, '').includes(name),
      ),
    )
    .filter((element) => !element.closest('bdi, script, textarea'))
    .map((element) => blockOf(element).text.trim())
    .filter((text) => text !== name);
