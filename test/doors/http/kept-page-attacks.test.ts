import { beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../support/factories';
import { sendRaw } from '../../support/raw';
import { useServer, useWorld } from '../../support/use-server';
import { type Sent, tripsOf } from '../../support/visit';

/* Nobody changes what the next stranger sees of a provider by asking for the page in another way than browsers do. */

const daybook = useServer();

const hostile = '<meta http-equiv="refresh" content="0;url=//evil.example"><form action="//evil.example">';
const { ana, rival } = useWorld(daybook, { ana: { description: hostile }, rival: { description: hostile } });
let plain: string;
beforeAll(async () => {
  for (const provider of [ana, rival]) await publish(provider);
  plain = (await ask()).text;
});

const ask = (query = '', sent?: Sent) => daybook.visitor().get(`/with/${ana.username}${query}`, sent);
/** Asks while no page is kept, so that what is asked for may be; what the next stranger gets is the page all the same. */
async function expectThePageAfter<Answer>(what: string, asking: () => Promise<Answer>): Promise<Answer> {
  await ana.api('PUT', '/api/Account/SetRules', { notice: 0 });
  const answer = await asking();
  const page = await ask();
  expect([what, page.status, page.headers.get('content-type')]).toEqual([what, 200, 'text/html; charset=utf-8']);
  expect(page.text).toBe(plain);
  return answer;
}

const ofData = ['', 'root', 'routes/with/provider', 'routes%2Fwith%2Fprovider', 'routes/with/book', '__proto__'];
const framework = ['_data', '_routes=routes/with/provider', 'index', '%5Fdata=routes/with/provider'];
const mixed = ['page=0&_data=routes/with/provider', 'dates=01-07-2031&_data=', '_data=routes/with/provider&index'];
const twice = ['month=2031-01&month=2031-02', 'page=0&page=1', 'dates=01-07-2031%2001-08-2031'];
const unknown = ['month=2031-13', 'dates=x', '__proto__=x', 'utm_source=elsewhere', '0=other&1=&2=&3=&4='];
const parameters = [...ofData.map((of) => `_data=${of}`), ...framework, ...mixed, ...twice, ...unknown];
const paths = (name: string) => [
  ...[`/with/${name}.data`, `/with/${name}/?_data=`, `/with/${name.toUpperCase()}?_data=`, `/WITH/${name}`],
  ...[`${daybook.url}//with/${name}`, `/with/${name}//`, `/with/${name}/%2e`, `/with//${name}`],
  ...[`/with/${name};_data`, `/kept/${name}?0=&1=&2=&3=&4=`, `/kept-until/${name}`],
];
const headers: Sent[] = [
  { accept: 'application/json', 'accept-encoding': 'identity', 'accept-language': '<script>' },
  { 'if-range': 'x', range: 'bytes=0-0' },
  { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
  { authorization: 'Bearer x', origin: 'https://evil.example' },
  { cookie: '__Host-daybook=x' },
  { cookie: 'other=x' },
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  { 'x-original-url': '/login', 'x-rewrite-url': '/login', 'x-http-method-override': 'POST' },
  { 'x-remix-response': 'yes', 'x-remix-revalidate': 'yes', 'x-remix-redirect': 'yes', 'x-remix-error': 'yes' },
  { 'x-d1-bookmark': '00000001-00000002-00000003-0123456789abcdef' },
  { 'cf-ipcountry': 'JP', 'cf-timezone': 'Asia/Tokyo', 'cf-connecting-ip': '203.0.113.7' },
];

describe('the next stranger gets the page', () => {
  test.each(parameters)('after ?%s, which is a page or JSON without a tag', async (query) => {
    const { headers, text } = await expectThePageAfter(query, () => ask(`?${query}`));
    const type = headers.get('content-type');
    expect(type).toMatch(/^(text\/html|application\/json); charset=utf-8$/);
    expect(text.includes('<')).toBe(type?.startsWith('text/html'));
    // Nor is what is kept an answer to what asks for something else.
    expect((await ask(`?${query}`)).headers.get('content-type')).toBe(type);
    expect((await ask()).text).toBe(plain);
  });

  test.each(headers)('after %j', async (sent) => {
    for (const query of ['', '?_data=routes/with/provider']) {
      await expectThePageAfter(query, () => ask(query, sent));
    }
  });

  test('after every spelling of its address, and after that of another provider', async () => {
    for (const path of [...paths(ana.username), `/with/${rival.username}`]) {
      await expectThePageAfter(path, () => daybook.visitor().get(path));
    }
  });

  test('after every method, and a GET with a body', async () => {
    const page = `/with/${ana.username}`;
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PURGE', 'TRACE']) {
      await expectThePageAfter(method, () => daybook.visitor().api(method, `${page}?_data=routes/with/provider`));
    }
    const head = `GET ${page} HTTP/1.1\r\nHost: 127.0.0.1:${daybook.port}\r\nContent-Length: 7\r\nConnection: close`;
    await expectThePageAfter('a body', () => sendRaw(daybook.port, `${head}\r\n\r\n_data=x`, 300));
  });

  test('where it is kept, as everything here is measured against', async () => {
    expect(tripsOf(await expectThePageAfter('nothing', () => ask()))).toBe(1);
    expect(tripsOf(await ask())).toBe(0);
  });
});

test('an answer in JSON holds no tag: of the API, its errors, a screen and a file, and says the same', async () => {
  const stranger = daybook.visitor();
  const { text, json } = await stranger.api('GET', `/api/Public/Provider?username=${ana.username}`);
  expect([text.includes('<'), (json as { description: string }).description]).toEqual([false, hostile]);
  const template = [{ questionText: '<b>', questionType: 0, options: ['<i>', '<i>'] }];
  for (const path of ['/api/Checkin/CreateTemplate?templateName=%3Cb%3E', '/api/<b>']) {
    expect((await ana.api('POST', path, template)).text).not.toContain('<');
  }
  const data = await ana.browser.get('/profile?_data=routes/account/profile');
  expect(JSON.parse(data.text)).toMatchObject({ profile: { description: hostile } });
  const file = await ana.browser.get('/your-data/daybook.json');
  expect(JSON.stringify(JSON.parse(file.text))).toContain(JSON.stringify(hostile));
  for (const one of [data, file]) expect(one.text).not.toContain('<');
});
