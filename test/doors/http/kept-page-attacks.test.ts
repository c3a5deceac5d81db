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
  plain = (await strangers()).text;
});

/** Drops the page that is kept, so that the next reader's may be. */
const drop = () => ana.api('PUT', '/api/Account/SetRules', { notice: 0 });
const ask = (query = '', sent?: Sent) => daybook.visitor().get(`/with/${ana.username}${query}`, sent);
const strangers = () => ask();

/** What the next stranger gets is the page, whatever has just been asked for. */
async function expectThePage(what: string): Promise<void> {
  const page = await strangers();
  expect([what, page.status, page.headers.get('content-type')]).toEqual([what, 200, 'text/html; charset=utf-8']);
  expect(page.text).toBe(plain);
}

const ofData = [
  '',
  'root',
  'routes/with/provider',
  'routes%2Fwith%2Fprovider',
  'routes/with/book',
  'routes/api/public',
];
const framework = [
  '_data',
  '_routes=',
  '_routes=routes/with/provider',
  'index',
  'index=',
  '%5Fdata=routes/with/provider',
];
const mixed = ['page=0&_data=routes/with/provider', 'dates=01-07-2031&_data=', '_data=routes/with/provider&index'];
const months = ['month=2031-01&month=2031-02', 'month=2031-13', 'month=', 'page=0&page=1', 'page=00000'];
const dates = ['dates=x', 'dates=01-07-2031%2001-08-2031'];
const unknown = ['_data=__proto__', 'constructor=x', '__proto__=x', 'utm_source=elsewhere', '0=other&1=&2=&3=&4='];
const parameters = [...ofData.map((of) => `_data=${of}`), ...framework, ...mixed, ...months, ...dates, ...unknown];
const paths = (name: string) => [
  ...[`/with/${name}.data`, `/with/${name}/_data`, `/with/${name}/?_data=`, `/with/${name.toUpperCase()}?_data=`],
  ...[`/WITH/${name}`, `${daybook.url}//with/${name}`, `/with/${name}//`, `/with/${name}/%2e`, `/with//${name}`],
  ...[`/with/${name};_data`, `/kept/${name}?0=&1=&2=&3=&4=`, `/kept-until/${name}`],
];
const overridden = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' };
const ofFramework = [
  'response',
  'revalidate',
  'redirect',
  'catch',
  'reload-document',
  'replace',
  'error',
  'transition',
];
const headers: Sent[] = [
  { accept: 'application/json', 'accept-encoding': 'identity', 'accept-language': '<script>' },
  { range: 'bytes=0-9' },
  { 'if-range': 'x', range: 'bytes=0-0' },
  { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() },
  { authorization: 'Bearer x' },
  { cookie: 'daybook=x' },
  { cookie: '__Host-daybook=x' },
  { cookie: 'other=x' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  { 'x-original-url': '/login', 'x-rewrite-url': '/login' },
  overridden,
  Object.fromEntries(ofFramework.map((name) => [`x-remix-${name}`, 'yes'])),
  { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'cache-control': 'no-cache', pragma: 'no-cache' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' },
  { 'content-type': 'application/json', 'content-length': '0', 'user-agent': '<script>' },
  { 'x-d1-bookmark': '00000001-00000002-00000003-0123456789abcdef' },
  { 'cf-ipcountry': 'JP', 'cf-timezone': 'Asia/Tokyo', 'cf-connecting-ip': '203.0.113.7' },
];
const methods = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'PURGE', 'TRACE'];

describe('the next stranger gets the page', () => {
  test('where it is kept, as everything here is measured against', async () => {
    await drop();
    expect([tripsOf(await strangers()), tripsOf(await strangers())]).toEqual([1, 0]);
    await expectThePage('kept');
  });

  test.each(parameters)('after ?%s, which is a page or JSON without a tag', async (query) => {
    await drop();
    const { headers, text } = await ask(`?${query}`);
    const isPage = headers.get('content-type')?.startsWith('text/html');
    if (!isPage) expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(text.includes('<')).toBe(isPage);
    expect(tripsOf(await strangers())).toBe(1);
    await expectThePage(query);
    // Nor is what is kept an answer to what asks for something else.
    const again = await ask(`?${query}`);
    expect([again.headers.has('cache-control'), again.headers.get('content-type')]).toEqual([
      true,
      headers.get('content-type'),
    ]);
    await expectThePage(query);
  });

  test('after every spelling of its address', async () => {
    for (const path of paths(ana.username)) {
      await drop();
      await daybook.visitor().get(path);
      await expectThePage(path);
    }
  });

  test.each(headers)('after %j', async (sent) => {
    for (const query of ['', '?_data=routes/with/provider']) {
      await drop();
      await ask(query, sent);
      await expectThePage(JSON.stringify(sent));
    }
  });

  test('after every method', async () => {
    for (const method of methods) {
      for (const query of ['', '?_data=routes/with/provider']) {
        await drop();
        await daybook.visitor().api(method, `/with/${ana.username}${query}`);
        await expectThePage(method);
      }
    }
  });

  test('after a GET with a body', async () => {
    await drop();
    const head = `GET /with/${ana.username} HTTP/1.1\r\nHost: 127.0.0.1:${daybook.port}\r\n`;
    await sendRaw(daybook.port, `${head}Content-Length: 7\r\nConnection: close\r\n\r\n_data=x`, 300);
    await expectThePage('a body');
  });

  test('of this provider, never of the other', async () => {
    await drop();
    await daybook.visitor().get(`/with/${rival.username}`);
    await expectThePage('the other');
  });

  test('with links to here, whatever host another has named', async () => {
    await drop();
    await ask('', { host: `evil.example:${daybook.port}` });
    const link = (await strangers()).$('link[rel=canonical]');
    expect(link?.getAttribute('href')).toBe(`${daybook.url}/with/${ana.username}`);
  });
});

describe('an answer in JSON holds no tag', () => {
  test('of the API, its errors, a screen and a file, and says the same', async () => {
    const stranger = daybook.visitor();
    const { text, json } = await stranger.api('GET', `/api/Public/Provider?username=${ana.username}`);
    expect([text.includes('<'), (json as { description: string }).description]).toEqual([false, hostile]);
    const template = [{ questionText: '<b>', questionType: 0, options: ['<i>', '<i>'] }];
    for (const path of ['/api/Checkin/CreateTemplate?templateName=%3Cb%3E', '/api/<b>']) {
      expect((await ana.api('POST', path, template)).text).not.toContain('<');
    }
    const data = await ana.browser.get('/profile?_data=routes/account/profile');
    expect(data.headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(data.text)).toMatchObject({ profile: { description: hostile } });
    const file = await ana.browser.get('/your-data/daybook.json');
    expect(JSON.stringify(JSON.parse(file.text))).toContain(JSON.stringify(hostile));
    for (const one of [data, file]) expect(one.text).not.toContain('<');
  });
});
