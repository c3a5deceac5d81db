import { type HTMLElement, NodeType, parse, type TextNode } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { untitled } from '../../../app/domain/templates/questions';
import { commonZones, listZones } from '../../../app/domain/time/zones';
import { languages } from '../../../app/domain/words/languages';
import { dump } from '../../../app/local/database';
import { type LookWorld, makeLookWorld, pathIn } from '../../browser/look-world';
import { screens, type Who } from '../../browser/screens';
import { added, calls } from '../../support/every-route';
import { anyOf, namesOfDates, strangeWords } from '../../support/made-up';
import { madeUpWorker, place } from '../../support/made-up-worker';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* Every screen, in a language that shows which of its words nobody could translate. */

const daybook = useServer({ before: madeUpWorker() });
let world: LookWorld;
let known: RegExp;
beforeAll(async () => {
  world = await makeLookWorld(daybook);
  known = anyOf([...sameEverywhere, ...(await typedTexts())]);
});

const readerOf = (who: Who): Visitor => {
  const reader = who === 'nobody' ? daybook.visitor() : world[who].browser;
  reader.headers['accept-language'] = place;
  return reader;
};

// What people typed, what programs read, and a title once more, in letters.
const notOurs = 'script, style, template, textarea, [lang=en], .letters, nav [lang], .face';
const madeByOthers = ['Google Calendar', 'Google', 'Outlook', 'iCloud (iPhone, iPad, Mac)', 'Apple'];
const sameEverywhere = [
  ...['Daybook', 'UTC', ...Object.values(languages), ...madeByOthers, ...namesOfDates(place)],
  ...listZones('Etc/UTC')
    .flatMap((zone) => [zone, zone.split('/').at(-1) ?? ''])
    .map((name) => name.replaceAll('_', ' ')),
  ...commonZones(null).map((zone) => zone.replaceAll('_', ' ')),
  // The book has it as if it were typed.
  untitled,
  // Parts of addresses.
  ...new Set([...calls, ...added].map(([, path]) => path.split('/')[2] ?? '')),
];
const spokenAttributes = ['aria-label', 'title', 'placeholder', 'alt', 'label', 'abbr', 'aria-description'];
const spokenInHead = 'meta[name=description], meta[property="og:title"], meta[property="og:description"]';
const spokenButtons = 'input[type=submit], input[type=button]';
const addresses = /(?:https?|webcal):\/\/[^\s\]]+|[^\s[]+@[^\s\]]+/g;

/** The words of a page in their order, and those of each attribute. */
function wordsOf({ text }: Page): string[][] {
  const html = parse(text, { blockTextElements: { script: true, style: true } }).querySelector('html') as HTMLElement;
  for (const left of html.querySelectorAll(notOurs)) left.remove();
  const read: string[] = [];
  const visit = (element: HTMLElement) => {
    for (const child of element.childNodes) {
      if (child.nodeType === NodeType.TEXT_NODE) read.push((child as TextNode).text);
      else if (child.nodeType === NodeType.ELEMENT_NODE) visit(child as HTMLElement);
    }
  };
  visit(html);
  const beside = [
    ...html.querySelectorAll('*').flatMap((element) => spokenAttributes.map((name) => element.getAttribute(name))),
    ...html.querySelectorAll(spokenInHead).map((meta) => meta.getAttribute('content')),
    ...html.querySelectorAll(spokenButtons).map((button) => button.getAttribute('value')),
  ];
  const texts = [read, ...beside.flatMap((words) => (words ? [[words]] : []))];
  return texts.map((parts) => parts.map((part) => part.replaceAll(addresses, ' ')));
}

/** What people typed into the book. What our code writes there is one word in small letters, or an id. */
async function typedTexts(): Promise<string[]> {
  const typed = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part);
    else if (typeof value === 'string' && /^[[{]/.test(value)) collect(JSON.parse(value));
    else if (typeof value === 'string' && !/^[a-z_]*$/.test(value))
      for (const line of [value, ...value.split('\n'), ...value.split(addresses)]) typed.add(line.trim());
  };
  collect(Object.values(await dump(daybook.d1)));
  return [...typed].filter((text) => /\p{L}/u.test(text) && text.length > 1);
}

const everyPath = Object.entries(screens).flatMap(([who, list]) =>
  [...new Set(list.map(({ path }) => path))].map((path) => [who as Who, path] as const),
);

describe('every word can be translated', () => {
  test.each(everyPath)('for a %s at %s', async (who, path) => {
    const page = await readerOf(who).visit(pathIn(world, path));

    expect(page.text).toContain(`<html lang="${place}"`);
    expect(wordsOf(page).flatMap((parts) => strangeWords(parts, known))).toEqual([]);
  });
});
