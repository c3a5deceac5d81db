import { beforeAll, describe, expect, test } from 'vitest';
import { parseWireDate, weekdayOf } from '../../../app/domain/time/clock';
import { setRules } from '../../support/account-calls';
import { book, dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { createCard } from '../../support/people';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, titleOf } from '../../support/visit';

/* The day on which a reader's weeks begin, which is the same on every screen. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });
let booked: Row;
let wanda: { id: string };
beforeAll(async () => {
  const [first] = (await publish(ana, { dates: [dayAhead(5)], end: '12:00' })) as [Row];
  await book(maya, first);
  booked = first;
  wanda = await createCard(ana, { name: 'Wanda' });
  await setRules(ana, { waitlist: 'on' });
});

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const namesIn = { Sunday: ['Sunday', 'dimanche'], Monday: ['Monday', 'Montag'], Saturday: ['السبت'] };

const inHead = (page: Page) =>
  Object.entries(namesIn).find(([, names]) => names.includes(page.$('th')?.getAttribute('abbr') ?? ''))?.[0];
const inChoices = (selector: string) => (page: Page) => weekdays[Number(page.$(selector)?.getAttribute('value'))];
const inWeekBefore = (page: Page) => {
  const [, date = ''] = /from=(\d\d-\d\d-\d{4})/.exec(page.$('nav a[href*="from="]')?.getAttribute('href') ?? '') ?? [];
  return weekdays[weekdayOf(parseWireDate(date) ?? '')];
};

type Screen = [what: string, reader: () => Person, path: () => string, firstDay: (page: Page) => string | undefined];
const screens: Screen[] = [
  ['the month of a provider’s page', () => maya, () => `/with/${ana.username}`, inHead],
  ['the month of other times', () => maya, () => `/move/${booked.id}`, inHead],
  ['the days of publishing', () => ana, () => '/create', inHead],
  ['the hours', () => ana, () => '/hours', inChoices('[name=open]')],
  ['the week', () => ana, () => '/week', inWeekBefore],
  ['standing times', () => ana, () => `/people/${wanda.id}/standing`, inChoices('[name=day] option')],
  ['a wish', () => maya, () => `/with/${ana.username}/wait`, inChoices('[name=days]')],
];

describe.each([
  ['en-US', 'Sunday'],
  ['en-GB', 'Monday'],
  ['fr-CA', 'Sunday'],
  ['de-DE', 'Monday'],
  ['ar-EG', 'Saturday'],
  ['en', 'Sunday'],
])('for a reader of %s, who begins on %s,', (language, weekday) => {
  test.each(screens)('%s begins then', async (_, reader, path, firstDay) => {
    const page = await reader().browser.get(path(), { 'accept-language': language });

    expect(page.status, titleOf(page)).toBe(200);
    expect(firstDay(page)).toBe(weekday);
  });
});

describe('a page that is cached for strangers', () => {
  const pageIn = (language: string, provider: Person) =>
    daybook.visitor().get(`/with/${provider.username}`, { 'accept-language': language });

  test('begins its weeks for each reader on their own day', async () => {
    const provider = await newProvider();
    await publish(provider);
    await pageIn('de-DE', provider);

    expect(inHead(await pageIn('en-US', provider))).toBe('Sunday');
    expect(inHead(await pageIn('de-DE', provider))).toBe('Monday');
  });

  test('says that it differs by language', async () => {
    const fresh = await pageIn('pt-BR', ana);
    const cached = await pageIn('pt-BR', ana);

    expect(fresh.headers.get('vary')).toBe('Accept-Language, Cookie');
    expect(cached.headers.get('vary')).toBe('Accept-Language, Cookie');
  });
});
