import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';
import { tripsOf } from '../../support/asked';
import {
  account,
  added,
  addressOf,
  calls,
  isFile,
  makeRouteWorld,
  more,
  type Reader,
  type RouteWorld,
  readers,
  screens,
} from '../../support/every-route';
import { type Person, password } from '../../support/factories';
import { describeFirst, share, testFirst } from '../../support/matrix';
import { documentedCalls } from '../../support/openapi';
import { fullScans, recordPlans } from '../../support/plans';
import { useServer } from '../../support/use-server';
import { type Visitor, visitor } from '../../support/visit';

const { plans, options } = recordPlans();
const daybook = useServer(options);

let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

/** A browser with the login of one of them, for one visit. */
function browserOf(reader: Reader): Visitor {
  const browser = visitor(daybook.url);
  if (reader !== 'stranger') browser.cookies.set('daybook', world[reader].browser.cookies.get('daybook') ?? '');
  return browser;
}

/** Where a stranger is shown something out of the book. */
const isReadByStrangers = (path: string) =>
  /^\/(party|meetup-rsvp|with|calendar|booking|answer|waiting|offer)\//.test(path);

describe('the screens', () => {
  testFirst('are the twenty-five of the specification, and no others than listed here', () => {
    expect(screens).toHaveLength(25);
    const served = routes.map(({ path = '' }) => `/${path}`).filter((path) => !/^\/api\/|\*/.test(path));
    expect([...screens, ...more].map(([path]) => path).sort()).toEqual(served.sort());
  });

  test.each([...screens, ...more])(
    '%s answers a stranger, a consumer, its provider and another with %j',
    async (...row) => {
      const [path, statuses, where] = row;
      for (const [index, reader] of readers.entries()) {
        const status = statuses[index] ?? 0;
        const bare = where(world);
        const others = [`${bare.replace(/\/$/, '')}/`, `${bare}?name=Ada`];
        for (const address of new Set(share([bare], [bare, ...others]))) {
          const page = await browserOf(reader).get(address);
          expect([reader, address, page.status]).toEqual([reader, address, status]);
          if (status === 302) {
            const to = new URL(page.location ?? '', daybook.url);
            expect([to.pathname, to.searchParams.get('to')]).toEqual(['/not-logged-in', address]);
          } else if (!isFile(path)) {
            expect(page.headers.get('content-type')).toMatch(/^text\/html/);
            expect(page.$('h1')).not.toBeNull();
            expect(page.words).not.toMatch(/\bat .*\.[jt]s:\d+|undefined|\[object/);
          } else if (status === 200) {
            expect(page.headers.get('content-type')).toMatch(/^(text\/(calendar|csv)|application\/json)/);
          }
          if (reader === 'stranger' && status === 200 && !isFile(path))
            expect(page.$('meta[name=description]')?.getAttribute('content'), address).toMatch(/\w+ \w+/);
          const isRead = reader !== 'stranger' || isReadByStrangers(path);
          // A stranger may see a page of a moment ago, where the page knows all that its address asks.
          const isKept = reader === 'stranger' && path === '/with/:username' && address === others[0];
          expect([reader, address, tripsOf(page)]).toEqual([reader, address, isRead && !isKept ? 1 : 0]);
        }
      }
    },
  );

  testFirst.each(
    [...screens, ...more]
      .filter(([path]) => /:(id|username)/.test(path))
      .map(([path, [stranger, consumer, provider]]) => [path, stranger, consumer, provider] as const),
  )('%s of nothing is a 404 to whoever may see such a thing', async (path, ...statuses) => {
    const missing = path.replace(/:(id|username)/g, 'AAAAAAAAAAAAAAAAAAAAAA');
    for (const [index, status] of statuses.entries()) {
      const page = await browserOf(readers[index] ?? 'stranger').get(missing);
      expect([readers[index], page.status]).toEqual([readers[index], status === 200 ? 404 : status]);
    }
  });

  testFirst('a provider who registers hears that a city is required', async () => {
    const field = (await browserOf('stranger').get('/register')).$('input[name=location]');
    expect(field?.hasAttribute('required')).toBe(true);
  });

  testFirst('the steps of a booking say what they are for, though nobody may list them', async () => {
    const page = await browserOf('consumer').get('/view');
    expect(page.$('meta[name=description]')?.getAttribute('content')).toMatch(/\w+ \w+/);
  });

  testFirst.each([
    ['/', '/'],
    ['/profile', '/profile'],
    ['/Profile/', '/profile'],
    ['/view-parties', '/view-parties'],
    ['/view-parties/', '/view-parties'],
    ['/view-meetups', '/view-meetups'],
    ['/view-open?page=1', '/view-open'],
  ])('at %s the menu marks %s as the page that is shown, and nothing else', async (address, marked) => {
    const page = await browserOf('provider').get(address);
    const links = page.$$('nav[aria-label=Main] [aria-current]');
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
      [marked, 'page'],
    ]);
  });

  const asks = ['get', 'post', 'put', 'delete'] as const;
  // The page of nothing does not look at its address: one of them is enough for all readers and methods.
  testFirst.each(['/nowhere', '/view/nowhere', '/party', '/meetup-rsvp', '/view-party', '/party/a/b', '/wp-login.php'])(
    'there is nothing at %s',
    async (path) => {
      for (const reader of path === '/nowhere' ? readers : readers.slice(0, 1)) {
        for (const ask of path === '/nowhere' ? asks : asks.slice(0, 1)) {
          const page = await browserOf(reader)[ask](path);
          expect([ask, page.status, page.$('h1') !== null]).toEqual([ask, 404, true]);
        }
      }
    },
  );
});

/** How a browser says that another site's page sends something. */
const elsewhere: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
const isReadBy = (call: string) => /^\/api\/(health$|(meetup\/Get(Party|Attendee)|Public)\/)/.test(call);
/** Whose thing it is comes last, because it may be gone afterwards. */
const inTurn = ['stranger', 'rival', 'consumer', 'provider'] as const;

describe('the calls', () => {
  testFirst('are the thirty of the specification and those that are added, and no others', async () => {
    expect(calls).toHaveLength(30);
    const listed = (await daybook.visitor().get('/api')).$$('main code').map(({ text }) => text.trim());
    const known = [...calls, ...added].map(([method, call]) => `${method} ${call}`).sort();
    expect([listed.sort(), documentedCalls().sort()]).toEqual([known, known]);
  });

  testFirst.each([...calls, ...added])(
    '%s %s answers a stranger, a consumer, its provider and another with %j',
    async (...row) => {
      const [method, call, statuses, sent] = row;
      const given = (await sent?.(world)) ?? {};
      for (const reader of inTurn) {
        const browser = browserOf(reader);
        // Such a call ends the session that it was made with.
        const isEnding = /\/(Logout|Login|Register)$/.test(call);
        if (isEnding && reader !== 'stranger') await logInAnew(browser, world[reader]);
        const { path = '', body } = call.endsWith('/Register') ? { body: account() } : given;
        const answer = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body);
        expect([reader, answer.status]).toEqual([reader, statuses[readers.indexOf(reader)]]);
        if (answer.status === 204) expect(answer.text).toBe('');
        else expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
        if (answer.status >= 400) {
          // Of input that is refused the answer is a list.
          const isInput =
            answer.status === 400 && /^\/api\/(Account\/(ResetPassword|Delete)|Appointment\/BookSeries)$/.test(call);
          expect(answer.json).toEqual(isInput ? [expect.any(String)] : expect.any(String));
        }
        if (method === 'GET') {
          const isRead = reader !== 'stranger' || isReadBy(call);
          // The zone of its first date has to be known to find the others.
          const most = call.endsWith('/PreviewSeries') && answer.status === 200 ? 2 : 1;
          expect([reader, tripsOf(answer)]).toEqual([reader, isRead ? most : 0]);
        } else {
          // A table is compared with what stands, written, and what is left of it read.
          const most = call.endsWith('/Import') ? 3 : 2;
          expect([reader, tripsOf(answer) <= most]).toEqual([reader, true]);
        }
      }
    },
  );

  const firstOfMethod = new Set(
    ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [...calls, ...added].find(([one]) => one === method)?.[1]),
  );

  // One function refuses for all calls: the first of each method shows all that it says, and each call that it is asked.
  test.each([...calls, ...added])(
    '%s %s answers to no other method, nor to the page of another site',
    async (method, call) => {
      const isFirst = firstOfMethod.has(call);
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => one !== method);
      for (const other of share(isFirst ? others : others.slice(0, 1), others)) {
        for (const [reader, sent] of [['provider', {}] as const, ['stranger', elsewhere[0]] as const].slice(
          0,
          share(isFirst ? 2 : 1, 2),
        )) {
          const { status, json, headers } = await browserOf(reader).api(other, addressOf(call), undefined, sent);
          expect([other, status, json]).toEqual([other, 405, expect.any(String)]);
          expect(headers.get('content-type')).toMatch(/^application\/json/);
          expect(headers.get('allow')?.split(', ')).toEqual(method === 'GET' ? ['GET', 'HEAD'] : [method]);
        }
      }
      if (method === 'GET') return;
      for (const sent of share(isFirst ? elsewhere : elsewhere.slice(0, 1), elsewhere)) {
        for (const reader of share(isFirst ? readers : (['provider'] as const), readers)) {
          const { status, json } = await browserOf(reader).api(method, addressOf(call), {}, sent);
          expect([reader, status, json]).toEqual([reader, 403, expect.any(String)]);
        }
      }
    },
  );
});

describeFirst('the way back after a login', () => {
  const wayBy = async (to: string) =>
    (await browserOf('stranger').get(`/not-logged-in?to=${encodeURIComponent(to)}`)).$('main a')?.getAttribute('href');

  test.each([
    ['/view?location=Lisbon&page=2', '/view?location=Lisbon&page=2'],
    ['/details/a%20b?step=questions', '/details/a%20b?step=questions'],
    ['/view?_data=routes%2Fbooking&page=2', '/view?page=2'],
    ['/view?_data=routes%2Fbooking', '/view'],
    ['/login-less', '/login-less'],
    ['/apis', '/apis'],
  ])('leads to %s', async (to, back) => {
    expect(await wayBy(to)).toBe(`/login?to=${encodeURIComponent(back)}`);
  });

  test.each([
    '',
    'view',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/login',
    '/LOGIN/?to=/view',
    '/register?to=/view',
    '/logout',
    '/l%6fgout',
    '/%4Cogin/?to=/view',
    '/%61pi/Account/Profile',
    '/not-logged%2Din',
    '/not-logged-in?to=/view',
    '/api/Account/Profile',
  ])('never leads to %j', async (to) => {
    expect(await wayBy(to)).toBe('/login');
  });
});

testFirst('a way back that is too long for a header is not kept', async () => {
  const wayFrom = async (length: number) =>
    (await browserOf('stranger').get(`/view?q=${'%3C'.repeat(length)}`)).location?.split('?')[0];
  const keeps = async (length: number) =>
    (await browserOf('stranger').get(`/view?q=${'%3C'.repeat(length)}`)).location?.includes('?to=');
  expect([await wayFrom(1_000), await keeps(1_000)]).toEqual(['/not-logged-in', true]);
  expect([await wayFrom(3_900), await keeps(3_900)]).toEqual(['/not-logged-in', false]);
});

describeFirst('every answer', () => {
  const overTls = { 'mf-original-url': 'https://daybook.test/' };

  test.each([
    ['/login', true],
    ['/nowhere', true],
    ['/api/Account/IsProvider', false],
    ['/api/nothing', false],
  ])('as at %s says what browsers are to keep from doing with it', async (path, isPage) => {
    const { headers } = await browserOf('provider').get(path);
    const safety = ['cache-control', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy'];
    expect(safety.map((name) => headers.get(name))).toEqual([
      'private, no-store',
      'nosniff',
      'same-origin',
      'same-origin',
    ]);
    const policy = headers
      .get('content-security-policy')
      ?.replace(/'nonce-[\w-]{22}'/, "'nonce-…'")
      .replace(/'sha256-[\w+/]{43}='/, "'sha256-…'");
    expect(policy?.split('; ').sort()).toEqual(
      isPage
        ? [
            "base-uri 'none'",
            "connect-src 'self'",
            "default-src 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "img-src 'self'",
            "script-src 'nonce-…' 'strict-dynamic'",
            "style-src 'self' 'sha256-…'",
          ]
        : ["default-src 'none'", "frame-ancestors 'none'"],
    );
    const transport = async (sent: Record<string, string>) =>
      (await browserOf('stranger').get(path, sent)).headers.get('strict-transport-security');
    expect([await transport({}), await transport(overTls)]).toEqual([null, 'max-age=31536000; includeSubDomains']);
  });
});

describe('a login that was ended on another device', () => {
  // A deletion that succeeds takes its reader away: own-data.test.ts has it.
  const writes = [...calls, ...added].filter(
    ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
  );

  async function endedLoginOf(reader: Reader): Promise<Visitor> {
    const browser = visitor(daybook.url);
    await logInAnew(browser, world[reader as Exclude<Reader, 'stranger'>]);
    const cookie = browser.cookies.get('daybook') ?? '';
    await browser.api('DELETE', '/api/Account/Logout');
    browser.cookies.set('daybook', cookie);
    return browser;
  }

  test.each(writes)('writes nothing by %s %s', async (...row) => {
    const [method, call, statuses, sent] = row;
    const { path = '', body } = (await sent?.(world)) ?? {};
    const allowed = readers.filter((_, place) => (statuses[place] ?? 0) < 300);
    expect(allowed.length).toBeGreaterThan(0);
    for (const reader of share(allowed.slice(0, 1), allowed)) {
      const browser = await endedLoginOf(reader);
      const before = await dump(daybook.d1);
      const { status } = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body);
      expect([reader, status]).toEqual([reader, 401]);
      expect(await dump(daybook.d1)).toEqual(before);
    }
  });

  testFirst.each<[string, Record<string, string>, number]>([
    ['/profile', { intent: 'profile', displayName: 'Other', location: 'Atlantis', timeZone: 'UTC' }, 401],
    ['/profile', { intent: 'password', password, newPassword: 'Battery staple 2' }, 401],
    // As to a second press of the button.
    ['/profile', { intent: 'everywhere' }, 303],
    ['/view-open', { all: 'on' }, 401],
  ])('writes nothing by the form at %s: %j', async (path, fields, status) => {
    const browser = await endedLoginOf('provider');
    const before = await dump(daybook.d1);
    expect((await browser.post(path, fields)).status).toBe(status);
    expect(await dump(daybook.d1)).toEqual(before);
  });
});

describeFirst('a static file', () => {
  const kept = readdirSync(join(root, 'public')).filter((name) => !name.startsWith('_'));
  const made = readdirSync(join(root, 'build/client/assets'));

  test.each([...kept, ...made.slice(0, 3).map((name) => `assets/${name}`), 'api/openapi.json'])(
    '%s does not wake the Worker, and is kept by the browser',
    async (name) => {
      const { status, headers } = await daybook.visitor().get(`/${name}`);
      expect([status, headers.has('server-timing'), headers.has('etag')]).toEqual([200, false, true]);
      expect(headers.get('cache-control')).toMatch(/^public, max-age=\d{4,8}(, immutable)?$/);
      expect({
        'x-content-type-options': headers.get('x-content-type-options'),
        'content-security-policy': headers.get('content-security-policy'),
        'strict-transport-security': headers.get('strict-transport-security'),
      }).toEqual({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    },
  );

  test.each(['/assets/none.js', '/assets/', '/assets/%2e%2e/none.js', '/none.png'])(
    'that there is not, at %s, is kept by nobody',
    async (path) => {
      const { status, headers } = await daybook.visitor().get(path);
      expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store']);
    },
  );
});

/** In a browser of its own: a login ends the session of the browser that it is made in. */
async function logInAnew(browser: Visitor, { username }: Person): Promise<void> {
  const other = visitor(daybook.url);
  expect((await other.api('POST', '/api/Account/Login', { username, password })).status).toBe(200);
  browser.cookies.set('daybook', other.cookies.get('daybook') ?? '');
}

describe('the statements of all these', () => {
  test('find their rows by a key or an index, all of them', () => {
    expect(plans.length).toBeGreaterThan(60);
    expect(plans.filter((plan) => fullScans(plan).length > 0)).toEqual([]);
  });
});
