import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { pathIn } from '../../browser/look-world';
import { readCsv } from '../../support/csv';
import { strangeWords } from '../../support/made-up';
import { addresses, wordsOf } from '../../support/made-up-pages';
import { place } from '../../support/made-up-worker';
import { everyPath, useMadeUpWorld } from '../../support/made-up-world';
import type { Page } from '../../support/visit';

/* Every screen, table and calendar, in a language that shows which of its words nobody could translate. */

const madeUp = useMadeUpWorld();
const { daybook, readerOf } = madeUp;

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

describe('every word can be translated', () => {
  test.each(everyPath)('for a %s at %s', async (who, path) => {
    const page = await readerOf(who).visit(pathIn(madeUp.world, path));

    expect(page.text).toContain(`<html lang="${place}"`);
    expect(wordsOf(page).flatMap((parts) => strangeWords(parts, madeUp.known))).toEqual([]);
  });

  test.each([
    '/view-booked/bookings.csv',
    '/people/people.csv',
    '/view-party/:party/guests.csv',
    '/manage-meetup/:meetup/attendees.csv',
  ])('in the table %s', async (path) => {
    const table = await readerOf('provider').get(pathIn(madeUp.world, path));

    expect(table.text).toContain('[');
    expect(wordsOfTable(table).flatMap((cell) => strangeWords([cell], madeUp.known))).toEqual([]);
  });

  test.each([
    ['provider', '/appointments/:answered/daybook.ics'],
    ['consumer', '/appointments/:answered/daybook.ics'],
    ['nobody', ':link/daybook.ics'],
    ['nobody', ':rsvp/daybook.ics'],
    ['nobody', '/party/:party/daybook.ics'],
    ['nobody', '/meetup-rsvp/:invitation/daybook.ics'],
  ] as const)('for a %s in the file %s', async (who, path) => {
    const file = await readerOf(who).get(pathIn(madeUp.world, path));

    expect(file.text).toContain('BEGIN:VEVENT');
    expect(wordsOfCalendar(file).flatMap((words) => strangeWords([words], madeUp.known))).toEqual([]);
  });

  test.each([
    ['provider', ''],
    ['provider', '?busy=true'],
    ['consumer', ''],
    ['consumer', '?busy=true'],
  ] as const)('in the feed of a %s%s', async (who, asked) => {
    await madeUp.world[who].api('PUT', '/api/Account/SetProfile', { lang: place });
    const { link } = (await madeUp.world[who].api('POST', '/api/Account/MakeFeed', {})).json as { link: string };

    const feed = await daybook.visitor().get(link + asked);

    expect(feed.text).toContain('BEGIN:VEVENT');
    expect(wordsOfCalendar(feed).flatMap((words) => strangeWords([words], madeUp.known))).toEqual([]);
  });
});
