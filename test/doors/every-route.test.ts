import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import routes from '../../app/routes';
import { tripsOf } from '../support/asked';
import {
  isFile,
  makeWorld,
  more,
  questions,
  type Reader,
  readers,
  type Statuses,
  screens,
  type World,
} from '../support/every-route';
import {
  book,
  dayAhead,
  type Person,
  password,
  publication,
  publish,
  publishOne,
  type Row,
} from '../support/factories';
import { documentedCalls } from '../support/openapi';
import {
  createMeetup,
  createParty,
  linkOf,
  meetupDraft,
  partyDraft,
  publishQuestions,
} from '../support/party-factories';
import { fullScans, recordPlans } from '../support/plans';
import { root } from '../support/root';
import { useServer } from '../support/use-server';
import { type Visitor, visitor } from '../support/visit';

const { plans, options } = recordPlans();
const daybook = useServer({ vars: { TIMING: 'on' }, ...options });

let world: World;
beforeAll(async () => {
  world = await makeWorld(daybook);
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

  test.each(['/nowhere', '/view/nowhere', '/party', '/meetup-rsvp', '/view-party', '/party/a/b', '/wp-login.php'])(
    'there is nothing at %s',
    async (path) => {
      for (const reader of readers) {
        const page = await browserOf(reader).get(path);
        expect([page.status, page.$('h1') !== null]).toEqual([404, true]);
      }
    },
  );
});

type Sent = { path?: string; body?: unknown };
type ApiCall = [method: string, call: string, statuses: Statuses, sent?: (world: World) => Sent | Promise<Sent>];

const id = (value: string, more = ''): Sent => ({ path: `?id=${value}${more}` });
let names = 0;
const account = () => {
  names += 1;
  return { username: `visitor-${names}`, displayName: 'Visitor', password, role: 'Consumer' };
};
const anyone: Statuses = [200, 200, 200, 200];
const loggedIn: Statuses = [401, 200, 200, 200];
const publishers: Statuses = [401, 403, 200, 200];
const creators: Statuses = [401, 403, 201, 201];
const owners: Statuses = [401, 403, 200, 404];
const removers: Statuses = [401, 403, 204, 404];
let days = 10;
/** A slot of the provider on a day of its own, booked by the consumer. */
async function freshBooking({ provider, consumer, template }: World): Promise<Row> {
  days += 1;
  const slots = await publish(provider, { dates: [dayAhead(days)] }, `templateId=${template}`);
  await book(consumer, slots[0] as Row);
  return slots[0] as Row;
}
async function freshSlot({ provider }: World): Promise<Row> {
  days += 1;
  return publishOne(provider, { dates: [dayAhead(days)] });
}

/** Every call of the specification. */
const calls: ApiCall[] = [
  ['POST', '/api/Account/Register', [201, 201, 201, 201], () => ({ body: account() })],
  ['POST', '/api/Account/Login', anyone, ({ rival }) => ({ body: { username: rival.username, password } })],
  ['GET', '/api/Account/Profile', [400, 200, 200, 200]],
  ['DELETE', '/api/Account/Logout', [204, 204, 204, 204]],
  ['GET', '/api/Account/IsProvider', [400, 200, 200, 200]],
  ['POST', '/api/Appointment/CreateAppointment', creators, () => ({ path: '?len=30', body: publication() })],
  ['GET', '/api/Appointment/GetPage', loggedIn, () => ({ path: '?q=&page=0' })],
  ['GET', '/api/Appointment/Get', [401, 200, 200, 404], ({ booked }) => id(booked.id)],
  ['PUT', '/api/Appointment/Book', [401, 200, 403, 403], async (world) => id((await freshSlot(world)).id)],
  ['PUT', '/api/Appointment/Cancel', [401, 200, 200, 404], async (world) => id((await freshBooking(world)).id)],
  ['GET', '/api/Appointment/GetBooked', loggedIn, () => ({ path: '?page=0' })],
  ['GET', '/api/Appointment/GetDash', loggedIn, () => ({ path: '?page=0' })],
  ['GET', '/api/Appointment/GetProviders', loggedIn, () => ({ path: '?location=Lisbon' })],
  ['GET', '/api/Appointment/GetDates', loggedIn, ({ provider }) => ({ path: `?provider=${provider.username}` })],
  ['GET', '/api/Appointment/GetLocations', loggedIn],
  ['GET', '/api/Checkin/GetTemplates', publishers],
  ['POST', '/api/Checkin/CreateTemplate', creators, () => ({ path: '?templateName=New', body: questions })],
  ['GET', '/api/Checkin/Get', loggedIn, ({ template }) => id(template)],
  [
    'DELETE',
    '/api/Checkin/DeleteTemplate',
    removers,
    async ({ provider }) => id(await publishQuestions(provider, questions)),
  ],
  [
    'PUT',
    '/api/Checkin/SubmitForm',
    [401, 200, 404, 404],
    async (world) => ({ ...id((await freshBooking(world)).id), body: [{ question: 'Why?', answer: 'Because' }] }),
  ],
  ['POST', '/api/Party/CreateParty', creators, () => ({ body: partyDraft() })],
  ['DELETE', '/api/Party/DeleteParty', removers, async ({ provider }) => id((await createParty(provider)).id)],
  ['PUT', '/api/Party/BookRsvp', [401, 200, 403, 200], ({ party }) => id(party.id, '&accepted=true')],
  ['GET', '/api/Party/GetMy', publishers],
  ['GET', '/api/Party/GetAll', loggedIn],
  ['PUT', '/api/Party/EditParty/{id}', owners, ({ party }) => ({ path: `/${party.id}`, body: { title: 'New' } })],
  [
    'PUT',
    '/api/meetup/ChangeRsvp',
    anyone,
    ({ meetup }) => id(linkOf(meetup, 'Ada').id, `&meetupid=${meetup.id}&accepted=true&name=Ada`),
  ],
  ['GET', '/api/meetup/GetParty/{id}', anyone, ({ party }) => ({ path: `/${party.id}` })],
  ['GET', '/api/meetup/GetAttendee/{id}', anyone, ({ meetup }) => ({ path: `/${linkOf(meetup, 'Ada').id}` })],
  ['GET', '/api/meetup/GetMyMeetups', publishers],
];

/** What the contract adds. */
const added: ApiCall[] = [
  [
    'PUT',
    '/api/Checkin/EditTemplate',
    owners,
    async ({ provider }) => ({
      ...id(await publishQuestions(provider, questions), '&templateName=N'),
      body: questions,
    }),
  ],
  ['POST', '/api/meetup/CreateMeetup', creators, () => ({ body: meetupDraft() })],
  ['PUT', '/api/meetup/EditMeetup/{id}', owners, ({ meetup }) => ({ path: `/${meetup.id}`, body: { title: 'New' } })],
  ['DELETE', '/api/meetup/DeleteMeetup', removers, async ({ provider }) => id((await createMeetup(provider)).id)],
  [
    'POST',
    '/api/meetup/AddAttendees',
    [401, 403, 201, 404],
    async ({ provider }) => ({ ...id((await createMeetup(provider)).id), body: ['Cem'] }),
  ],
  [
    'DELETE',
    '/api/meetup/RemoveAttendee',
    removers,
    async ({ provider }) => id(linkOf(await createMeetup(provider), 'Ada').id),
  ],
  [
    'PUT',
    '/api/meetup/ReplaceLink',
    owners,
    async ({ provider }) => id(linkOf(await createMeetup(provider), 'Ada').id),
  ],
];

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
        if (answer.status === 400) expect(answer.json).toEqual(expect.anything());
        if (method === 'GET') {
          const isRead = reader !== 'stranger' || readByStrangers.includes(call);
          expect([reader, tripsOf(answer)]).toEqual([reader, isRead ? 1 : 0]);
        } else {
          expect([reader, tripsOf(answer) <= 2]).toEqual([reader, true]);
        }
      }
    },
  );

  const addressOf = (call: string) => call.replace('{id}', 'none');

  test.each([...calls, ...added])('%s %s answers to no other method', async (method, call) => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => one !== method)) {
      const { status, json, headers } = await browserOf('provider').api(other, addressOf(call));
      expect([other, status, json]).toEqual([other, 405, expect.any(String)]);
      expect(headers.get('allow')?.split(', ')).toEqual(method === 'GET' ? ['GET', 'HEAD'] : [method]);
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
