import ICAL from 'ical.js';
import { type HTMLElement, NodeType, parse, type TextNode } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { untitled } from '../../../app/domain/templates/questions';
import { commonZones, listZones } from '../../../app/domain/time/zones';
import { languages } from '../../../app/domain/words/languages';
import { dump } from '../../../app/local/database';
import { type LookWorld, makeLookWorld, pathIn } from '../../browser/look-world';
import { screens, type Who } from '../../browser/screens';
import { readCsv } from '../../support/csv';
import { added, calls } from '../../support/every-route';
import { anyOf, namesOfDates, strangeWords } from '../../support/made-up';
import { madeUpWorker, place } from '../../support/made-up-worker';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* Every screen, table and calendar, in a language that shows which of its words nobody could translate. */

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
const machineTimes = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
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

/** What our code wrote into the cells of a table: its head, and the words for what is so or not. */
const wordsOfTable = ({ text }: Page): string[] =>
  readCsv(text)
    .flat()
    .map((cell) => cell.replaceAll(addresses, ' ').replaceAll(machineTimes, ' '));

const spokenProperties = ['name', 'x-wr-calname', 'summary', 'description', 'location'];
/** What a calendar program shows of a calendar, each text and name once. */
function wordsOfCalendar({ text }: Page): string[] {
  const shown = new Set<string>();
  const visit = (component: ICAL.Component) => {
    for (const property of component.getAllProperties()) {
      const name = property.getFirstParameter('cn');
      if (name) shown.add(name);
      if (spokenProperties.includes(property.name)) shown.add(String(property.getFirstValue()));
    }
    for (const part of component.getAllSubcomponents()) visit(part);
  };
  visit(new ICAL.Component(ICAL.parse(text)));
  return [...shown].map((words) => words.replaceAll(addresses, ' '));
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

  test.each([
    '/view-booked/bookings.csv',
    '/people/people.csv',
    '/view-party/:party/guests.csv',
    '/manage-meetup/:meetup/attendees.csv',
  ])('in the table %s', async (path) => {
    const table = await readerOf('provider').get(pathIn(world, path));

    expect(table.text).toContain('[');
    expect(wordsOfTable(table).flatMap((cell) => strangeWords([cell], known))).toEqual([]);
  });

  test.each([
    ['provider', '/appointments/:answered/daybook.ics'],
    ['consumer', '/appointments/:answered/daybook.ics'],
    ['nobody', ':link/daybook.ics'],
    ['nobody', ':rsvp/daybook.ics'],
    ['nobody', '/party/:party/daybook.ics'],
    ['nobody', '/meetup-rsvp/:invitation/daybook.ics'],
  ] as const)('for a %s in the file %s', async (who, path) => {
    const file = await readerOf(who).get(pathIn(world, path));

    expect(file.text).toContain('BEGIN:VEVENT');
    expect(wordsOfCalendar(file).flatMap((words) => strangeWords([words], known))).toEqual([]);
  });

  test.each([
    ['provider', ''],
    ['provider', '?busy=true'],
    ['consumer', ''],
    ['consumer', '?busy=true'],
  ] as const)('in the feed of a %s%s', async (who, asked) => {
    await world[who].api('PUT', '/api/Account/SetProfile', { lang: place });
    const { link } = (await world[who].api('POST', '/api/Account/MakeFeed', {})).json as { link: string };

    const feed = await daybook.visitor().get(link + asked);

    expect(feed.text).toContain('BEGIN:VEVENT');
    expect(wordsOfCalendar(feed).flatMap((words) => strangeWords([words], known))).toEqual([]);
  });
});
