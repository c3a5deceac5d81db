import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../app/domain/messages/mail';
import { platformTransport } from '../../../app/mail/platform';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* Mail by the JSON call of a service, which is played here; the Worker and its outbox are those that are deployed. */

type Asked = {
  path: string;
  headers: IncomingMessage['headers'];
  body: { to: string[]; subject: string; from: string };
};
const asked: Asked[] = [];
const vars = { MAIL_URL: '', MAIL_KEY: 'key of the service', MAIL_FROM: 'Daybook <book@daybook.test>' };
let moved = false;

const service = createServer(async (request, response) => {
  asked.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse((await text(request)) || '{}') });
  response.writeHead(moved ? 307 : 200, moved ? { Location: '/elsewhere' } : {}).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  vars.MAIL_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/emails`;
});
afterAll(() => service.close());
const daybook = useServer({ vars });
const { newConsumer } = peopleAt(daybook);

/** Somebody gives an address, which is asked by mail; answers what the service was asked then. */
async function callFor(email: string): Promise<Asked> {
  const { api } = await newConsumer();
  expect((await api('PUT', '/api/Account/SetEmail', { email, password })).status).toBe(200);
  const callsFor = () => asked.filter(({ body }) => body.to?.includes(email));
  await vi.waitFor(() => expect(callsFor()).toHaveLength(1), { timeout: 10_000, interval: 50 });
  return callsFor()[0] as Asked;
}

describe('a mail', () => {
  let call: Asked;
  beforeAll(async () => {
    call = await callFor('ana@mail.test');
  });

  test('leaves by one call to the service', () => {
    expect(call.path).toBe('/emails');
  });

  test('has the key of the service', () => {
    expect(call.headers.authorization).toBe('Bearer key of the service');
  });

  test('has a word that keeps it from being sent twice', () => {
    expect(call.headers['idempotency-key']).toMatch(/\S{10,}/);
  });

  test('says from whom it is, what it is about', () => {
    expect(call.body).toMatchObject({
      from: '"Daybook" <book@daybook.test>',
      subject: expect.stringContaining('address'),
    });
  });
});

test('a service that sends the call elsewhere is not followed', async () => {
  moved = true;

  await callFor('bo@mail.test');

  const waiting = () =>
    daybook.d1.prepare("SELECT reason FROM messages WHERE email = 'bo@mail.test'").first<{ reason: string | null }>();
  await expect.poll(async () => (await waiting())?.reason, { timeout: 10_000 }).toBe('HTTP 307');
  // Neither the mail nor the key went there.
  expect(asked.filter(({ path }) => path === '/elsewhere')).toEqual([]);
});

describe('the binding of the platform', () => {
  class EmailMessage {
    constructor(
      readonly from: string,
      readonly to: string,
      readonly raw: string,
    ) {}
  }
  const mail = {
    ...{ id: 'one:1', to: 'ana@mail.test', subject: 'Ünïcode', text: 'Words', html: '<p>Words</p>' },
    calendar: { method: 'REQUEST', content: 'BEGIN:VCALENDAR' },
    unsubscribe: 'https://daybook.test/unsubscribe/x',
  } as const;

  /** Sends the mail by a binding that does this with it. */
  const sendBy = (send: (message: EmailMessage) => void): Promise<Outcome> => {
    const binding = { send: async (message: unknown) => send(message as EmailMessage) };
    const transport = platformTransport(binding, EmailMessage, { name: 'Daybook', address: 'book@daybook.test' });
    return transport([mail])[0] as Promise<Outcome>;
  };
  async function takenMail() {
    const taken: EmailMessage[] = [];
    const outcome = await sendBy((message) => taken.push(message));
    return { outcome, ...(taken[0] as EmailMessage) };
  }

  test('that takes a mail has sent it', async () => {
    expect((await takenMail()).outcome).toEqual({ isSent: true });
  });

  test('is told from whom to whom', async () => {
    const { from, to } = await takenMail();

    expect(from).toBe('book@daybook.test');
    expect(to).toBe('ana@mail.test');
  });

  test('gets the words as they are', async () => {
    const read = await simpleParser((await takenMail()).raw);

    expect(read.subject).toBe('Ünïcode');
    expect(read.text?.trim()).toBe('Words');
    expect(read.html).toContain('Words');
  });

  test('gets the entry as an answerable part', async () => {
    expect((await takenMail()).raw).toMatch(/Content-Type: text\/calendar;[^\0]*method="?REQUEST/);
  });

  test.each([
    ['for good', 'destination address is not a verified address', true],
    ['for now', 'internal error', false],
  ])('refuses a mail %s: %s', async (_, message, isFinal) => {
    const outcome = await sendBy(() => {
      throw new Error(message);
    });

    expect(outcome).toMatchObject({ isSent: false, isFinal });
  });
});
