import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';
import * as all from '../../support/every-route';
import { type Reader, type RouteWorld, readers, type Statuses } from '../../support/every-route';
import { password } from '../../support/factories';
import { markupFaultsOf } from '../../support/markup';
import { documentedCalls } from '../../support/openapi';
import { useServer } from '../../support/use-server';
import { type ApiResponse, askedOf, type Page, type Sent, tripsOf, type Visitor, visitor } from '../../support/visit';

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
  // A series is booked by whoever is logged in.
  /^\/(with$|with\/(?!.*\/again$)|(party|meetup-rsvp|calendar|booking|answer|waiting|offer|join)\/)/.test(path);

describe('the screens', () => {
  test('are the twenty-five of the specification, and no others than listed here', () => {
    expect(all.screens).toHaveLength(25);
    const served = routes.map(({ path = '' }) => `/${path}`).filter((path) => !/^\/api\/|\*/.test(path));
    expect(screens.map(([path]) => path).sort()).toEqual(served.sort());
  });

  describe.each([...screens, nowhere])('at %s', (path, statuses, addressOf) => {
    const asking = readers.filter(isAsked(statuses));
    const pages: Partial<Record<Reader, Page>> = {};
    beforeAll(async () => {
      for (const reader of asking) pages[reader] = await browserOf(reader).get(addressOf(world));
    });
    const pagesWith = (isWanted: (page: Page) => boolean) => Object.values(pages).filter(isWanted);

    test(`answer a stranger, a consumer, its provider and another with ${statuses}`, () => {
      for (const reader of asking) expect(pages[reader]?.status, reader).toBe(statuses[readers.indexOf(reader)]);
    });

    test('ask the book once, and of strangers only where it is read', () => {
      for (const reader of asking) {
        const isRead = reader !== 'stranger' || isReadByStrangers(path);
        expect(tripsOf(pages[reader] as Page), reader).toBe(isRead ? 1 : 0);
      }
    });

    test('write nothing', () => {
      for (const { headers } of Object.values(pages)) expect(askedOf(headers).written).toBe(0);
    });

    test('lead to the login and back', () => {
      for (const page of pagesWith(({ status }) => status === 302))
        expect(page.location).toBe(`/not-logged-in?to=${encodeURIComponent(addressOf(world))}`);
    });

    test('are of their type', () => {
      const file = /^(text\/(calendar|csv)|application\/json)/;
      for (const { status, headers } of pagesWith(({ status }) => status < 300 || status > 399))
        expect(headers.get('content-type')).toMatch(status === 200 && all.isFile(path) ? file : /^text\/html/);
    });

    const nothing = path.replace(/:(id|username)/g, 'AAAAAAAAAAAAAAAAAAAAAA');
    const mayLook = readers[statuses.indexOf(200)];
    test.each(nothing !== path && mayLook ? [mayLook] : [])(
      'answer a %s who asks for nothing with 404',
      async (reader) => {
        expect((await browserOf(reader).get(nothing)).status).toBe(404);
      },
    );

    if (all.isFile(path)) return;
    const lastPage = () => pagesWith(({ status }) => status !== 302).at(-1);

    test('have no words for programmers', () => {
      expect(lastPage()?.words ?? '').not.toMatch(/\bat .*\.[jt]s:\d+|undefined|\[object/);
    });

    test('are in right markup', async () => {
      const page = lastPage();
      if (page) expect(await markupFaultsOf(page)).toEqual([]);
    });
  });

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

const namesOfCalls = calls.map(([method, call]) => `${method} ${call}`).sort();

describe('the calls', () => {
  test('are the thirty of the specification and those that are added, and no others', () => {
    expect(all.calls).toHaveLength(30);
    expect(documentedCalls().sort()).toEqual(namesOfCalls);
  });

  test('are all listed for readers', async () => {
    const listed = (await daybook.visitor().get('/api')).$$('main ul code').map(({ text }) => text.trim());

    expect(listed.sort()).toEqual(namesOfCalls);
  });

  describe.each(calls)('%s %s', (method, call, statuses, requestOf) => {
    // Whose thing it is comes last, because it may be gone afterwards.
    const asking = (['stranger', 'rival', 'consumer', 'provider'] as const).filter(isAsked(statuses));
    const responses: Partial<Record<Reader, ApiResponse>> = {};
    const responseTo = (reader: Reader) => responses[reader] as ApiResponse;
    beforeAll(async () => {
      const { path = '', body } = (await requestOf?.(world)) ?? {};
      for (const reader of asking) {
        // Such a call ends the session that it was made with.
        const isEnding = /\/(Logout|Login|Register)$/.test(call) && reader !== 'stranger';
        const browser = isEnding ? await newLoginOf(reader) : browserOf(reader);
        const sent = call.endsWith('/Register') ? (await requestOf?.(world))?.body : body;
        responses[reader] = await browser.api(method, `${call.replace('/{id}', '')}${path}`, sent);
      }
    });

    test(`answers a stranger, a consumer, its provider and another with ${statuses}`, () => {
      for (const reader of asking) expect(responses[reader]?.status, reader).toBe(statuses[readers.indexOf(reader)]);
    });

    test('writes nothing for whom it refuses', () => {
      const refused = asking.filter((reader) => [401, 403, 404].includes(responseTo(reader).status));

      for (const reader of refused) expect(askedOf(responseTo(reader).headers).written, reader).toBe(0);
    });

    if (method === 'GET') {
      test('asks the book once, and of strangers only where it is read', () => {
        for (const reader of asking) {
          // The zone of its first date has to be known to find the others.
          const most = call.endsWith('/PreviewSeries') && responseTo(reader).status === 200 ? 2 : 1;
          const isRead = reader !== 'stranger' || isReadBy(call);
          expect(tripsOf(responseTo(reader)), reader).toBe(isRead ? most : 0);
        }
      });

      test('writes nothing', () => {
        for (const reader of asking) expect(askedOf(responseTo(reader).headers).written, reader).toBe(0);
      });
    } else {
      test('asks the book twice at most', () => {
        // A table is compared with what stands, written, and what is left of it read.
        const most = call.endsWith('/Import') ? 3 : 2;
        for (const reader of asking) expect(tripsOf(responseTo(reader)), reader).toBeLessThanOrEqual(most);
      });
    }
  });

  test.each(calls)('%s %s answers to no other method', async (method, call) => {
    const other = method === 'PUT' ? 'POST' : 'PUT';

    const { status, json, headers } = await browserOf('provider').api(other, all.addressOf(call), undefined, elsewhere);

    expect(status).toBe(405);
    expect(json).toEqual(expect.any(String));
    expect(headers.get('allow')).toBe(method === 'GET' ? 'GET, HEAD' : method);
  });

  test.each(calls.filter(([method]) => method !== 'GET'))(
    '%s %s does nothing for the page of another site',
    async (method, call) => {
      const { status, json } = await browserOf('provider').api(method, all.addressOf(call), {}, elsewhere);

      expect(status).toBe(403);
      expect(json).toEqual(expect.any(String));
    },
  );
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

const forms = screens
  .filter(([path]) => !all.isFile(path))
  // Each is sent in another way. What is refused is refused before anybody looks into it, or into the book.
  .map(([path, , addressOf], place) => ({
    path,
    addressOf,
    sent: fromElsewhere[place % fromElsewhere.length],
    typed: intents[place % intents.length],
  }));
const sentByReaders = (['consumer', 'provider'] as const).flatMap((reader) =>
  forms.map((form) => ({ reader, ...form })),
);
describe.each(sentByReaders)(
  'a form that a page of another site has a $reader send to $path',
  ({ reader, addressOf, sent, typed }) => {
    let page: Page;
    beforeAll(async () => {
      page = await world[reader].browser.post(addressOf(world), typed, sent);
    });

    test('does nothing', () => {
      expect(page.status).toBe(403);
      expect(askedOf(page.headers).written).toBe(0);
    });

    test('leaves its reader logged in as they are', () => {
      // The bookmark of what they did before may come along.
      expect(page.headers.get('set-cookie') ?? '').not.toMatch(/daybook(?!-seen)/);
    });
  },
);

describe('the way back after a login', () => {
  const loginPathFrom = async (to: string) =>
    (await browserOf('stranger').get(`/not-logged-in?to=${encodeURIComponent(to)}`)).$('main a')?.getAttribute('href');

  test.each([
    ['leads where they came from', '/details/a%20b?step=questions', '/details/a%20b?step=questions'],
    ['is without what the framework asks for', '/view?_data=routes%2Fbooking&page=2', '/view?page=2'],
    ['leads to a page whose name begins like the login’s', '/login-less', '/login-less'],
  ])('%s', async (_, to, back) => {
    expect(decodeURIComponent((await loginPathFrom(to)) ?? '')).toBe(`/login?to=${back}`);
  });

  const inCircles = ['/LOGIN/?to=/view', '/register?to=/view', '/logout', '/not-logged-in?to=/view'];
  const encoded = ['/l%6fgout', '/%61pi/Account/Profile', '/not-logged%2Din'];
  test.each(['', 'view', '//evil.example', '/api/Account/Profile', ...inCircles, ...encoded])(
    'never leads to %j',
    async (to) => {
      expect(await loginPathFrom(to)).toBe('/login');
    },
  );
});

const noScripts = ["default-src 'none'", "frame-ancestors 'none'"];
const ofPages = [
  ...["base-uri 'none'", "connect-src 'self'", "default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  ...["img-src 'self'", "script-src 'nonce-…' 'strict-dynamic'", `style-src 'self'${" 'sha256-…'".repeat(3)}`],
];
describe.each([
  ['/login', 'text/html', ofPages],
  ['/nowhere', 'text/html', ofPages],
  ['/api/nothing', 'application/json', noScripts],
  ['/your-data/daybook.json', 'application/json', noScripts],
])('a response at %s', (path, type, policy) => {
  let headers: Headers;
  beforeAll(async () => {
    ({ headers } = await browserOf('provider').get(path));
  });

  test('says what it is', () => {
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('says what it may load and run', () => {
    const sent = headers.get('content-security-policy')?.replace(/'(nonce|sha256)-[\w+/-]{22,43}=?'/g, "'$1-…'");

    expect(sent?.split('; ').sort()).toEqual(policy);
  });

  test('is kept by nobody', () => {
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('tells other sites nothing', () => {
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  const transportBy = async (sent: Record<string, string>) =>
    (await browserOf('stranger').get(path, sent)).headers.get('strict-transport-security');

  test('by https demands https from then on', async () => {
    expect(await transportBy({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000; includeSubDomains');
  });

  test('by http demands none', async () => {
    expect(await transportBy({})).toBeNull();
  });
});

const readable: [what: string, pathOf: () => string][] = [
  ['a screen', () => '/profile'],
  ['a call', () => '/api/Account/Profile'],
  ['a party', () => `/party/${world.party.id}`],
  ['the OpenAPI document', () => '/api/openapi.json'],
];
test.each(readable)('no page of another site may read anything: %s', async (_, pathOf) => {
  const elsewhere = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };

  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await browserOf('provider').api(method, pathOf(), undefined, elsewhere);
    expect([...headers.keys()].join(), method).not.toContain('access-control-');
  }
});

const passwordFieldsAt = async (path: string) =>
  (await browserOf(path === '/profile' ? 'provider' : 'stranger').get(path)).$$('input[type=password]');

test.each([
  ['/login', ['current-password']],
  ['/register', ['new-password']],
  ['/profile', ['current-password', 'new-password']],
])('at %s password managers fill in each password', async (path, wanted) => {
  const names = (await passwordFieldsAt(path)).map((field) => field.getAttribute('autocomplete'));

  expect([...new Set(names)].sort()).toEqual(wanted);
});

test.each(['/login', '/register', '/profile'])('at %s a password may be pasted', async (path) => {
  const guarded = (await passwordFieldsAt(path)).filter((field) => field.hasAttribute('onpaste'));

  expect(guarded).toEqual([]);
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

  test.each(writes)('writes nothing by %s %s', async (method, call, [, ofConsumer], requestOf) => {
    const { path = '', body } = (await requestOf?.(world)) ?? {};
    const browser = browserWith(ended[ofConsumer < 300 ? 'consumer' : 'provider']);

    const { status, headers } = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body);

    expect(status).toBe(401);
    expect(askedOf(headers).written).toBe(0);
  });

  test.each<[string, Record<string, string>]>([
    ['/profile', { intent: 'password', password, newPassword: 'Battery staple 2' }],
    ['/view-open', { all: 'on' }],
  ])('writes nothing by the form at %s: %j', async (path, fields) => {
    const page = await browserWith(ended.provider).post(path, fields);

    expect(page.status).toBe(401);
    expect(askedOf(page.headers).written).toBe(0);
  });
});

const published = readdirSync(join(root, 'public'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith('_'))
  .map(({ parentPath, name }) => relative(join(root, 'public'), join(parentPath, name)));
describe.each([...published, 'a script', 'api/openapi.json'])('the static file %s', (name) => {
  let response: Page;
  beforeAll(async () => {
    const [built = ''] = readdirSync(join(root, 'build/client/assets'));
    response = await daybook.visitor().get(name === 'a script' ? `/assets/${built}` : `/${name}`);
  });

  test('does not wake the Worker', () => {
    expect(response.status).toBe(200);
    expect(response.headers.has('server-timing')).toBe(false);
  });

  test('is kept by the browser', () => {
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d{4,8}(, immutable)?$/);
    expect(response.headers.has('etag')).toBe(true);
  });

  test('is as safe as a response of the Worker', () => {
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  });
});

test('a file that there is not is kept by nobody', async () => {
  const { status, headers } = await daybook.visitor().get('/assets/none.js');

  expect(status).toBe(404);
  expect(headers.get('cache-control')).toBe('private, no-store');
});
