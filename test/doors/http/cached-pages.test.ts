import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, added, calls, makeRouteWorld, type RouteWorld, readers } from '../../support/every-route';
import type { Person, Row } from '../../support/factories';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  look,
  password,
  peopleAt,
  publish,
  publishOne,
} from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { createService } from '../../support/services';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, type Sent, timesOn, titleOf, tripsOf } from '../../support/visit';

/* A provider's page is cached for strangers for some seconds, and each change drops it. */

const daybook = useServer();
const { newConsumer, newProvider } = peopleAt(daybook);
const hostile = '<meta http-equiv="refresh" content="0;url=//evil.example"><form action="//evil.example">';
const { maya, host, rival } = useWorld(daybook, {
  maya: {},
  host: { description: hostile },
  rival: { description: hostile },
});

const pageForStrangers = (who: Person, query = '') => daybook.visitor().get(`/with/${who.username}${query}`);
let days = 1;
const freshDay = () => dayAhead(++days);

describe('a page for strangers', () => {
  let ana: Person;
  let fresh: Page;
  let cached: Page;
  beforeAll(async () => {
    ana = await newProvider();
    await publish(ana);
    fresh = await pageForStrangers(ana);
    cached = await pageForStrangers(ana);
  });

  test('asks the database once', () => {
    expect(tripsOf(fresh)).toBe(1);
    expect(tripsOf(cached)).toBe(0);
  });

  test('is the same for the next one', () => {
    expect(cached.text).toBe(fresh.text);
    expect(cached.headers.get('content-type')).toBe(fresh.headers.get('content-type'));
  });

  test('may be cached by others for what is left of fifteen seconds', () => {
    expect(fresh.headers.get('cache-control')).toBe('public, max-age=15');
    expect(cached.headers.get('cache-control')).toMatch(/^public, max-age=1[0-5]$/);
  });

  test('is as safe when it was cached', () => {
    expect(cached.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(cached.headers.get('x-content-type-options')).toBe(fresh.headers.get('x-content-type-options'));
  });

  test('has a request id of its own each time', () => {
    expect(cached.headers.get('x-request-id')).not.toBe(fresh.headers.get('x-request-id'));
  });

  test('holds nothing that is meant for one reader', () => {
    expect(cached.text).not.toMatch(/nonce|name="once"/);
  });
});

describe('a page for people who are logged in', () => {
  let ana: Person;
  beforeEach(async () => {
    ana = await newProvider();
    await publish(ana);
  });

  test('is cached for nobody else', async () => {
    const own = await ana.browser.get(`/with/${ana.username}`);

    expect(tripsOf(own)).toBe(1);
    expect(tripsOf(await pageForStrangers(ana))).toBe(1);
  });

  test('is none that was cached for strangers', async () => {
    await pageForStrangers(ana);

    for (const reader of [maya, ana]) {
      const page = await reader.browser.get(`/with/${ana.username}`);
      expect(tripsOf(page)).toBe(1);
      expect(page.headers.get('cache-control')).toBe('private, no-store');
    }
  });

  test('leaves the one that was cached for strangers', async () => {
    await pageForStrangers(ana);

    await maya.browser.get(`/with/${ana.username}`);

    expect(tripsOf(await pageForStrangers(ana))).toBe(0);
  });
});

describe('a page that was asked for', () => {
  let ana: Person;
  let services: Record<'cut' | 'beard', string>;
  beforeAll(async () => {
    ana = await newProvider();
    // More times on a day than a page shows.
    await publish(ana, { dates: [40, 41].map((ahead) => dayAhead(ahead)), end: '15:00' }, 'len=10');
    const [cut, beard] = [await createService(ana, { name: 'Cut' }), await createService(ana, { name: 'Beard' })];
    services = { cut: cut.id, beard: beard.id };
  });
  const withService = (more: string) => `?service=${services.cut}&${more}`;
  const monthAhead = (ahead: number) => isoAhead(ahead).slice(0, 7);

  test.each<[what: string, one: () => string, other: () => string]>([
    ['service', () => `?service=${services.cut}`, () => `?service=${services.beard}`],
    ['service, before one was chosen', () => '', () => `?service=${services.beard}`],
    ['month', () => withService(`month=${monthAhead(41)}`), () => withService(`month=${monthAhead(90)}`)],
    ['day', () => withService(`dates=${dayAhead(40)}`), () => withService(`dates=${dayAhead(41)}`)],
    [
      'number of days',
      () => withService(`dates=${dayAhead(40)}`),
      () => withService(`dates=${dayAhead(40)}&dates=${dayAhead(41)}`),
    ],
    ['page of times', () => withService(`dates=${dayAhead(40)}`), () => withService(`dates=${dayAhead(40)}&page=1`)],
  ])('for one %s is not shown for another', async (_, one, other) => {
    // Drops what was cached for an earlier test.
    await ana.api('PUT', '/api/Account/SetRules', { notice: 0 });
    const asked = await pageForStrangers(ana, one());
    expect(tripsOf(await pageForStrangers(ana, one()))).toBe(0);

    const next = await pageForStrangers(ana, other());

    expect(next.status).toBe(200);
    expect(tripsOf(next)).toBe(1);
    expect(next.text).not.toBe(asked.text);
  });

  test('for a service names that service', async () => {
    const [cut, beard] = [
      await pageForStrangers(ana, `?service=${services.cut}`),
      await pageForStrangers(ana, `?service=${services.beard}`),
    ];

    expect(cut.words).toContain('Cut');
    expect(cut.words).not.toContain('Beard');
    expect(beard.words).toContain('Beard');
    expect(beard.words).not.toContain('Cut');
  });

  test('for one provider is not shown for another', async () => {
    const other = await newProvider();
    await pageForStrangers(ana);

    expect(titleOf(await pageForStrangers(other))).toBe(other.displayName);
  });
});

describe('a page that was cached shows at once', () => {
  const makeWorld = async () => {
    const ana = await newProvider();
    const slots = await publish(ana, { dates: [freshDay()], start: '09:00', end: '11:00' });
    const [slot, another, booked] = slots as [Row, Row, Row];
    await book(maya, booked);
    const leaver = await newConsumer();
    await book(leaver, another);
    const { link } = (await look(maya, booked)).json as Row;
    const party = await createParty(ana, { showOnPage: true, title: 'Open evening' });
    return { ana, slot, booked, leaver, key: link?.split('/').at(-1), party };
  };
  type Change = (world: Awaited<ReturnType<typeof makeWorld>>) => Promise<unknown>;
  const byLink = (path: string) => daybook.visitor().api('PUT', `/api/Public/${path}`);
  const at = (path: string) => `/api/Appointment/${path}`;
  const evenings = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '18:00', end: '19:00' }));
  const wanda = { displayName: 'Wanda' };
  const later = { start: '15:00', end: '15:30' };
  const closed = { title: 'Closed evening' };

  test.each<[what: string, change: Change]>([
    ['a publication', ({ ana }) => publishOne(ana, { dates: [dayAhead(days)], ...later })],
    [
      'a booking by a stranger',
      async ({ ana, slot }) => (await pageForStrangers(ana, `/${slot.id}`)).submit('Book', wanda),
    ],
    ['a booking for somebody', ({ ana, slot }) => ana.api('POST', at(`BookFor?id=${slot.id}`), wanda)],
    ['a cancellation, which opens the time again', ({ booked }) => cancel(maya, booked)],
    ['a cancellation by link', ({ key }) => byLink(`CancelBooking?key=${key}`)],
    ['a client who deletes their account', ({ leaver }) => leaver.api('DELETE', '/api/Account/Delete', { password })],
    ['a withdrawn slot', ({ ana, slot }) => cancel(ana, slot)],
    ['all slots withdrawn', ({ ana }) => ana.browser.post('/view-open', { all: 'yes' })],
    ['a move', ({ booked, slot }) => maya.api('PUT', at(`Move?id=${booked.id}&to=${slot.id}`))],
    ['a move by link', ({ key, slot }) => byLink(`MoveBooking?key=${key}&to=${slot.id}`)],
    ['rules', ({ ana }) => ana.api('PUT', '/api/Account/SetRules', { notice: 43_200 })],
    ['hours', ({ ana }) => ana.api('PUT', at('SetHours'), { hours: evenings })],
    ['a new name', ({ ana }) => ana.api('PUT', '/api/Account/SetProfile', { displayName: 'Somebody Else' })],
    ['another party', ({ ana }) => createParty(ana, { showOnPage: true, title: 'Another evening' })],
    ['a party that is called off', ({ ana, party }) => ana.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`)],
    ['another service', ({ ana }) => createService(ana, { name: 'Beard' })],
    ['a party’s new name', ({ ana, party }) => ana.api('PUT', `/api/Party/EditParty/${party.id}`, closed)],
  ])('%s', async (_, change) => {
    const world = await makeWorld();
    const before = await pageForStrangers(world.ana);
    expect(tripsOf(await pageForStrangers(world.ana))).toBe(0);

    await change(world);
    const after = await pageForStrangers(world.ana);

    expect(after.status).toBe(200);
    expect(tripsOf(after)).toBe(1);
    expect(after.text).not.toBe(before.text);
  });

  test('a booking while many strangers read', async () => {
    const { ana, slot } = await makeWorld();
    const readers = Array.from({ length: 20 }, () => pageForStrangers(ana));

    await Promise.all([...readers, book(maya, slot)]);

    expect(timesOn(await pageForStrangers(ana))).not.toContain(slot.id);
  });

  test('nothing of another provider', async () => {
    const [{ ana, slot }, other] = [await makeWorld(), await makeWorld()];
    await pageForStrangers(other.ana);

    await book(maya, slot);
    await pageForStrangers(ana);

    expect(tripsOf(await pageForStrangers(other.ana))).toBe(0);
  });
});

/* The page that a stranger gets, and one that is read from the database now. */
describe('a page that was cached is as one that was not, after each call that writes', () => {
  let world: RouteWorld;
  beforeAll(async () => {
    world = await makeRouteWorld(daybook);
  });
  const readAnew = (who: Person) => daybook.visitor().get(`/with/${who.username}`, { authorization: 'Bearer none' });

  // A stranger comes first, so that nobody of the world is logged out.
  const writers = ['stranger', 'provider', 'consumer'] as const;
  const writerOf = ([, , statuses]: ApiCall) =>
    writers.find((reader) => Number(statuses[readers.indexOf(reader)]) < 300);
  const writes = [...calls, ...added].filter((call) => call[0] !== 'GET' && writerOf(call));
  test.each(writes)('%s %s', async (...write) => {
    const [method, call, , sends] = write;
    const sent = (await sends?.(world)) ?? {};
    const writer = writerOf(write);
    const browser = writer && writer !== 'stranger' ? world[writer].browser : daybook.visitor();
    await pageForStrangers(world.provider);
    expect(tripsOf(await pageForStrangers(world.provider))).toBe(0);

    const { status } = await browser.api(method, call.replace('/{id}', '') + (sent.path ?? ''), sent.body);

    const cached = await pageForStrangers(world.provider);
    const fresh = await readAnew(world.provider);
    expect(status).toBeLessThan(300);
    expect(tripsOf(fresh)).toBe(1);
    expect(cached.text).toBe(fresh.text);
  });
});

describe('however somebody asks for the page, the next stranger gets it', () => {
  let plain: string;
  beforeAll(async () => {
    for (const provider of [host, rival]) await publish(provider);
    plain = (await pageForStrangers(host)).text;
    expect(tripsOf(await pageForStrangers(host))).toBe(0);
  });
  // Each test asks while no page is cached, so that what it asks for may be.
  beforeEach(() => host.api('PUT', '/api/Account/SetRules', { notice: 0 }));

  async function expectPlainPage(): Promise<void> {
    const page = await pageForStrangers(host);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toBe(plain);
  }

  const routes = ['', 'root', 'routes/with/provider', 'routes%2Fwith%2Fprovider', 'routes/with/book', '__proto__'];
  const framework = ['_data', '_routes=routes/with/provider', 'index', '%5Fdata=routes/with/provider'];
  const mixed = ['page=0&_data=routes/with/provider', '_data=routes/with/provider&index', 'page=0&page=1'];
  const unknown = ['month=2031-13', 'dates=x', '__proto__=x', 'utm_source=elsewhere', '0=other&1=&2=&3=&4='];
  const queries = [...routes.map((route) => `_data=${route}`), ...framework, ...mixed, ...unknown];
  test.each(queries)('after ?%s', async (query) => {
    const asked = await pageForStrangers(host, `?${query}`);
    await expectPlainPage();

    // Nor is the page an answer to this.
    const askedAgain = await pageForStrangers(host, `?${query}`);
    expect(askedAgain.headers.get('content-type')).toBe(asked.headers.get('content-type'));
  });

  test.each(queries)('?%s is answered by a page, or by JSON without a tag', async (query) => {
    const { headers, text } = await pageForStrangers(host, `?${query}`);

    const isPage = headers.get('content-type') === 'text/html; charset=utf-8';
    if (!isPage) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text.includes('<')).toBe(isPage);
  });

  const headers: Sent[] = [
    { accept: 'application/json', 'accept-encoding': 'identity', 'accept-language': '<script>' },
    { 'if-range': 'x', range: 'bytes=0-0', 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
    { authorization: 'Bearer x', origin: 'https://evil.example', cookie: '__Host-daybook=x' },
    { host: 'daybook.localhost', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'x-original-url': '/login', 'x-rewrite-url': '/login', 'x-http-method-override': 'POST' },
    { 'x-remix-response': 'yes', 'x-remix-revalidate': 'yes', 'x-remix-redirect': 'yes', 'x-remix-error': 'yes' },
    { 'x-d1-bookmark': '00000001-00000002-00000003-0123456789abcdef' },
    { 'cf-ipcountry': 'JP', 'cf-timezone': 'Asia/Tokyo', 'cf-connecting-ip': '203.0.113.7' },
  ];
  test.each(headers)('after %j', async (sent) => {
    await daybook.visitor().get(`/with/${host.username}`, sent);

    await expectPlainPage();
  });

  test.each(headers)('after a request for data with %j', async (sent) => {
    await daybook.visitor().get(`/with/${host.username}?_data=routes/with/provider`, sent);

    await expectPlainPage();
  });

  test.each<[path: string, pathFor: (name: string) => string]>([
    ['/with/name.data', (name) => `/with/${name}.data`],
    ['/with/name/?_data=', (name) => `/with/${name}/?_data=`],
    ['/with/NAME?_data=', (name) => `/with/${name.toUpperCase()}?_data=`],
    ['/WITH/name', (name) => `/WITH/${name}`],
    ['//with/name', (name) => `${daybook.url}//with/${name}`],
    ['/with/name//', (name) => `/with/${name}//`],
    ['/with/name/%%2e', (name) => `/with/${name}/%2e`],
    ['/with//name', (name) => `/with//${name}`],
    ['/with/name;_data', (name) => `/with/${name};_data`],
    ['the key of a cached page', (name) => `/cached/${name}?0=&1=&2=&3=&4=`],
    ['the key of a change', (name) => `/cached-until/${name}`],
    ['the page of another provider', () => `/with/${rival.username}`],
  ])('after %s', async (_, pathFor) => {
    await daybook.visitor().get(pathFor(host.username));

    await expectPlainPage();
  });
});

describe('a response in JSON holds no tag', () => {
  test('of the API', async () => {
    const { text, json } = await daybook.visitor().api('GET', `/api/Public/Provider?username=${host.username}`);

    expect(text).not.toContain('<');
    expect((json as { description: string }).description).toBe(hostile);
  });

  test.each(['/api/Checkin/CreateTemplate?templateName=%3Cb%3E', '/api/<b>'])('of a call to %s', async (path) => {
    const template = [{ questionText: '<b>', questionType: 0, options: ['<i>', '<i>'] }];

    expect((await host.api('POST', path, template)).text).not.toContain('<');
  });

  test('of a screen', async () => {
    const data = await host.browser.get('/profile?_data=routes/account/profile');

    expect(data.text).not.toContain('<');
    expect(JSON.parse(data.text)).toMatchObject({ profile: { description: hostile } });
  });

  test('of the file of one’s own data', async () => {
    const file = await host.browser.get('/your-data/daybook.json');

    expect(file.text).not.toContain('<');
    expect(JSON.stringify(JSON.parse(file.text))).toContain(JSON.stringify(hostile));
  });
});
