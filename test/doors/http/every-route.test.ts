import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';
import * as all from '../../support/every-route';
import { type Reader, type RouteWorld, readers } from '../../support/every-route';
import { dayAhead, password, publication } from '../../support/factories';
import { describeFirst, share, testFirst } from '../../support/matrix';
import { documentedCalls } from '../../support/openapi';
import { fullScans, recordPlans } from '../../support/plans';
import { useServer } from '../../support/use-server';
import { type Page, tripsOf, type Visitor, visitor } from '../../support/visit';

const { plans, options } = recordPlans();
const daybook = useServer(options);
const screens = [...all.screens, ...all.more];
const calls = [...all.calls, ...all.added];

let world: RouteWorld;
let before: Awaited<ReturnType<typeof dump>>;
beforeAll(async () => {
  world = await all.makeRouteWorld(daybook);
  before = await dump(daybook.d1);
});

/** A browser with the login of one of them, for one visit. */
function browserOf(reader: Reader): Visitor {
  const browser = visitor(daybook.url);
  if (reader !== 'stranger') browser.cookies.set('daybook', world[reader].browser.cookies.get('daybook') ?? '');
  return browser;
}

/** A login of theirs of its own: a login ends the session of the browser that it is made in. */
async function newLoginOf(reader: Exclude<Reader, 'stranger'>): Promise<Visitor> {
  const browser = visitor(daybook.url);
  const login = { username: world[reader].username, password };
  expect((await browser.api('POST', '/api/Account/Login', login)).status).toBe(200);
  return browser;
}

/** Where a stranger is shown something out of the book. */
const isReadByStrangers = (path: string) =>
  /^\/(party|meetup-rsvp|with|calendar|booking|answer|waiting|offer)\//.test(path);

const rules = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
/** What is wrong with the markup of a page, each fault a line. */
async function faultsOf(page: Page): Promise<string[]> {
  const { results } = await rules.validateString(page.text);
  const faults = results.flatMap(({ messages }) =>
    messages.map((one) => `${one.ruleId}: ${one.message} (${one.selector})`),
  );
  // A dialog has a focus of its own, when it opens.
  const focused = page.$$('[autofocus]').filter((one) => !one.closest('dialog, [popover]')).length;
  return focused > 1 ? [...faults, `${focused} elements want the focus`] : faults;
}
const isValidated = (reader: Reader) => share(reader === 'provider', reader !== 'provider');

describe('the screens', () => {
  testFirst('are the twenty-five of the specification, and no others than listed here', () => {
    expect(all.screens).toHaveLength(25);
    const served = routes.map(({ path = '' }) => `/${path}`).filter((path) => !/^\/api\/|\*/.test(path));
    expect(screens.map(([path]) => path).sort()).toEqual(served.sort());
  });

  test.each(screens)('%s answers a stranger, a consumer, its provider and another with %j', async (...row) => {
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
        } else if (!all.isFile(path)) {
          expect(page.headers.get('content-type')).toMatch(/^text\/html/);
          expect(page.$('h1')).not.toBeNull();
          expect(page.words).not.toMatch(/\bat .*\.[jt]s:\d+|undefined|\[object/);
          if (isValidated(reader) && address === bare) expect(await faultsOf(page)).toEqual([]);
        } else if (status === 200) {
          expect(page.headers.get('content-type')).toMatch(/^(text\/(calendar|csv)|application\/json)/);
        }
        // The steps of a booking say what they are for, though nobody may list them.
        const isDescribed = status === 200 && !all.isFile(path) && (reader === 'stranger' || path === '/view');
        if (isDescribed) expect(page.$('meta[name=description]')?.getAttribute('content')).toMatch(/\w+ \w+/);
        const isRead = reader !== 'stranger' || isReadByStrangers(path);
        // A stranger may see a page of a moment ago, where the page knows all that its address asks.
        const isKept = reader === 'stranger' && path === '/with/:username' && address === others[0];
        expect([reader, address, tripsOf(page)]).toEqual([reader, address, isRead && !isKept ? 1 : 0]);
      }
    }
  });

  test('and all that calls give to read have changed nothing, nor do their heads', async () => {
    for (const reader of share<readonly Reader[]>(['consumer', 'provider'], readers)) {
      for (const [, , where] of screens) await browserOf(reader).api('HEAD', where(world));
      for (const [method, call, , sent] of calls.filter(([method]) => method === 'GET')) {
        // Those of a key would have to make a booking first.
        const { path = '' } = call === '/api/Public/Booking' ? {} : ((await sent?.(world)) ?? {});
        for (const asked of [method, 'HEAD'])
          await browserOf(reader).api(asked, `${call.replace('/{id}', '')}${path}`, undefined, { accept: '*/*' });
      }
    }
    expect(before).toMatchObject({ accounts: expect.any(Array), slots: expect.any(Array) });
    expect(await dump(daybook.d1)).toEqual(before);
  });

  testFirst.each(screens.filter(([path]) => /:(id|username)/.test(path)))(
    '%s of nothing is a 404 to whoever may see such a thing',
    async (path, [stranger, consumer, provider]) => {
      const missing = path.replace(/:(id|username)/g, 'AAAAAAAAAAAAAAAAAAAAAA');
      for (const [index, status] of [stranger, consumer, provider].entries()) {
        const page = await browserOf(readers[index] ?? 'stranger').get(missing);
        expect([readers[index], page.status]).toEqual([readers[index], status === 200 ? 404 : status]);
      }
    },
  );

  testFirst.each([
    ['stranger', '/register', {}],
    ['stranger', '/login', {}],
    ['provider', '/create', {}],
    ['provider', '/create-party', {}],
    ['provider', '/rules', { cancelUntil: '-1' }],
    ['provider', '/profile', { intent: 'profile' }],
    ['provider', '/view-meetups', {}],
    ['consumer', '/email', {}],
  ] as const)('what a %s is shown when %s is refused is HTML as the standard has it', async (reader, path, fields) => {
    const page = await browserOf(reader).post(path, fields);
    expect([page.status, await faultsOf(page)]).toEqual([400, []]);
  });

  testFirst.each([
    ['/', '/'],
    ['/Profile/', '/profile'],
    ['/view-parties', '/view-parties'],
    ['/view-meetups', '/view-meetups'],
    ['/view-open?page=1', '/view-open'],
  ])('at %s the menu marks %s as the page that is shown, and nothing else', async (address, marked) => {
    const page = await browserOf('provider').get(address);
    const links = page.$$('nav[aria-label=Main] [aria-current]');
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
      [marked, 'page'],
    ]);
  });

  testFirst('there is nothing elsewhere, on a page that knows its reader', async () => {
    for (const path of ['/view/nowhere', '/party', '/meetup-rsvp', '/view-party', '/party/a/b', '/wp-login.php'])
      expect([path, (await browserOf('stranger').get(path)).status]).toEqual([path, 404]);
    for (const reader of readers) {
      for (const ask of ['get', 'post', 'put', 'delete'] as const) {
        const page = await browserOf(reader)[ask]('/nowhere');
        expect([ask, page.status, page.$('h1') !== null]).toEqual([ask, 404, true]);
        expect(tripsOf(page)).toBe(reader === 'stranger' ? 0 : 1);
        if (reader !== 'stranger') expect(page.words).toContain(`Welcome, ${world[reader].displayName}`);
      }
    }
  });
});

/** How a browser says that another site's page sends something. */
const elsewhere: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
const isReadBy = (call: string) => /^\/api\/(health$|(meetup\/Get(Party|Attendee)|Public)\/)/.test(call);
/** Whose thing it is comes last, because it may be gone afterwards. */
const inTurn = ['stranger', 'rival', 'consumer', 'provider'] as const;

describe('the calls', () => {
  testFirst('are the thirty of the specification and those that are added, and no others', async () => {
    expect(all.calls).toHaveLength(30);
    const listed = (await daybook.visitor().get('/api')).$$('main code').map(({ text }) => text.trim());
    const known = calls.map(([method, call]) => `${method} ${call}`).sort();
    expect([listed.sort(), documentedCalls().sort()]).toEqual([known, known]);
  });

  testFirst.each(calls)('%s %s answers a stranger, a consumer, its provider and another with %j', async (...row) => {
    const [method, call, statuses, sent] = row;
    const given = (await sent?.(world)) ?? {};
    for (const reader of inTurn) {
      // Such a call ends the session that it was made with.
      const isEnding = /\/(Logout|Login|Register)$/.test(call) && reader !== 'stranger';
      const browser = isEnding ? await newLoginOf(reader) : browserOf(reader);
      const { path = '', body } = call.endsWith('/Register') ? { body: all.account() } : given;
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
        expect(tripsOf(answer), reader).toBeLessThanOrEqual(call.endsWith('/Import') ? 3 : 2);
      }
    }
  });

  const firstOfMethod = new Set(
    ['GET', 'POST', 'PUT', 'DELETE'].map((method) => calls.find(([one]) => one === method)?.[1]),
  );

  // One function refuses for all calls: the first of each method shows all that it says, and each call that it is asked.
  test.each(calls)('%s %s answers to no other method, nor to the page of another site', async (method, call) => {
    const isFirst = firstOfMethod.has(call);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => one !== method);
    const askers = [['provider', {}] as const, ['stranger', elsewhere[0]] as const];
    for (const other of share(isFirst ? others : others.slice(0, 1), others)) {
      for (const [reader, sent] of share(isFirst ? askers : askers.slice(0, 1), askers)) {
        const { status, json, headers } = await browserOf(reader).api(other, all.addressOf(call), undefined, sent);
        expect([other, status, json]).toEqual([other, 405, expect.any(String)]);
        expect(headers.get('content-type')).toMatch(/^application\/json/);
        expect(headers.get('allow')?.split(', ')).toEqual(method === 'GET' ? ['GET', 'HEAD'] : [method]);
      }
    }
    if (method === 'GET') return;
    for (const sent of share(isFirst ? elsewhere : elsewhere.slice(0, 1), elsewhere)) {
      for (const reader of share(isFirst ? readers : (['provider'] as const), readers)) {
        const { status, json } = await browserOf(reader).api(method, all.addressOf(call), {}, sent);
        expect([reader, status, json]).toEqual([reader, 403, expect.any(String)]);
      }
    }
  });
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

  const ofOthers = ['//evil.example', '/\\evil.example', '/.//evil.example', 'https://evil.example/'];
  const inCircles = ['/login', '/LOGIN/?to=/view', '/register?to=/view', '/logout', '/not-logged-in?to=/view'];
  const encoded = ['/l%6fgout', '/%4Cogin/?to=/view', '/%61pi/Account/Profile', '/not-logged%2Din'];
  test.each(['', 'view', 'javascript:alert(1)', '/api/Account/Profile', ...ofOthers, ...inCircles, ...encoded])(
    'never leads to %j',
    async (to) => {
      expect(await wayBy(to)).toBe('/login');
    },
  );

  test('is not kept where it is too long for a header', async () => {
    const wayFrom = async (length: number) =>
      (await browserOf('stranger').get(`/view?q=${'%3C'.repeat(length)}`)).location?.slice(0, 18);
    expect([await wayFrom(1_000), await wayFrom(3_900)]).toEqual(['/not-logged-in?to=', '/not-logged-in']);
  });
});

describeFirst('every answer', () => {
  test.each([
    ['/login', true],
    ['/nowhere', true],
    ['/api/Account/IsProvider', false],
    ['/api/nothing', false],
  ])('as at %s says what browsers are to keep from doing with it', async (path, isPage) => {
    const { headers } = await browserOf('provider').get(path);
    const policy = headers
      .get('content-security-policy')
      ?.replace(/'nonce-[\w-]{22}'/, "'nonce-…'")
      .replace(/'sha256-[\w+/]{43}='/, "'sha256-…'");
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
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
    expect([await transport({}), await transport({ 'mf-original-url': 'https://daybook.test/' })]).toEqual([
      null,
      'max-age=31536000; includeSubDomains',
    ]);
  });
});

describe('a login that was ended on another device', () => {
  // A deletion that succeeds takes its reader away: own-data.test.ts has it.
  const writes = calls.filter(
    ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
  );

  async function endedLoginOf(reader: Exclude<Reader, 'stranger'>): Promise<Visitor> {
    const browser = await newLoginOf(reader);
    const cookie = browser.cookies.get('daybook') ?? '';
    await browser.api('DELETE', '/api/Account/Logout');
    browser.cookies.set('daybook', cookie);
    return browser;
  }

  test.each(writes)('writes nothing by %s %s', async (...row) => {
    const [method, call, statuses, sent] = row;
    const { path = '', body } = (await sent?.(world)) ?? {};
    const allowed = (['consumer', 'provider', 'rival'] as const).filter((_, place) => (statuses[place + 1] ?? 0) < 300);
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

  testFirst('takes one round trip to be known at each screen', async () => {
    const browser = await endedLoginOf('consumer');
    const cookie = browser.cookies.get('daybook') ?? '';
    for (const [, , where] of screens) {
      browser.cookies.set('daybook', cookie);
      expect([where(world), tripsOf(await browser.get(where(world)))]).toEqual([where(world), 1]);
    }
  });
});

describeFirst('a static file', () => {
  const kept = readdirSync(join(root, 'public')).filter((name) => !name.startsWith('_'));
  const made = readdirSync(join(root, 'build/client/assets')).slice(0, 3);

  test.each([...kept, ...made.map((name) => `assets/${name}`), 'api/openapi.json'])(
    '%s does not wake the Worker, and is kept by the browser',
    async (name) => {
      const { status, headers } = await daybook.visitor().get(`/${name}`);
      expect([status, headers.has('server-timing'), headers.has('etag')]).toEqual([200, false, true]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': expect.stringMatching(/^public, max-age=\d{4,8}(, immutable)?$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    },
  );

  const none = ['/assets/none.js', '/assets/', '/assets/%2e%2e/none.js', '/none.png'];
  test.each(none)('that there is not, at %s, is kept by nobody', async (path) => {
    const { status, headers } = await daybook.visitor().get(path);
    expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store']);
  });
});

// At the end, because the looks at the whole book get slow with it.
testFirst('the largest publication takes one round trip, too', async () => {
  const dates = Array.from({ length: 300 }, (_, index) => dayAhead(index + 100));
  const body = publication({ end: '17:00', dates });
  const answer = await browserOf('rival').api('POST', '/api/Appointment/CreateAppointment', body);
  expect([answer.json, tripsOf(answer)]).toEqual([{ created: 4800, skipped: 0 }, 1]);
});

test('the statements of all these find their rows by a key or an index', () => {
  expect(plans.length).toBeGreaterThan(60);
  expect(plans.filter((plan) => fullScans(plan).length > 0)).toEqual([]);
});
