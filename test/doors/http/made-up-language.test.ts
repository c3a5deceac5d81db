import { type HTMLElement, NodeType, parse, type TextNode } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../app/domain/words/languages';
import { dump } from '../../../app/local/database';
import { type LookWorld, makeLookWorld, pathIn } from '../../browser/look-world';
import { screens, type Who } from '../../browser/screens';
import { namesOfDates, strangeWords } from '../../support/made-up';
import { madeUpWorker, places } from '../../support/made-up-worker';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* Every screen, in a language that shows which of its words nobody could translate. */

const daybook = useServer({ before: madeUpWorker() });
let world: LookWorld;
beforeAll(async () => {
  world = await makeLookWorld(daybook);
});

const readerOf = (who: Who): Visitor => {
  const reader = who === 'nobody' ? daybook.visitor() : world[who].browser;
  reader.headers['accept-language'] = places.ltr;
  return reader;
};

// What a file or an address is, and what is said alike everywhere.
const unspoken = 'script, style, template, [translate=no], textarea, code, nav [lang]';
const sameEverywhere = [
  'Daybook',
  ...Object.values(languages),
  ...namesOfDates(places.ltr),
  ...Intl.supportedValuesOf('timeZone').flatMap((zone) => [zone, zone.split('/').at(-1)?.replaceAll('_', ' ') ?? '']),
  'UTC',
];
const spokenAttributes = ['aria-label', 'title', 'placeholder', 'alt', 'label', 'abbr', 'aria-description'];
const addresses = /(?:https?:\/\/|webcal:\/\/|\/)[^\s"<>]+|\S+@\S+/g;

/** The words of a page in their order, then those of its attributes, each by itself. */
function wordsOf({ text }: Page): { body: string[]; beside: string[] } {
  const root = parse(text, { blockTextElements: { script: true, style: true } });
  for (const left of root.querySelectorAll(unspoken)) left.remove();
  const body: string[] = [];
  const visit = (element: HTMLElement) => {
    for (const child of element.childNodes) {
      if (child.nodeType === NodeType.TEXT_NODE) body.push((child as TextNode).text.replaceAll(addresses, ' '));
      else if (child.nodeType === NodeType.ELEMENT_NODE) visit(child as HTMLElement);
    }
  };
  visit(root);
  const beside = root
    .querySelectorAll('*')
    .flatMap((element) => spokenAttributes.map((name) => element.getAttribute(name) ?? ''));
  const described = root.querySelectorAll('meta[name=description], meta[property^="og:"]');
  const buttons = root.querySelectorAll('input[type=submit], input[type=button]');
  return {
    body,
    beside: [
      ...beside,
      ...described.map((meta) => meta.getAttribute('content') ?? ''),
      ...buttons.map((button) => button.getAttribute('value') ?? ''),
    ].map((words) => words.replaceAll(addresses, ' ')),
  };
}

/** Texts of the book, as people typed them; what our code writes into it is one word in small letters. */
async function typedTexts(): Promise<string[]> {
  const typed = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) return Object.values(value).forEach(collect);
    if (typeof value !== 'string') return;
    if (/^[[{]/.test(value)) return collect(JSON.parse(value));
    if (!/^[a-z_]*$/.test(value)) for (const line of [value, ...value.split('\n')]) typed.add(line);
  };
  collect(Object.values(await dump(daybook.d1)));
  return [...typed].filter((text) => text.trim().length > 1);
}

async function strangeOn(page: Page): Promise<string[]> {
  const known = [...sameEverywhere, ...(await typedTexts())];
  const { body, beside } = wordsOf(page);
  return [...strangeWords(body, known), ...beside.flatMap((words) => strangeWords([words], known))];
}

const everyPath = Object.entries(screens).flatMap(([who, list]) =>
  [...new Set(list.map(({ path }) => path))].map((path) => [who as Who, path] as const),
);

describe('every word can be translated', () => {
  test.each(everyPath)('for a %s at %s', async (who, path) => {
    const page = await readerOf(who).visit(pathIn(world, path));

    expect(page.text).toContain(`<html lang="${places.ltr}"`);
    expect(await strangeOn(page)).toEqual([]);
  });
});
