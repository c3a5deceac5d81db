import { Agent, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { expectConsoleError } from '../../support/console';
import { added, addressOf, calls } from '../../support/every-route';
import {
  book,
  dayAhead,
  look,
  password,
  publication,
  publishOne,
  type Row,
  registerConsumer,
  registerProvider,
} from '../../support/factories';
import { createParty, meetupDraft } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type ApiResponse, type Sent, visitor } from '../../support/visit';

const daybook = useServer();
const { ana, maya, june } = useWorld(daybook, { ana: {}, maya: {}, june: {} });

/** An answer of the API that refuses: JSON, a list of messages for invalid input and one message for the rest. */
function refusal({ status, headers, json }: ApiResponse): number {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const messages = status === 400 ? json : [json];
  expect(messages).toEqual(expect.any(Array));
  for (const message of messages as unknown[]) expect(message).toEqual(expect.any(String));
  return status;
}

const fromElsewhere = { 'sec-fetch-site': 'cross-site' };
const create = '/api/Appointment/CreateAppointment';

describe('what is wrong is said in this order', () => {
  test('of a call with everything wrong, mended one by one', async () => {
    const wrong = {
      method: 'PUT',
      path: '/api/Appointment/Nothing?len=1',
      site: 'cross-site',
      type: 'text/plain',
      body: { dates: ['x'.repeat(65 * 1024)] } as object,
      door: daybook.visitor(),
    };
    const mended = [
      ['nothing', {}, 404],
      ['the path', { path: `${create}?len=1&templateId=none` }, 405],
      ['the method', { method: 'POST' }, 403],
      ['the site', { site: 'same-origin' }, 413],
      ['the size', { body: { dates: ['x'] } }, 415],
      ['the type', { type: 'application/json' }, 401],
      ['the session', { door: maya.browser }, 403],
      ['the role', { door: ana.browser }, 400],
      ['the body', { body: publication() }, 400],
      ['the query', { path: `${create}?templateId=none` }, 404],
    ] as const;
    for (const [what, better, status] of mended) {
      const { method, path, site, type, body, door } = Object.assign(wrong, better);
      const answer = await door.api(method, path, body, { 'sec-fetch-site': site, 'content-type': type });
      expect(refusal(answer), `with ${what} mended`).toBe(status);
    }
    expect((await ana.api('POST', create, wrong.body)).status).toBe(201);
  });

  test('of a booking: its session, the role, the id, the thing, and its state', async () => {
    const slot = await publishOne(ana, { dates: [dayAhead(2)] });
    await book(june, slot);
    const statuses: number[] = [];
    for (const [door, query] of [
      [daybook.visitor(), ''],
      [ana.browser, ''],
      [maya.browser, ''],
      [maya.browser, '?id=none'],
      [maya.browser, `?id=${slot.id}`],
    ] as const) {
      statuses.push(refusal(await door.api('PUT', `/api/Appointment/Book${query}`)));
    }
    expect(statuses).toEqual([401, 403, 400, 404, 409]);
  });
});

test.each(['Nothing', 'Account', 'Account/Nothing', 'Account/Login/more', 'Appointment/Nothing?id=1'])(
  '/api/%s is a 404, whatever is done with it',
  async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const door of [daybook.visitor(), ana.browser]) {
        const asPage = await door.api(method, `/api/${path}`, undefined, { accept: 'text/html', ...fromElsewhere });
        expect(refusal(asPage), method).toBe(404);
      }
    }
  },
);

test.each(['PROPFIND', 'QUERY'])('a method as rare as %s is answered like any other', async (method) => {
  const answer = await daybook.visitor().api(method, '/api/Account/Login', undefined, fromElsewhere);
  expect([refusal(answer), answer.headers.get('allow')]).toEqual([405, 'POST']);
});

const every = [...calls, ...added].map(([method, call]) => ({ method, path: addressOf(call) }));
const gets = every.filter(({ method }) => method === 'GET');
const writes = every.filter(({ method }) => method !== 'GET');

test.each(['/api/Account/Profile', '/api/nope', '/profile', '/login', '/nowhere', '/view?q=x'])(
  'a body that comes with a reading of %s is let be',
  async (path) => {
    const accept = { accept: 'text/html' };
    for (const method of ['GET', 'HEAD']) {
      const plain = await maya.api(method, path, undefined, accept);
      const withBody = await maya.api(method, path, { any: 'thing' }, accept);
      expect([method, withBody.status, withBody.text.length]).toEqual([method, plain.status, plain.text.length]);
    }
  },
);

test('what the framework asks screens for by `_data` means nothing to a call', async () => {
  for (const path of ['/api/Account/Profile', '/api/nope', '/api/Appointment/GetPage?page=x']) {
    const asked = `${path}${path.includes('?') ? '&' : '?'}_data=root`;
    const [plain, asData] = [await maya.api('GET', path), await maya.api('GET', asked)];
    expect([asData.status, asData.json]).toEqual([plain.status, plain.json]);
  }
  const login = await daybook.visitor().api('POST', '/api/Account/Login?_data=x', { username: 'a', password: 'b' });
  expect([login.status, login.json]).toEqual([401, 'Wrong username or password.']);
  const to = encodeURIComponent('/view?_data=routes%2Fbooking%2Ffind&location=Lisbon');
  const { username } = maya;
  const page = await daybook.visitor().post(`/login?to=${to}`, { username, password });
  expect([page.status, page.location]).toEqual([303, '/view?location=Lisbon']);
});

describe('after a refusal', () => {
  const size = (bytes: number) => JSON.stringify('x'.repeat(bytes));

  /** Asks over a connection that is kept, and gives the status. */
  const askOver = (agent: Agent, path: string, { method = 'GET', body = '', headers = {} } = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asking = request(`${daybook.url}${path}`, { agent, method, headers }, (answer) =>
        answer.resume().once('end', () => resolve(answer.statusCode)),
      );
      asking.once('error', reject).end(body);
    });

  test.each([
    ['of a path', '/api/nope', { method: 'PUT', body: '{}' }],
    ['of a method', '/api/Account/Profile', { method: 'PUT', body: '{}' }],
    ['of another site', '/api/Account/Login', { method: 'POST', body: '{}', headers: fromElsewhere }],
    ['of a large body', '/api/Account/Login', { method: 'POST', body: size(200_000) }],
    ['of a screen', '/not-logged-in', { method: 'POST', body: 'a=1' }],
    ['of a form from elsewhere', '/login', { method: 'POST', body: 'a=1', headers: fromElsewhere }],
    ['of a screen by its method', '/profile', { method: 'PUT', body: size(1000) }],
  ])('%s the connection takes the next request', async (_, path, sent) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let time = 0; time < 20; time++) {
      expect(await askOver(agent, path, sent)).toBeGreaterThanOrEqual(400);
      expect(await askOver(agent, '/login')).toBe(200);
    }
    agent.destroy();
  });
});

describe('a write that the page of another site sends', () => {
  const here = () => new URL(daybook.url).host;

  test.each<[string, () => Sent]>([
    ['another site', () => fromElsewhere],
    ['a sister site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['another site, its origin notwithstanding', () => ({ ...fromElsewhere, origin: daybook.url })],
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['no origin that has a name', () => ({ origin: 'null' })],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['a name that begins alike', () => ({ origin: `http://${here()}.evil.example` })],
    ['rubbish', () => ({ origin: 'x' })],
  ])('is refused at every call: %s', async (_, sent) => {
    for (const { method, path } of writes) {
      for (const who of [ana, maya]) {
        const answer = await who.api(method, path, method === 'POST' ? {} : undefined, sent());
        expect([path, refusal(answer)]).toEqual([path, 403]);
      }
    }
    expect((await maya.api('GET', '/api/Account/Profile')).status).toBe(200);
  });

  test('changes nothing, at the API and on a screen', async () => {
    const slot = await publishOne(ana, { dates: [dayAhead(3)] });
    const booking = await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}`, undefined, fromElsewhere);
    const shouted = await maya.api('PUT', `/API/appointment/book?id=${slot.id}`, undefined, fromElsewhere);
    expect([refusal(booking), refusal(shouted)]).toEqual([403, 403]);
    expect((await maya.browser.post(`/details/${slot.id}`, {}, fromElsewhere)).status).toBe(403);
    expect((await look(ana, slot)).json).toEqual(slot);
  });

  test.each<[string, () => Sent]>([
    ['of this site', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['that was typed in', () => ({ 'sec-fetch-site': 'none' })],
    ['of an older browser on this site', () => ({ origin: daybook.url })],
    ['of no browser at all', () => ({})],
  ])('is taken where it is one %s', async (_, sent) => {
    const login = { username: maya.username, password };
    expect((await daybook.visitor().api('POST', '/api/Account/Login', login, sent())).status).toBe(200);
  });

  test.each(gets)('is not what reading $path is, and HEAD reads it without a body', async ({ path }) => {
    const asked = `${path}?id=none&provider=${ana.username}`;
    const [here, elsewhere] = [await maya.api('GET', asked), await maya.api('GET', asked, undefined, fromElsewhere)];
    // An export says when it was made.
    const said = ({ text }: ApiResponse) => text.replace(/"exportedAt":"[^"]*"/, '');
    expect([elsewhere.status, said(elsewhere)]).toEqual([here.status, said(here)]);
    const head = await maya.api('HEAD', asked);
    expect([head.status, head.text]).toEqual([here.status, '']);
  });
});

describe('a body', () => {
  const zeros = (many: number) => Array<number>(many).fill(0);
  const lists: [string, (many: number) => unknown][] = [
    ['POST /api/Checkin/CreateTemplate?displayName=Long', zeros],
    ['POST /api/Checkin/CreateTemplate?displayName=Deep', (many) => [{ questionType: 1, options: zeros(many) }]],
    ['POST /api/meetup/CreateMeetup', (many) => meetupDraft({ attendees: zeros(many) })],
    ['PUT /api/Party/BookRsvp?id=x&accepted=true', zeros],
  ];

  test.each(lists)('%s with a long list is a 400 that tells the first 500 of its faults', async (call, of) => {
    const [method = '', path = ''] = call.split(' ');
    const who = path.includes('BookRsvp') ? maya : ana;
    const { status, json, text } = await who.api(method, path, of(10_000));
    const messages = json as string[];
    expect([status, messages.length]).toEqual([400, 501]);
    expect(messages.at(-1)).toMatch(/^There are \d{4,5} more faults like these\.$/);
    expect(text.length).toBeLessThan(60_000);
    for (const many of [10_001, 200_000]) {
      const longer = await who.api(method, path, of(many));
      expect([longer.status, longer.json]).toEqual([400, ['A list can have at most 10000 entries.']]);
    }
  });

  test('of more than 64 KiB is a 413, whether it says so or not', async () => {
    const padding = 64 * 1024 - JSON.stringify(publication({ more: '', dates: [dayAhead(4)] })).length;
    const of = (characters: number) => publication({ more: 'x'.repeat(characters), dates: [dayAhead(4)] });
    const undeclared: Sent = { 'content-length': null, 'transfer-encoding': 'chunked' };
    for (const sent of [{}, undeclared]) {
      expect(refusal(await ana.api('POST', create, of(padding + 1), sent))).toBe(413);
      expect((await ana.api('POST', create, of(padding), sent)).status).toBe(201);
    }
  });

  test('that is left out or of another type than JSON is a 415', async () => {
    expect(refusal(await ana.api('POST', create))).toBe(415);
    const parts = 'multipart/form-data; boundary=x';
    for (const type of [null, 'text/plain', 'application/x-www-form-urlencoded', parts, 'text/json']) {
      expect([type, refusal(await ana.api('POST', create, publication(), { 'content-type': type }))]).toEqual([
        type,
        415,
      ]);
    }
  });

  test('that may be left out is left out where it is blank, whatever its type', async () => {
    const slot = await publishOne(ana);
    const path = `/api/Appointment/Book?id=${slot.id}`;
    const cookie = maya.browser.cookies.header('/') ?? '';
    for (const type of ['application/json', 'text/plain']) {
      for (const body of ['', ' \r\n\t']) {
        const headers = { 'content-type': type, cookie };
        const { status } = await fetch(daybook.url + path, { method: 'PUT', body, headers });
        expect([type, body, status]).toEqual([type, body, 200]);
      }
    }
    expect((await maya.api('PUT', path, '', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('and a query may have more in them than is known', async () => {
    const more = { id: 'mine', status: 2, provider: maya.username, more: { of: [] } };
    const body = publication({ dates: [dayAhead(5)], ...more });
    const answer = await ana.api('POST', `${create}?id=mine&more=`, body);
    expect(answer).toMatchObject({ status: 201, json: { created: 1, skipped: 0 } });
    const [slot] = (await maya.api('GET', `/api/Appointment/GetPage?more=1&dates=${dayAhead(5)}`)).json as Row[];
    expect(slot).toMatchObject({ provider: ana.username, status: 0 });
    expect((await maya.api('GET', '/api/Account/IsProvider?role=Provider')).json).toBe(false);
  });
});

test('of two ids the one in the path counts', async () => {
  const [party, other] = [await createParty(ana), await createParty(ana)];
  const { json } = await ana.api('PUT', `/api/Party/EditParty/${party.id}?id=${other.id}`, { title: 'Renamed' });
  expect(json).toMatchObject({ id: party.id, title: 'Renamed' });
});

describe('an Idempotency-Key', () => {
  const write = (key: string, questions: unknown = []) =>
    ana.api('POST', '/api/Checkin/CreateTemplate', questions, { 'idempotency-key': key });

  test('that is blank is none', async () => {
    const [one, other] = [await write(''), await write('')];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.json).not.toEqual(other.json);
  });

  test('that is too long is told beside what else is wrong', async () => {
    expect(complaints(await write('k'.repeat(201), {}))).toHaveLength(2);
  });
});

describe('while the storage is down', () => {
  const broken = useServer();

  test('every call that needs it is a 503 that says when to try again', async () => {
    const provider = await registerProvider(broken);
    const slot = await publishOne(provider);
    const consumer = await registerConsumer(broken);
    await broken.d1.prepare('ALTER TABLE sessions RENAME TO elsewhere').run();
    expectConsoleError(/storage unavailable/);
    const account = { username: 'late.comer', password, displayName: 'Late', role: 'Consumer' };
    const answers = [
      await consumer.api('GET', '/api/Account/Profile'),
      await consumer.api('GET', '/api/Appointment/GetPage'),
      await consumer.api('PUT', `/api/Appointment/Book?id=${slot.id}`),
      await provider.api('PUT', `/api/Appointment/Cancel?id=${slot.id}`),
      await provider.api('POST', create, publication({ dates: [dayAhead(2)] })),
      await visitor(broken.url).api('POST', '/api/Account/Register', account),
      await visitor(broken.url).api('POST', '/api/Account/Login', { username: consumer.username, password }),
      await consumer.api('DELETE', '/api/Account/Logout'),
    ];
    for (const answer of answers) {
      expect(refusal(answer)).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await broken.d1.prepare('ALTER TABLE elsewhere RENAME TO sessions').run();
    expect((await look(provider, slot)).json).toEqual(slot);
    expect((await visitor(broken.url).api('POST', '/api/Account/Login', account)).status).toBe(401);
  });
});
