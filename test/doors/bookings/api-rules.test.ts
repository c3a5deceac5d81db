import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { added, addressOf, calls } from '../../support/every-route';
import {
  dayAhead,
  look,
  password,
  publication,
  publishOne,
  registerConsumer,
  registerProvider,
} from '../../support/factories';
import { meetupDraft } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type ApiResponse, type Sent, visitor } from '../../support/visit';

const daybook = useServer();
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

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

const every = [...calls, ...added].map(([method, call]) => ({ method, path: addressOf(call) }));
const writes = every.filter(({ method }) => method !== 'GET');

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
