import { beforeAll, describe, expect, test } from 'vitest';
import type { Person, Row } from '../../support/factories';
import { book, cancel, dayAhead, look, peopleAt, publish, publishOne } from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Sent, timesOn, tripsOf } from '../../support/visit';

/* A provider's page is kept for strangers for some seconds, and each change drops it. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const hostile = '<meta http-equiv="refresh" content="0;url=//evil.example"><form action="//evil.example">';
const { maya, host, rival } = useWorld(daybook, {
  maya: {},
  host: { description: hostile },
  rival: { description: hostile },
});

const strangers = (who: Person, query = '') => daybook.visitor().get(`/with/${who.username}${query}`);
let days = 1;
const freshDay = () => dayAhead(++days);

describe('a page for strangers', () => {
  test('is the same for the next one, asks the database nothing, and grows older', async () => {
    const ana = await newProvider();
    await publish(ana);
    const [first, second] = [await strangers(ana), await strangers(ana)];
    expect([tripsOf(first), tripsOf(second)]).toEqual([1, 0]);
    expect(second.text).toBe(first.text);
    const [fresh, kept] = [first, second].map(({ headers }) => Object.fromEntries(headers));
    expect(fresh?.['cache-control']).toBe('public, max-age=15');
    expect(kept).toMatchObject({
      'cache-control': expect.stringMatching(/^public, max-age=1[0-5]$/),
      'content-security-policy': expect.stringContaining("script-src 'none'"),
      'content-type': fresh?.['content-type'],
      'x-content-type-options': fresh?.['x-content-type-options'],
    });
    expect(kept?.['x-request-id']).not.toBe(fresh?.['x-request-id']);
    expect(second.text).not.toMatch(/nonce|name="once"/);
  });

  test('is not for whoever is logged in, and theirs is for nobody else', async () => {
    const ana = await newProvider();
    await publish(ana);
    const own = await ana.browser.get(`/with/${ana.username}`);
    expect([tripsOf(own), tripsOf(await strangers(ana))]).toEqual([1, 1]);
    for (const who of [maya, ana]) {
      const page = await who.browser.get(`/with/${ana.username}`);
      expect([tripsOf(page), page.headers.get('cache-control')]).toEqual([1, 'private, no-store']);
    }
    expect(tripsOf(await strangers(ana))).toBe(0);
  });
});

describe('a page that was kept shows at once', () => {
  const makeWorld = async () => {
    const ana = await newProvider();
    const slots = await publish(ana, { dates: [freshDay()], start: '09:00', end: '11:00' });
    const [slot, , booked] = slots as [Row, Row, Row];
    await book(maya, booked);
    const { link } = (await look(maya, booked)).json as Row;
    const party = await createParty(ana, { showOnPage: true, title: 'Open evening' });
    return { ana, slot, booked, key: link?.split('/').at(-1), party };
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
    ['a booking by a stranger', async ({ ana, slot }) => (await strangers(ana, `/${slot.id}`)).submit('Book', wanda)],
    ['a booking for somebody', ({ ana, slot }) => ana.api('POST', at(`BookFor?id=${slot.id}`), wanda)],
    ['a cancellation, which opens the time again', ({ booked }) => cancel(maya, booked)],
    ['a cancellation by link', ({ key }) => byLink(`CancelBooking?key=${key}`)],
    ['a withdrawn slot', ({ ana, slot }) => cancel(ana, slot)],
    ['all slots withdrawn', ({ ana }) => ana.browser.post('/view-open', { all: 'yes' })],
    ['a move', ({ booked, slot }) => maya.api('PUT', at(`Move?id=${booked.id}&to=${slot.id}`))],
    ['a move by link', ({ key, slot }) => byLink(`MoveBooking?key=${key}&to=${slot.id}`)],
    ['rules', ({ ana }) => ana.api('PUT', '/api/Account/SetRules', { notice: 43_200 })],
    ['hours', ({ ana }) => ana.api('PUT', at('SetHours'), { hours: evenings })],
    ['a new name', ({ ana }) => ana.api('PUT', '/api/Account/SetProfile', { displayName: 'Somebody Else' })],
    ['another party', ({ ana }) => createParty(ana, { showOnPage: true, title: 'Another evening' })],
    ['a party that is called off', ({ ana, party }) => ana.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`)],
    ['a party’s new name', ({ ana, party }) => ana.api('PUT', `/api/Party/EditParty/${party.id}`, closed)],
  ])('%s', async (_, change) => {
    const world = await makeWorld();
    const before = await strangers(world.ana);
    expect(tripsOf(await strangers(world.ana))).toBe(0);
    await change(world);
    const after = await strangers(world.ana);
    expect([after.status, tripsOf(after)]).toEqual([200, 1]);
    expect(after.text).not.toBe(before.text);
  });

  test('a booking, on no page once it is taken, and on those of no other provider', async () => {
    const [{ ana, slot }, other] = [await makeWorld(), await makeWorld()];
    await strangers(other.ana);
    const readers = Array.from({ length: 20 }, async () => timesOn(await strangers(ana)));
    await Promise.all([...readers, book(maya, slot)]);
    expect(timesOn(await strangers(ana))).not.toContain(slot.id);
    expect(tripsOf(await strangers(other.ana))).toBe(0);
  });
});

describe('however somebody asks for the page, the next stranger gets it', () => {
  let plain: string;
  beforeAll(async () => {
    for (const provider of [host, rival]) await publish(provider);
    plain = (await strangers(host)).text;
    expect(tripsOf(await strangers(host))).toBe(0);
  });

  /** Asks while no page is kept, so that what is asked for may be; what the next stranger gets is the page all the same. */
  async function expectThePageAfter<Answer>(what: string, asking: () => Promise<Answer>): Promise<Answer> {
    await host.api('PUT', '/api/Account/SetRules', { notice: 0 });
    const answer = await asking();
    const page = await strangers(host);
    expect([what, page.status, page.headers.get('content-type')]).toEqual([what, 200, 'text/html; charset=utf-8']);
    expect(page.text).toBe(plain);
    return answer;
  }

  const ofData = ['', 'root', 'routes/with/provider', 'routes%2Fwith%2Fprovider', 'routes/with/book', '__proto__'];
  const framework = ['_data', '_routes=routes/with/provider', 'index', '%5Fdata=routes/with/provider'];
  const mixed = ['page=0&_data=routes/with/provider', '_data=routes/with/provider&index', 'page=0&page=1'];
  const unknown = ['month=2031-13', 'dates=x', '__proto__=x', 'utm_source=elsewhere', '0=other&1=&2=&3=&4='];
  const queries = [...ofData.map((of) => `_data=${of}`), ...framework, ...mixed, ...unknown];
  test.each(queries)('after ?%s, which is a page or JSON without a tag', async (query) => {
    const { headers, text } = await expectThePageAfter(query, () => strangers(host, `?${query}`));
    const type = headers.get('content-type');
    expect(type).toMatch(/^(text\/html|application\/json); charset=utf-8$/);
    expect(text.includes('<')).toBe(type?.startsWith('text/html'));
    // Nor is what is kept an answer to what asks for something else.
    expect((await strangers(host, `?${query}`)).headers.get('content-type')).toBe(type);
  });

  test.each<Sent>([
    { accept: 'application/json', 'accept-encoding': 'identity', 'accept-language': '<script>' },
    { 'if-range': 'x', range: 'bytes=0-0', 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
    { authorization: 'Bearer x', origin: 'https://evil.example', cookie: '__Host-daybook=x' },
    { host: 'daybook.localhost', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { 'x-original-url': '/login', 'x-rewrite-url': '/login', 'x-http-method-override': 'POST' },
    { 'x-remix-response': 'yes', 'x-remix-revalidate': 'yes', 'x-remix-redirect': 'yes', 'x-remix-error': 'yes' },
    { 'x-d1-bookmark': '00000001-00000002-00000003-0123456789abcdef' },
    { 'cf-ipcountry': 'JP', 'cf-timezone': 'Asia/Tokyo', 'cf-connecting-ip': '203.0.113.7' },
  ])('after %j', async (sent) => {
    for (const query of ['', '?_data=routes/with/provider'])
      await expectThePageAfter(query, () => daybook.visitor().get(`/with/${host.username}${query}`, sent));
  });

  test('after every spelling of its address, and after that of another provider', async () => {
    const name = host.username;
    const spelled = [
      `/with/${name}.data`,
      `/with/${name}/?_data=`,
      `/with/${name.toUpperCase()}?_data=`,
      `/WITH/${name}`,
    ];
    const slashes = [`${daybook.url}//with/${name}`, `/with/${name}//`, `/with/${name}/%2e`, `/with//${name}`];
    const kept = [`/with/${name};_data`, `/kept/${name}?0=&1=&2=&3=&4=`, `/kept-until/${name}`];
    for (const path of [...spelled, ...slashes, ...kept, `/with/${rival.username}`])
      await expectThePageAfter(path, () => daybook.visitor().get(path));
  });
});

test('an answer in JSON holds no tag: of the API, its errors, a screen and a file, and says the same', async () => {
  const stranger = daybook.visitor();
  const { text, json } = await stranger.api('GET', `/api/Public/Provider?username=${host.username}`);
  expect([text.includes('<'), (json as { description: string }).description]).toEqual([false, hostile]);
  const template = [{ questionText: '<b>', questionType: 0, options: ['<i>', '<i>'] }];
  for (const path of ['/api/Checkin/CreateTemplate?templateName=%3Cb%3E', '/api/<b>']) {
    expect((await host.api('POST', path, template)).text).not.toContain('<');
  }
  const data = await host.browser.get('/profile?_data=routes/account/profile');
  expect(JSON.parse(data.text)).toMatchObject({ profile: { description: hostile } });
  const file = await host.browser.get('/your-data/daybook.json');
  expect(JSON.stringify(JSON.parse(file.text))).toContain(JSON.stringify(hostile));
  for (const one of [data, file]) expect(one.text).not.toContain('<');
});
