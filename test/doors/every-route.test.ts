import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import routes from '../../app/routes';
import { tripsOf } from '../support/asked';
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
} from '../support/every-route';
import { type Person, password } from '../support/factories';
import { documentedCalls } from '../support/openapi';
import { fullScans, recordPlans } from '../support/plans';
import { root } from '../support/root';
import { useServer } from '../support/use-server';
import { type Visitor, visitor } from '../support/visit';

const { plans, options } = recordPlans();
const daybook = useServer({ vars: { TIMING: 'on' }, ...options });

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
const isReadByStrangers = (path: string) => /^\/(party|meetup-rsvp)\//.test(path);

describe('the screens', () => {
  test('are the twenty-five of the specification, and no others than listed here', () => {
    expect(screens).toHaveLength(25);
    const served = routes.map(({ path = '' }) => `/${path}`).filter((path) => !/^\/api\/|\*/.test(path));
    expect([...screens, ...more].map(([path]) => path).sort()).toEqual(served.sort());
  });

  describe.each([...screens, ...more])('%s', (path, statuses, where) => {
    test.each(readers.map((reader, index) => [reader, statuses[index] ?? 0] as const))(
      'to a %s is a %i, with and without a slash at its end',
      async (reader, status) => {
        const bare = where(world);
        for (const address of new Set([bare, `${bare.replace(/\/$/, '')}/`, `${bare}?name=Ada`])) {
          const page = await browserOf(reader).get(address);
          expect([address, page.status]).toEqual([address, status]);
          if (status === 302) {
            const to = new URL(page.location ?? '', daybook.url);
            expect([to.pathname, to.searchParams.get('to')]).toEqual(['/not-logged-in', address]);
          } else if (!isFile(path)) {
            expect(page.headers.get('content-type')).toMatch(/^text\/html/);
            expect(page.$('h1')).not.toBeNull();
            expect(page.words).not.toMatch(/\bat .*\.[jt]s:\d+|undefined|\[object/);
          } else if (status === 200) {
            expect(page.headers.get('content-type')).toMatch(/^text\/(calendar|csv)/);
          }
          const isRead = reader !== 'stranger' || isReadByStrangers(path);
          expect([address, tripsOf(page)]).toEqual([address, isRead ? 1 : 0]);
        }
      },
    );
  });

  test.each(
    [...screens, ...more]
      .filter(([path]) => path.includes(':id'))
      .map(([path, [stranger, consumer, provider]]) => [path, stranger, consumer, provider] as const),
  )('%s of nothing is a 404 to whoever may see such a thing', async (path, ...statuses) => {
    const missing = path.replace(':id', 'AAAAAAAAAAAAAAAAAAAAAA');
    for (const [index, status] of statuses.entries()) {
      const page = await browserOf(readers[index] ?? 'stranger').get(missing);
      expect([readers[index], page.status]).toEqual([readers[index], status === 200 ? 404 : status]);
    }
  });

  test.each([...screens, ...more].filter(([path, [stranger]]) => stranger === 200 && !isFile(path)))(
    '%s says what it is to whoever lists it',
    async (_, __, where) => {
      const page = await browserOf('stranger').get(where(world));
      expect(page.$('meta[name=description]')?.getAttribute('content')).toMatch(/\w+ \w+/);
    },
  );

  test.each([
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

  test.each(['/nowhere', '/view/nowhere', '/party', '/meetup-rsvp', '/view-party', '/party/a/b', '/wp-login.php'])(
    'there is nothing at %s',
    async (path) => {
      for (const reader of readers) {
        for (const ask of ['get', 'post', 'put', 'delete'] as const) {
          const page = await browserOf(reader)[ask](path);
          expect([ask, page.status, page.$('h1') !== null]).toEqual([ask, 404, true]);
        }
      }
    },
  );
});

/** How a browser says that another site's page sends something. */
const elsewhere: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
const readByStrangers = ['/api/meetup/GetParty/{id}', '/api/meetup/GetAttendee/{id}'];
/** Whose thing it is comes last, because it may be gone afterwards. */
const inTurn = ['stranger', 'rival', 'consumer', 'provider'] as const;

describe('the calls', () => {
  test('are the thirty of the specification and the seven added ones, and no others', async () => {
    expect([calls.length, added.length]).toEqual([30, 7]);
    const listed = (await daybook.visitor().get('/api')).$$('main code').map(({ text }) => text.trim());
    const known = [...calls, ...added].map(([method, call]) => `${method} ${call}`).sort();
    expect([listed.sort(), documentedCalls().sort()]).toEqual([known, known]);
  });

  test.each([...calls, ...added])(
    '%s %s answers a stranger, a consumer, its provider and another with %j',
    async (...row) => {
      const [method, call, statuses, sent] = row;
      const given = (await sent?.(world)) ?? {};
      for (const reader of inTurn) {
        const browser = browserOf(reader);
        if (call.endsWith('/Logout') && reader !== 'stranger') await logInAnew(browser, world[reader]);
        const { path = '', body } = call.endsWith('/Register') ? { body: account() } : given;
        const answer = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body);
        expect([reader, answer.status]).toEqual([reader, statuses[readers.indexOf(reader)]]);
        if (answer.status === 204) expect(answer.text).toBe('');
        else expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
        if (answer.status >= 400) expect(answer.json).toEqual(expect.any(String));
        if (method === 'GET') {
          const isRead = reader !== 'stranger' || readByStrangers.includes(call);
          expect([reader, tripsOf(answer)]).toEqual([reader, isRead ? 1 : 0]);
        } else {
          expect([reader, tripsOf(answer) <= 2]).toEqual([reader, true]);
        }
      }
    },
  );

  test.each([...calls, ...added])('%s %s answers to no other method', async (method, call) => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => one !== method)) {
      for (const [reader, sent] of [['provider', {}] as const, ['stranger', elsewhere[0]] as const]) {
        const { status, json, headers } = await browserOf(reader).api(other, addressOf(call), undefined, sent);
        expect([other, status, json]).toEqual([other, 405, expect.any(String)]);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(headers.get('allow')?.split(', ')).toEqual(method === 'GET' ? ['GET', 'HEAD'] : [method]);
      }
    }
  });

  test.each([...calls, ...added].filter(([method]) => method !== 'GET'))(
    '%s %s is not for the page of another site',
    async (method, call) => {
      for (const sent of elsewhere) {
        for (const reader of readers) {
          const { status, json } = await browserOf(reader).api(method, addressOf(call), {}, sent);
          expect([reader, status, json]).toEqual([reader, 403, expect.any(String)]);
        }
      }
    },
  );
});

describe('a static file', () => {
  const kept = readdirSync(join(root, 'public')).filter((name) => !name.startsWith('_'));
  const made = readdirSync(join(root, 'build/client/assets'));

  test.each([...kept, ...made.slice(0, 3).map((name) => `assets/${name}`), 'api/openapi.json'])(
    '%s does not wake the Worker',
    async (name) => {
      const { status, headers } = await daybook.visitor().get(`/${name}`);
      expect([status, headers.has('server-timing'), headers.has('etag')]).toEqual([200, false, true]);
    },
  );

  test("that there is not is nobody's page, and does not wake it either", async () => {
    const { status, headers } = await daybook.visitor().get('/assets/none.js');
    expect([status, headers.has('server-timing')]).toEqual([404, false]);
  });
});

/** Gives a browser a session of its own, which it may end. */
async function logInAnew(browser: Visitor, { username }: Person): Promise<void> {
  expect((await browser.api('POST', '/api/Account/Login', { username, password })).status).toBe(200);
}

describe('the statements of all these', () => {
  test('find their rows by a key or an index, all of them', () => {
    expect(plans.length).toBeGreaterThan(60);
    expect(plans.filter((plan) => fullScans(plan).length > 0)).toEqual([]);
  });
});
