import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const setEmail = async (email: string) => {
  const { api } = await newConsumer();
  expect((await api('PUT', '/api/Account/SetEmail', { email, password })).status).toBe(200);
};
const mailsTo = (email: string) => asked.filter(({ body }) => body.to?.includes(email));

test('a mail leaves by one call, with the key and a word that keeps it from being sent twice', async () => {
  await setEmail('ana@mail.test');
  await expect.poll(() => mailsTo('ana@mail.test').length, { timeout: 10_000 }).toBe(1);
  const [{ path, headers, body }] = mailsTo('ana@mail.test') as [Asked];
  expect([path, headers.authorization]).toEqual(['/emails', 'Bearer key of the service']);
  expect(headers['idempotency-key']).toMatch(/\S{10,}/);
  expect(body).toMatchObject({ from: '"Daybook" <book@daybook.test>', subject: expect.stringContaining('address') });
});

test('a service that sends the call elsewhere is not followed: neither mail nor key go there', async () => {
  moved = true;
  await setEmail('bo@mail.test');
  await expect.poll(() => mailsTo('bo@mail.test').length, { timeout: 10_000 }).toBe(1);
  const waiting = () =>
    daybook.d1.prepare("SELECT reason FROM messages WHERE email = 'bo@mail.test'").first<{ reason: string | null }>();
  await expect.poll(async () => (await waiting())?.reason, { timeout: 10_000 }).toBe('HTTP 307');
  expect(asked.filter(({ path }) => path === '/elsewhere')).toEqual([]);
});

test('the binding of the platform gets the mail as it is, and what it refuses for good is not tried again', async () => {
  class EmailMessage {
    constructor(
      readonly from: string,
      readonly to: string,
      readonly raw: string,
    ) {}
  }
  const got: EmailMessage[] = [];
  let error: Error | undefined;
  const binding = {
    send: async (message: unknown) => {
      if (error) throw error;
      got.push(message as EmailMessage);
    },
  };
  const transport = platformTransport(binding, EmailMessage, { name: 'Daybook', address: 'book@daybook.test' });
  const mail = { id: 'one:1', to: 'ana@mail.test', subject: 'Ünïcode', text: 'Words', html: '<p>Words</p>' };
  const send = (content: string): Promise<Outcome> =>
    transport({ ...mail, calendar: { method: 'REQUEST', content }, unsubscribe: 'https://daybook.test/unsubscribe/x' });
  expect(await send('BEGIN:VCALENDAR')).toEqual({ isSent: true });
  const [{ from, to, raw }] = got as [EmailMessage];
  expect([from, to]).toEqual(['book@daybook.test', 'ana@mail.test']);
  const read = await simpleParser(raw);
  expect([read.subject, read.text?.trim(), read.html]).toEqual(['Ünïcode', 'Words', expect.stringContaining('Words')]);
  expect(raw).toMatch(/Content-Type: text\/calendar;[^\0]*method="?REQUEST/);
  for (const [message, isFinal] of [
    ['destination address is not a verified address', true],
    ['internal error', false],
  ] as const) {
    error = new Error(message);
    expect(await send('BEGIN:VCALENDAR')).toMatchObject({ isSent: false, isFinal });
  }
});
