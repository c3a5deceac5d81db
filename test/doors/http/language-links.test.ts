import { beforeAll, describe, expect, test } from 'vitest';
import { languageCodes } from '../../../app/domain/words/languages';
import { makeRouteWorld, type RouteWorld } from '../../support/every-route';
import { publishOne } from '../../support/factories';
import { mailTo, newAddress } from '../../support/mails';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { keyOf } from '../../support/waitlist';

/* The links by which a reader changes the language, and that those which people share name none. */

const daybook = useServer();
let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

const choices = (page: Page) => page.$$('nav.no-print a[lang]');
const addressIn = (page: Page, language: string) =>
  choices(page)
    .find((link) => link.getAttribute('lang') === language)
    ?.getAttribute('href');
const linksOf = (page: Page, rel: string) => page.$$(`link[rel=${rel}]`);

/** The host, whose browser remembers no language. */
const host = () => {
  const { browser } = world.provider;
  browser.cookies.receive(['lang=; Path=/; Max-Age=0'], '/');
  return browser;
};

type Shown = [what: string, show: () => Promise<Page>, path: () => string];
const shown: Shown[] = [
  ['the first page', () => daybook.visitor().get('/'), () => '/'],
  ['the home page', () => host().get('/'), () => '/'],
  ['the login', () => daybook.visitor().get('/login'), () => '/login'],
  ['the registration', () => daybook.visitor().get('/register'), () => '/register'],
  ['a screen', () => host().get('/hours'), () => '/hours'],
  ['a list of the API', () => daybook.visitor().get('/api'), () => '/api'],
  ['a provider’s page', () => daybook.visitor().get(providerPath()), () => providerPath()],
  ['an invitation', () => daybook.visitor().get(partyPath()), () => partyPath()],
  ['a personal link', () => daybook.visitor().get(world.link), () => world.link],
  ['a page that is not there', () => daybook.visitor().get('/nowhere'), () => '/nowhere'],
  ['a form that was refused', () => host().post('/create', { start: 'x' }), () => '/create'],
  ['a page that takes no form', () => host().post('/view-booked'), () => '/view-booked'],
];
const providerPath = () => `/with/${world.provider.username}`;
const partyPath = () => `/party/${world.party.id}`;

describe.each(shown)('%s', (_, show, path) => {
  let page: Page;
  beforeAll(async () => {
    page = await show();
  });

  test('leads to itself in each other language', () => {
    expect(choices(page).map((link) => link.getAttribute('lang'))).toEqual(
      languageCodes.filter((code) => code !== 'en'),
    );
    expect(addressIn(page, 'de')).toBe(`${path()}?lang=de`);
  });

  test('marks the language that it is in', () => {
    expect(page.$('nav.no-print [aria-current]')?.text).toBe('English');
  });

  test('is in Arabic there', async () => {
    const there = await page.reader.visit(addressIn(page, 'ar') ?? '');

    expect(there.$('html')?.getAttribute('dir')).toBe('rtl');
  });
});

test('a link to another language keeps what else is asked', async () => {
  const page = await daybook.visitor().get('/login?to=%2Fweek');

  expect(addressIn(page, 'fr')).toBe('/login?to=%2Fweek&lang=fr');
});

describe('a browser that opens an address with a language', () => {
  const opened = { 'Sec-Fetch-Mode': 'navigate' };

  test('is led to the address without it, with what else is asked', async () => {
    const answer = await daybook.visitor().get('/login?lang=fr&to=%2Fweek', opened);

    expect(answer.status).toBe(303);
    expect(answer.location).toBe('/login?to=%2Fweek');
  });

  test('shows that language there', async () => {
    const reader = daybook.visitor();
    await reader.get(`${providerPath()}?lang=ar`, opened);

    expect((await reader.get(providerPath())).$('html')?.getAttribute('lang')).toBe('ar');
  });

  test('that says only on which page a link was pressed is led there, too', async () => {
    const page = await daybook.visitor().get('/login');

    expect((await page.click('nav.no-print a[lang=de]')).path).toBe('/login');
  });

  test('is never led to another host', async () => {
    expect((await daybook.visitor().get('/.//login?lang=fr', opened)).location).toBe('/login');
  });
});

describe('for search engines', () => {
  // They name no page from which they came, and no browser's way of opening one.
  const engine = { 'Sec-Fetch-Mode': null };

  test.each<[what: string, path: () => string]>([
    ['the first page', () => '/'],
    ['a provider’s page', providerPath],
  ])('%s names itself in each language', async (_, path) => {
    const page = await daybook.visitor().get(path());

    const named = linksOf(page, 'alternate').map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]);
    const address = daybook.url + path();
    expect(named).toEqual([
      ['x-default', address],
      ...languageCodes.map((language) => [language, `${address}?lang=${language}`]),
    ]);
  });

  test.each<[what: string, path: () => string]>([
    ['the first page', () => '/'],
    ['a provider’s page', providerPath],
  ])('the address of %s names no language', async (_, path) => {
    const page = await daybook.visitor().get(`${path()}?lang=ar`, engine);

    expect(linksOf(page, 'canonical').map((link) => link.getAttribute('href'))).toEqual([daybook.url + path()]);
  });

  test('a preview is in the language of the page', async () => {
    const page = await daybook.visitor().get(`${providerPath()}?lang=de`, engine);

    expect(page.$('meta[property="og:description"]')?.getAttribute('content')).toContain(' bei ');
  });
});

describe('what a reader of Arabic shares', () => {
  const inArabic: [what: string, path: () => string][] = [
    ['their home page', () => '/'],
    ['their page', () => '/your-page'],
    ['a party', () => `/view-party/${world.party.id}`],
    ['a meetup', () => `/manage-meetup/${world.meetup.id}`],
    ['their calendar', () => '/calendar'],
    ['an invitation', partyPath],
    ['a provider’s page', providerPath],
    ['a personal link', () => world.link],
    ['a place in line', () => `/waiting/${keyOf(world.waiting)}`],
  ];

  test.each(inArabic)('of %s names no language', async (_, path) => {
    const page = await world.provider.browser.visit(`${path()}?lang=ar`);

    expect(page.status).toBe(200);
    expect(page.$('html')?.getAttribute('lang')).toBe('ar');
    for (const element of page.$$('nav.no-print a[lang], link[rel=alternate]')) element.remove();
    // Nobody shares where a form is sent.
    for (const form of page.$$('form')) form.removeAttribute('action');
    expect(page.root.querySelector('body')?.outerHTML).not.toContain('lang=ar');
  });

  test('by mail names no language', async () => {
    const slot = await publishOne(world.provider);
    const email = newAddress();
    const form = await daybook.visitor().visit(`/with/${slot.provider}/${slot.id}?lang=ar`);

    await form.submit('حجز', { displayName: 'Noura', email });

    expect((await mailTo(daybook.visitor(), email, /./)).text).not.toMatch(/[?&;]lang=/);
  });
});
