import { type HTMLElement, NodeType, parse, type TextNode } from 'node-html-parser';
import { untitled } from '../../app/domain/templates/questions';
import { commonZones, listZones } from '../../app/domain/time/zones';
import { languages } from '../../app/domain/words/languages';
import type { D1 } from '../../app/local/d1';
import { dump } from '../../app/local/database';
import { added, calls } from './every-route';
import { anyOf, namesOfDates } from './made-up';
import { place } from './made-up-worker';
import type { Page } from './visit';

/* What a page says in the made-up language, and what is no word of ours in it. */

// What people typed, what programs read, and a title once more, in letters.
const notOurs = 'script, style, template, textarea, [lang=en], .letters, nav [lang], .face';
const madeByOthers = ['Google Calendar', 'Google', 'Outlook', 'iCloud (iPhone, iPad, Mac)', 'Apple', 'WhatsApp'];
const sameEverywhere = [
  // The word before the last of a list, which Intl knows.
  new Intl.ListFormat(place).format(['', '']).trim(),
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
/** Addresses, of which nobody translates a word. */
export const addresses = /(?:https?|webcal):\/\/[^\s\]]+|[^\s[]+@[^\s\]]+/g;

/** The words of a page in their order, and those of each attribute. */
export function wordsOf({ text }: Page): string[][] {
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
async function typedTexts(d1: D1): Promise<string[]> {
  const typed = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part);
    else if (typeof value === 'string' && /^[[{]/.test(value)) collect(JSON.parse(value));
    else if (typeof value === 'string' && !/^[a-z_]*$/.test(value))
      for (const line of [value, ...value.split('\n'), ...value.split(addresses)]) typed.add(line.trim());
  };
  collect(Object.values(await dump(d1)));
  return [...typed].filter((text) => /\p{L}/u.test(text) && text.length > 1);
}

/** What is in a book with these rows the same in each language. @param more what else was typed */
export const knownWords = async (d1: D1, more: string[] = []): Promise<RegExp> =>
  anyOf([...sameEverywhere, ...(await typedTexts(d1)), ...more]);
