import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, publication } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Sent } from '../../support/visit';

const daybook = useServer();
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

const create = '/api/Appointment/CreateAppointment';

test('a call with everything wrong is told its faults one by one, in one order', async () => {
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
    const response = await door.api(method, path, body, { 'sec-fetch-site': site, 'content-type': type });
    const json = status === 400 ? expect.any(Array) : expect.any(String);
    expect(response, `with ${what} mended`).toMatchObject({ status, json });
  }
  expect((await ana.api('POST', create, wrong.body)).status).toBe(201);
});

describe.each([
  ['Appointment/SetHours?preview', { hours: [] }],
  ['Appointment/Cancel?id=none&republish', undefined],
  ['Appointment/Move?id=none&to=none&republish', undefined],
])('%s', (call, body) => {
  test.each(['True', '1', 'maybe'])('=%s is refused, as it is neither true nor false', async (word) => {
    const response = await ana.api('PUT', `/api/${call}=${word}`, body);

    expect(complaints(response)).toEqual([expect.stringContaining('must be true or false.')]);
    expect((await ana.api('GET', '/api/Appointment/GetHours')).text).toBe('null');
  });
});

// That each call asks who sends it: test/doors/http/every-route.test.ts.
test.each<[string, () => Sent]>([
  ['a sister site', () => ({ 'sec-fetch-site': 'same-site' })],
  ['another site, its origin notwithstanding', () => ({ 'sec-fetch-site': 'cross-site', origin: daybook.url })],
  ['no origin that has a name', () => ({ origin: 'null' })],
  ['another port', () => ({ origin: 'http://127.0.0.1:1' })],
  ['a name that begins alike', () => ({ origin: `${daybook.url}.evil.example` })],
])('a write that the page of another site sends is refused: %s', async (_, sent) => {
  expect(refusal(await ana.api('PUT', '/api/Appointment/Cancel?id=none', undefined, sent()))).toBe(403);
});

describe('a body', () => {
  const sendList = (many: number) => maya.api('PUT', '/api/Party/BookRsvp?id=x&accepted=true', Array(many).fill(0));

  test('with many faults is a 400 that tells the first 500 of them', async () => {
    const messages = complaints(await sendList(10_000));

    expect(messages).toHaveLength(501);
    expect(messages.at(-1)).toMatch(/^There are \d{4,5} more faults like these\.$/);
  });

  test('with a list of more than 10000 entries is a 400 that says only that', async () => {
    expect(complaints(await sendList(10_001))).toEqual(['A list can have at most 10000 entries.']);
  });

  describe.each<[string, Sent]>([
    ['that says how long it is', {}],
    ['that does not say how long it is', { 'content-length': null, 'transfer-encoding': 'chunked' }],
  ])('%s', (_, sent) => {
    const padding = 64 * 1024 - JSON.stringify(publication({ more: '', dates: [dayAhead(4)] })).length;
    const paddedBy = (characters: number) => publication({ more: 'x'.repeat(characters), dates: [dayAhead(4)] });

    test('is a 413 if it is longer than 64 KiB', async () => {
      expect(refusal(await ana.api('POST', create, paddedBy(padding + 1), sent))).toBe(413);
    });

    test('is taken if it is 64 KiB', async () => {
      expect((await ana.api('POST', create, paddedBy(padding), sent)).status).toBe(201);
    });
  });

  test('that is left out is a 415', async () => {
    expect(refusal(await ana.api('POST', create))).toBe(415);
  });

  test.each([null, 'application/x-www-form-urlencoded', 'text/json'])('of the type %s is a 415', async (type) => {
    expect(refusal(await ana.api('POST', create, publication(), { 'content-type': type }))).toBe(415);
  });
});
