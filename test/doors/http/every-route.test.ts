import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';
import * as all from '../../support/every-route';
import { type Reader, type RouteWorld, readers, type Statuses } from '../../support/every-route';
import { password } from '../../support/factories';
import { documentedCalls } from '../../support/openapi';
import { useServer } from '../../support/use-server';
import { askedOf, type Page, type Sent, type Visitor, visitor } from '../../support/visit';

// Behind a proxy, which says whether somebody came by https.
const daybook = useServer({ trustedProxy: { addresses: '127.0.0.1' } });
const screens = [...all.screens, ...all.more];
const calls = [...all.calls, ...all.added];
const nowhere: all.Screen = ['/nowhere', [404, 404, 404, 404], () => '/nowhere'];

let world: RouteWorld;
beforeAll(async () => {
  world = await all.makeRouteWorld(daybook);
});

function browserWith(cookie = ''): Visitor {
  const browser = visitor(daybook.url);
  if (cookie) browser.cookies.set('daybook', cookie);
  return browser;
}
const cookieOf = ({ cookies }: Visitor) => cookies.get('daybook');
const browserOf = (reader: Reader) => browserWith(reader === 'stranger' ? '' : cookieOf(world[reader].browser));

/** A login of theirs of its own: a login ends the session of the browser that it is made in. */
async function newLoginOf(reader: Exclude<Reader, 'stranger'>): Promise<Visitor> {
  const browser = browserWith();
  await browser.api('POST', '/api/Account/Login', { username: world[reader].username, password });
  return browser;
}

/** Another provider is asked where their answer is another one. */
const isAsked =
  ([, , provider, rival]: Statuses) =>
  (reader: Reader) =>
    reader !== 'rival' || provider !== rival;

/** Where a stranger is shown something out of the book. */
const isReadByStrangers = (path: string) =>
  /^\/(party|meetup-rsvp|with|calendar|booking|answer|waiting|offer)\//.test(path);

const rules = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
/** What is wrong with the markup of a page, each fault a line. */
const faultsOf = async (page: Page) =>
  (await rules.validateString(page.text)).results.flatMap(({ messages }) =>
    messages.map(({ message, selector }) => `${message} (${selector})`),
  );

describe('the screens', () => {
  test('are the twenty-five of the specification, and no others than listed here', () => {
    expect(all.screens).toHaveLength(25);
    const served = routes.map(({ path = '' }) => `/${path}`).filter((path) => !/^\/api\/|\*/.test(path));
    expect(screens.map(([path]) => path).sort()).toEqual(served.sort());
  });

  test.each([...screens, nowhere])(
    '%s answers a stranger, a consumer, its provider and another with %j',
    async (...row) => {
      const [path, statuses, where] = row;
      const address = where(world);
      const shown: Page[] = [];
      for (const reader of readers.filter(isAsked(statuses))) {
        const page = await browserOf(reader).get(address);
        const { trips, written } = askedOf(page.headers);
        // Nothing is asked about a stranger, and reading writes nothing.
        const isRead = reader !== 'stranger' || isReadByStrangers(path);
        expect([reader, page.status, trips, written]).toEqual([
          reader,
          statuses[readers.indexOf(reader)],
          isRead ? 1 : 0,
          0,
        ]);
        if (page.status === 302) {
          expect(page.location).toBe(`/not-logged-in?to=${encodeURIComponent(address)}`);
        } else if (page.status === 200 && all.isFile(path)) {
          expect(page.headers.get('content-type')).toMatch(/^(text\/(calendar|csv)|application\/json)/);
        } else {
          expect(page.headers.get('content-type')).toMatch(/^text\/html/);
          if (!all.isFile(path)) shown.push(page);
        }
      }
      const missing = path.replace(/:(id|username)/g, 'AAAAAAAAAAAAAAAAAAAAAA');
      const mayLook = readers[statuses.indexOf(200)];
      if (missing !== path && mayLook) expect((await browserOf(mayLook).get(missing)).status).toBe(404);
      const last = shown.at(-1);
      if (!last) return;
      expect(last.words).not.toMatch(/\bat .*\.[jt]s:\d+|undefined|\[object/);
      expect(await faultsOf(last)).toEqual([]);
    },
  );

  test.each([
    ['/', '/'],
    ['/Profile/', '/profile'],
    ['/view-open?page=1', '/view-open'],
  ])('at %s the menu marks %s as the page that is shown, and nothing else', async (address, marked) => {
    const links = (await browserOf('provider').get(address)).$$('nav[aria-label=Main] [aria-current=page]');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([marked]);
  });
});

const isReadBy = (call: string) => /^\/api\/(health$|(meetup\/Get(Party|Attendee)|Public)\/)/.test(call);
const elsewhere = { 'sec-fetch-site': 'cross-site' };

describe('the calls', () => {
  test('are the thirty of the specification and those that are added, and no others', async () => {
    expect(all.calls).toHaveLength(30);
    const listed = (await daybook.visitor().get('/api')).$$('main code').map(({ text }) => text.trim());
    const known = calls.map(([method, call]) => `${method} ${call}`).sort();
    expect([listed.sort(), documentedCalls().sort()]).toEqual([known, known]);
  });

  test.each(calls)('%s %s answers a stranger, a consumer, its provider and another with %j', async (...row) => {
    const [method, call, statuses, sent] = row;
    const { path = '', body } = (await sent?.(world)) ?? {};
    // Whose thing it is comes last, because it may be gone afterwards.
    for (const reader of (['stranger', 'rival', 'consumer', 'provider'] as const).filter(isAsked(statuses))) {
      // Such a call ends the session that it was made with.
      const isEnding = /\/(Logout|Login|Register)$/.test(call) && reader !== 'stranger';
      const browser = isEnding ? await newLoginOf(reader) : browserOf(reader);
      const given = call.endsWith('/Register') ? (await sent?.(world))?.body : body;
      const answer = await browser.api(method, `${call.replace('/{id}', '')}${path}`, given);
      expect([reader, answer.status]).toEqual([reader, statuses[readers.indexOf(reader)]]);
      const { trips, written } = askedOf(answer.headers);
      if ([401, 403, 404].includes(answer.status)) expect([reader, written]).toEqual([reader, 0]);
      if (method === 'GET') {
        // The zone of its first date has to be known to find the others.
        const most = call.endsWith('/PreviewSeries') && answer.status === 200 ? 2 : 1;
        expect([reader, trips, written]).toEqual([reader, reader !== 'stranger' || isReadBy(call) ? most : 0, 0]);
      } else {
        // A table is compared with what stands, written, and what is left of it read.
        expect(trips, reader).toBeLessThanOrEqual(call.endsWith('/Import') ? 3 : 2);
      }
    }
  });

  test.each(calls)('%s %s answers to no other method, nor to the page of another site', async (method, call) => {
    const other = method === 'PUT' ? 'POST' : 'PUT';
    const refused = await browserOf('provider').api(other, all.addressOf(call), undefined, elsewhere);
    expect([refused.status, refused.json]).toEqual([405, expect.any(String)]);
    expect(refused.headers.get('allow')).toBe(method === 'GET' ? 'GET, HEAD' : method);
    if (method === 'GET') return;
    const { status, json } = await browserOf('provider').api(method, all.addressOf(call), {}, elsewhere);
    expect([status, json]).toEqual([403, expect.any(String)]);
  });
});

/* A page of another site can send each form of ours with the cookies of whoever looks at it. Browsers say so. */

const fromElsewhere: Sent[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://shop.daybook.example' },
  { 'sec-fetch-site': null, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=part' },
  // A frame that hides where it is.
  { 'sec-fetch-site': null, origin: 'null' },
];

/** What some form of ours takes, and each says what it would do. */
const intents: Record<string, string>[] = [
  { intent: 'cancel', reason: 'Evil' },
  { intent: 'answers' },
  { intent: 'seen' },
  { intent: 'profile', displayName: 'Mallory', timeZone: 'UTC', location: 'Atlantis' },
  { intent: 'everywhere' },
  { accepted: 'false' },
  { username: 'mallory', displayName: 'Mallory', password, role: 'Consumer', timeZone: 'UTC' },
  { email: 'mallory@example.com', password },
];

const forms = screens.filter(([path]) => !all.isFile(path));
test.each(forms)('a form that a page of another site sends to %s does nothing', async (path, _, pathOf) => {
  const place = forms.findIndex(([one]) => one === path);
  // Each is sent in another way. What is refused is refused before anybody looks into it, or into the book.
  const [sent, typed] = [fromElsewhere[place % fromElsewhere.length], intents[place % intents.length]];
  for (const reader of [world.consumer, world.provider]) {
    const page = await reader.browser.post(pathOf(world), typed, sent);
    expect([sent, page.status, askedOf(page.headers).written]).toEqual([sent, 403, 0]);
    // The bookmark of what they did before may come along.
    expect(page.headers.get('set-cookie') ?? '').not.toMatch(/daybook(?!-seen)/);
  }
});

describe('the way back after a login', () => {
  const wayBy = async (to: string) =>
    (await browserOf('stranger').get(`/not-logged-in?to=${encodeURIComponent(to)}`)).$('main a')?.getAttribute('href');

  test('leads where they came from, without what the framework asks for', async () => {
    const back = async (to: string) => decodeURIComponent((await wayBy(to))?.replace('/login?to=', '') ?? '');
    expect(await back('/details/a%20b?step=questions')).toBe('/details/a%20b?step=questions');
    expect(await back('/view?_data=routes%2Fbooking&page=2')).toBe('/view?page=2');
    expect(await back('/login-less')).toBe('/login-less');
  });

  const inCircles = ['/LOGIN/?to=/view', '/register?to=/view', '/logout', '/not-logged-in?to=/view'];
  const encoded = ['/l%6fgout', '/%61pi/Account/Profile', '/not-logged%2Din'];
  test.each(['', 'view', '//evil.example', '/api/Account/Profile', ...inCircles, ...encoded])(
    'never leads to %j',
    async (to) => {
      expect(await wayBy(to)).toBe('/login');
    },
  );
});

const noScripts = ["default-src 'none'", "frame-ancestors 'none'"];
const ofPages = [
  ...["base-uri 'none'", "connect-src 'self'", "default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  ...["img-src 'self'", "script-src 'nonce-…' 'strict-dynamic'", "style-src 'self' 'sha256-…'"],
];
test.each([
  ['/login', 'text/html', ofPages],
  ['/nowhere', 'text/html', ofPages],
  ['/api/nothing', 'application/json', noScripts],
  ['/your-data/daybook.json', 'application/json', noScripts],
])('every answer, as at %s says what it is and what browsers are to keep from doing with it', async (...row) => {
  const [path, type, policy] = row;
  const { headers } = await browserOf('provider').get(path);
  const said = headers.get('content-security-policy')?.replace(/'(nonce|sha256)-[\w+/-]{22,43}=?'/g, "'$1-…'");
  expect(said?.split('; ').sort()).toEqual(policy);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  const transport = async (sent: Record<string, string>) =>
    (await browserOf('stranger').get(path, sent)).headers.get('strict-transport-security');
  expect([await transport({}), await transport({ 'x-forwarded-proto': 'https' })]).toEqual([
    null,
    'max-age=31536000; includeSubDomains',
  ]);
});

test('no page of another site may read anything', async () => {
  const elsewhere = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
  for (const path of ['/profile', '/api/Account/Profile', `/party/${world.party.id}`, '/api/openapi.json']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await browserOf('provider').api(method, path, undefined, elsewhere);
      expect([method, path, ...headers.keys()].join()).not.toContain('access-control-');
    }
  }
});

test.each([
  ['/login', ['current-password']],
  ['/register', ['new-password']],
  ['/profile', ['current-password', 'new-password']],
])('at %s password managers fill in each password, and pasting is left alone', async (path, wanted) => {
  const fields = (await browserOf(path === '/profile' ? 'provider' : 'stranger').get(path)).$$('input[type=password]');
  expect([...new Set(fields.map((field) => field.getAttribute('autocomplete')))].sort()).toEqual(wanted);
  expect(fields.filter((field) => field.hasAttribute('onpaste'))).toEqual([]);
});

describe('a login that was ended on another device', () => {
  const ended: Partial<Record<Reader, string>> = {};
  beforeAll(async () => {
    for (const reader of ['consumer', 'provider'] as const) {
      const browser = await newLoginOf(reader);
      ended[reader] = cookieOf(browser);
      expect((await browser.api('DELETE', '/api/Account/Logout')).status).toBe(204);
    }
  });

  // A deletion that succeeds takes its reader away: own-data.test.ts has it.
  const writes = calls.filter(
    ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
  );

  test.each(writes)('writes nothing by %s %s', async (...row) => {
    const [method, call, [, ofConsumer], sent] = row;
    const { path = '', body } = (await sent?.(world)) ?? {};
    const browser = browserWith(ended[ofConsumer < 300 ? 'consumer' : 'provider']);
    const { status, headers } = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body);
    expect([status, askedOf(headers).written]).toEqual([401, 0]);
  });

  test.each<[string, Record<string, string>]>([
    ['/profile', { intent: 'password', password, newPassword: 'Battery staple 2' }],
    ['/view-open', { all: 'on' }],
  ])('writes nothing by the form at %s: %j', async (path, fields) => {
    const page = await browserWith(ended.provider).post(path, fields);
    expect([page.status, askedOf(page.headers).written]).toEqual([401, 0]);
  });
});

test('a static file does not wake the Worker, and is kept by the browser', async () => {
  const kept = readdirSync(join(root, 'public')).filter((name) => !name.startsWith('_'));
  const [made = ''] = readdirSync(join(root, 'build/client/assets'));
  for (const name of [...kept, `assets/${made}`, 'api/openapi.json']) {
    const { status, headers } = await daybook.visitor().get(`/${name}`);
    expect([name, status, headers.has('server-timing'), headers.has('etag')]).toEqual([name, 200, false, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': expect.stringMatching(/^public, max-age=\d{4,8}(, immutable)?$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  }
});

test('a file that there is not is kept by nobody', async () => {
  const { status, headers } = await daybook.visitor().get('/assets/none.js');
  expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store']);
});
