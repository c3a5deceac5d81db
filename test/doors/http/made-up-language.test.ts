import ICAL from 'ical.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LookWorld, makeLookWorld, pathIn } from '../../browser/look-world';
import { screens, type Who } from '../../browser/screens';
import { readCsv } from '../../support/csv';
import { strangeWords } from '../../support/made-up';
import { addresses, knownWords, wordsOf } from '../../support/made-up-pages';
import { madeUpWorker, place } from '../../support/made-up-worker';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* Every screen, table and calendar, in a language that shows which of its words nobody could translate. */

const daybook = useServer({ before: madeUpWorker() });
let world: LookWorld;
let known: RegExp;
beforeAll(async () => {
  world = await makeLookWorld(daybook);
  known = await knownWords(daybook.d1);
});

const readerOf = (who: Who): Visitor => {
  const reader = who === 'nobody' ? daybook.visitor() : world[who].browser;
  reader.headers['accept-language'] = place;
  return reader;
};

const machineTimes = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
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
