import { beforeAll, describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { bookFor, mark } from '../../support/appointment-calls';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, reply, rsvp } from '../../support/party-factories';
import { bookWith, intakeAnswers, publishAsking, submitForm, writeTemplate } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf } from '../../support/visit';
import { everyKind, type Respond, useReceiver } from '../../support/webhook-receiver';

/* What a provider's program is told of, and a receiver that this test plays. */

const logged: string[] = [];
const daybook = useServer({
  vars: { ASK_LOOPBACK: 'on', LOG: 'on' },
  log({ level, message }) {
    logged.push(message);
    if (level === 'error') console.error(message);
  },
});
const receiver = useReceiver();
const { newConsumer, newProvider } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

type Delivery = {
  id: string;
  type: string;
  state: string;
  tries: number;
  status: number | null;
  failure: string | null;
};
const make = (who: Person, body: unknown) => who.api('POST', '/api/Account/MakeWebhook', body);
const hooksOf = async (who: Person) =>
  (await who.api('GET', '/api/Account/Webhooks')).json as { id: string; failingSince: string | null }[];
const deliveriesOf = async (who: Person, { id }: { id: string }) =>
  (await who.api('GET', `/api/Account/GetDeliveries?id=${id}`)).json as Delivery[];
const statesOf = async (who: Person, hook: { id: string }) => (await deliveriesOf(who, hook)).map(({ state }) => state);
const sendTest = (who: Person, { id }: { id: string }) => who.api('POST', `/api/Account/TestWebhook?id=${id}`);
const sendAgain = (who: Person, { id }: { id: string }) => who.api('PUT', `/api/Account/SendAgain?id=${id}`);
const hookNewsOf = async (who: Person) => (await newsOf(who)).filter(({ kind }) => kind === 'webhook');
const move = (who: Person, from: { id: string }, to: { id: string }) =>
  who.api('PUT', `/api/Appointment/Move?id=${from.id}&to=${to.id}`);
/** Two times of half an hour. */
const publishTwo = async (host: Person, date = dayAhead(1)) =>
  (await publish(host, { dates: [date], end: '10:00' }, 'len=30')) as [Row, Row];
const soon = { timeout: 5000 };

describe('a program is told that an appointment is', () => {
  let host: Person;
  let program: Awaited<ReturnType<typeof receiver.addFor>>;
  beforeAll(async () => {
    host = await newProvider();
    program = await receiver.addFor(host);
  });
  /** What it was told of this appointment. */
  const toldOf = ({ id }: { id: string }) => program.told.filter(({ data }) => data.id === id).map(({ type }) => type);

  test.each([
    ['a client', async (slot: { id: string }) => book(maya, slot)],
    ['a guest', async (slot: { id: string }) => book(await newGuest(daybook), slot)],
    ['the provider', async (slot: { id: string }) => bookFor(host, slot, { displayName: 'Ole' })],
  ])('booked by %s', async (_, act) => {
    const slot = await publishOne(host, { dates: [dayAhead(20 + program.told.length)] });

    const { status } = await act(slot);

    expect(status).toBeLessThan(300);
    await expect.poll(() => toldOf(slot), soon).toEqual(['booked']);
  });

  test.each([
    ['a client', async (slot: { id: string }) => cancel(maya, slot)],
    ['the provider', async (slot: { id: string }) => cancel(host, slot, 'Ill')],
  ])('canceled by %s, after it was booked', async (_, act) => {
    const slot = await publishOne(host, { dates: [dayAhead(40 + program.told.length)] });
    await book(maya, slot);

    await act(slot);

    await expect.poll(() => toldOf(slot), soon).toEqual(['booked', 'canceled']);
  });

  test.each([
    ['a client', async () => maya],
    ['the provider', async () => host],
  ])('moved by %s, from where to where', async (_, who) => {
    const [first, second] = await publishTwo(host, dayAhead(60 + program.told.length));
    await book(maya, first);

    await move(await who(), first, second);

    await expect.poll(() => toldOf(second), soon).toEqual(['moved']);
    expect(program.told.at(-1)?.data).toEqual({
      id: second.id,
      startsAt: second.startsAt,
      endsAt: second.endsAt,
      personId: expect.any(String),
      serviceId: null,
      formerId: first.id,
      formerStartsAt: first.startsAt,
    });
  });

  test('kept, once the provider has marked it', async () => {
    const slot = await writeSlot(daybook.d1, host, { startsIn: -60, booker: maya });

    await mark(host, slot, 'seen');

    await expect.poll(() => toldOf(slot), soon).toContain('attendance');
  });

  test('answered otherwise', async () => {
    const { template } = await writeTemplate(host);
    const slot = await publishAsking(host, template.id);
    await bookWith(maya, slot, intakeAnswers);

    await submitForm(maya, slot, [{ question: 'What brings you here?', answer: 'Elbow' }, ...intakeAnswers.slice(1)]);

    await expect.poll(() => toldOf(slot), soon).toEqual(['booked', 'answers']);
  });

  test('answered after it was booked without', async () => {
    const slot = await publishAsking(host, (await writeTemplate(host)).template.id, {
      dates: [dayAhead(90 + program.told.length)],
    });
    await book(maya, slot);

    await submitForm(maya, slot, intakeAnswers);

    await expect.poll(() => toldOf(slot), soon).toEqual(['booked', 'answers']);
  });

  test('replied to, at a party or a meetup', async () => {
    const [party, meetup] = [await createParty(host), await createMeetup(host, { attendees: ['Ole'] })];

    await rsvp(june, party);
    await reply(june, linkOf(meetup, 'Ole'), { accepted: false });

    await expect.poll(() => toldOf(party), soon).toEqual(['rsvps']);
    await expect.poll(() => toldOf(meetup), soon).toEqual(['rsvps']);
  });

  test('by ids and times alone', async () => {
    const secrets = JSON.stringify(program.told.map(({ raw }) => raw));

    expect(secrets).not.toMatch(/Maya|Ole|Elbow|Ill|mail\.test/);
  });

  test('with a signature that the library of the specification verifies', async () => {
    for (const told of program.told) expect(program.verify(told)).toMatchObject({ type: told.type });
  });

  test('with an id for each', async () => {
    const ids = new Set(program.told.map(({ id }) => id));

    expect(ids.size).toBe(program.told.length);
  });
});

describe('a program is not told', () => {
  test('of kinds that it did not ask for', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host, { kinds: ['canceled'] });
    const slot = await publishOne(host);
    await book(maya, slot);

    await cancel(maya, slot);

    await expect.poll(() => program.types(), soon).toEqual(['canceled']);
  });

  test('of what happens to others', async () => {
    const [host, other] = [await newProvider(), await newProvider()];
    const program = await receiver.addFor(host);
    await book(maya, await publishOne(other));
    await book(june, await publishOne(host));

    await expect.poll(() => program.types(), soon).toEqual(['booked']);
  });
});

test('nothing is written for a provider without a webhook', async () => {
  const host = await newProvider();

  await book(maya, await publishOne(host, { dates: [dayAhead(3)] }));

  const rows = await daybook.d1
    .prepare('SELECT 1 FROM deliveries JOIN accounts ON id = provider_id WHERE username = ?')
    .bind(host.username)
    .all();
  expect(rows.results).toEqual([]);
});

test('a booking writes four rows more for each webhook that hears of it', async () => {
  const [host, other] = [await newProvider(), await newProvider()];
  await receiver.addFor(host);
  const client = await newConsumer();
  const rowsOfBooking = async (who: Person) => askedOf((await book(client, await publishOne(who))).headers).written;

  expect((await rowsOfBooking(host)) - (await rowsOfBooking(other))).toBe(4);
});

describe('what is told of one appointment', () => {
  test('arrives in order, a later one after the earlier one was taken', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host, { respond: (response) => response.writeHead(503).end() });
    const [first, second] = await publishTwo(host);
    await book(maya, first);
    await expect.poll(() => program.types(), soon).toEqual(['booked']);

    await move(maya, first, second);
    await cancel(maya, second);
    const [latest, , earliest] = await deliveriesOf(host, program);
    const refused = await sendAgain(host, latest as Delivery);
    program.respondWith((response) => response.writeHead(200).end());
    await sendAgain(host, earliest as Delivery);

    expect(refused.status).toBe(409);
    await expect.poll(() => program.types(), soon).toEqual(['booked', 'booked', 'moved', 'canceled']);
  });

  test('does not wait for what is told of others', async () => {
    const host = await newProvider();
    const [first, second] = await publishTwo(host);
    const program = await receiver.addFor(host, {
      respond: (response, { data }) => response.writeHead(data.id === first.id ? 500 : 200).end(),
    });
    await Promise.all([book(maya, first), book(june, second)]);

    await expect.poll(async () => (await statesOf(host, program)).sort(), soon).toEqual(['delivered', 'waiting']);
  });
});

test('a webhook has an address of https, and none of a calendar', async () => {
  const host = await newProvider();

  const { status } = await make(host, { url: 'webcal://example.org/hook', kinds: ['booked'] });

  expect(status).toBe(400);
});

describe('a receiver that', () => {
  /** What came of a test to a program that answers so. */
  async function tested(respond?: Respond) {
    const host = await newProvider();
    const program = await receiver.addFor(host, { respond });
    const { status, json } = await sendTest(host, program);
    return { host, program, status, delivery: json as Delivery };
  }

  test('takes a test is shown as one that listens', async () => {
    const { status, delivery } = await tested();

    expect(status).toBe(200);
    expect(delivery).toMatchObject({ type: 'test', state: 'delivered', tries: 1, status: 204, failure: null });
  });

  test('redirects is refused, and not followed', async () => {
    const elsewhere = receiver.add();

    const { delivery } = await tested((response) => response.writeHead(307, { Location: elsewhere.url }).end());

    expect(delivery).toMatchObject({ state: 'failed', status: 307 });
    expect(elsewhere.told).toEqual([]);
  });

  test('takes longer than ten seconds is given up for now', { timeout: 20_000 }, async () => {
    const { delivery } = await tested(() => undefined);

    expect(delivery).toMatchObject({ state: 'failed', status: null, failure: 'too_slow' });
  });

  test('answers without end has taken it: its answer is not read', async () => {
    const { delivery } = await tested((response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });

    expect(delivery).toMatchObject({ state: 'delivered', status: 200 });
  });

  test('is not there is said to be unreachable', async () => {
    const host = await newProvider();
    const { json } = await make(host, { url: 'http://127.0.0.1:1/', kinds: everyKind });

    const test = await sendTest(host, json as { id: string });

    expect(test.json).toMatchObject({ state: 'failed', failure: 'unreachable' });
  });

  test('answers 410 ends its webhook, which is news', async () => {
    const host = await newProvider();
    await receiver.addFor(host, { respond: (response) => response.writeHead(410).end() });

    await book(maya, await publishOne(host));

    await expect.poll(() => hooksOf(host), soon).toEqual([]);
    expect(await hookNewsOf(host)).toMatchObject([{ text: expect.stringContaining('127.0.0.1') }]);
  });

  test('fails is news once, and tried again', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host, { respond: (response) => response.writeHead(500).end() });
    const [first, second] = await publishTwo(host);

    await book(maya, first);
    await expect.poll(() => hookNewsOf(host), soon).toHaveLength(1);
    await book(june, second);

    expect(await statesOf(host, program)).toEqual(['waiting', 'waiting']);
    expect((await hooksOf(host))[0]?.failingSince).not.toBeNull();
    expect(await hookNewsOf(host)).toHaveLength(1);
  });

  test('has failed for two days is given up, which is news', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host, { respond: (response) => response.writeHead(500).end() });
    await book(maya, await publishOne(host));
    await expect.poll(() => hookNewsOf(host), soon).toHaveLength(1);
    const twoDaysAgo = Date.now() - 48 * 3_600_000 - 1;
    await daybook.d1.prepare('UPDATE deliveries SET at = ? WHERE webhook_id = ?').bind(twoDaysAgo, program.id).run();

    const [delivery] = await deliveriesOf(host, program);
    const again = await sendAgain(host, delivery as Delivery);

    expect(again.json).toMatchObject({ state: 'failed', status: 500, tries: 2 });
    expect(await hookNewsOf(host)).toHaveLength(2);
  });

  test('takes at last what was given up', async () => {
    const { host, program, delivery } = await tested((response) => response.writeHead(500).end());
    program.respondWith((response) => response.writeHead(200).end());

    const again = await sendAgain(host, delivery);

    expect(again.json).toMatchObject({ id: delivery.id, state: 'delivered', tries: 2 });
    expect(new Set(program.told.map(({ id }) => id))).toEqual(new Set([delivery.id]));
  });
});

describe('a webhook', () => {
  const wish = (url = receiver.at('/nobody')) => ({ url, kinds: ['booked'] });

  test('shows its secret when it is made, and never again', async () => {
    const host = await newProvider();

    const made = await make(host, wish());
    const listed = await host.api('GET', '/api/Account/Webhooks');

    expect(made.status).toBe(201);
    const { secret, ...rest } = made.json as { secret: string };
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/);
    expect(listed.json).toEqual([rest]);
  });

  test('is stored sealed', async () => {
    const host = await newProvider();
    const { secret } = (await make(host, wish(receiver.at('/a-secret-path')))).json as { secret: string };

    const { results } = await daybook.d1.prepare('SELECT * FROM webhooks').all();

    expect(JSON.stringify(results)).not.toContain('a-secret-path');
    expect(JSON.stringify(results)).not.toContain(secret.slice(6));
  });

  test.each([
    'http://program.example.org/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest',
    'https://metadata.google.internal/',
    'https://name:password@program.example.org/',
    'ftp://program.example.org/',
    'program',
  ])('is refused at %s', async (url) => {
    expect((await make(await newProvider(), wish(url))).status).toBe(400);
  });

  test.each([
    ['no kinds', []],
    ['an unknown kind', ['guessed']],
    ['no list', 'booked'],
  ])('is refused with %s', async (_, kinds) => {
    expect((await make(await newProvider(), { ...wish(), kinds })).status).toBe(400);
  });

  test('is refused to whoever has three', async () => {
    const host = await newProvider();
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => make(host, wish())));

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
  });

  test('is refused to clients', async () => {
    expect((await make(maya, wish())).status).toBe(403);
  });

  test('tells its new address what was on its way to the old one', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host, { respond: (response) => response.writeHead(500).end() });
    await book(maya, await publishOne(host));
    await expect.poll(() => program.types(), soon).toEqual(['booked']);
    const next = receiver.add();

    const edited = await host.api('PUT', `/api/Account/EditWebhook?id=${program.id}`, { url: next.url });
    await sendAgain(host, (await deliveriesOf(host, program))[0] as Delivery);

    expect(edited.json).toMatchObject({ url: next.url, kinds: everyKind });
    expect(next.types()).toEqual(['booked']);
  });

  test('that is ended while it is told something is told nothing more', async () => {
    const host = await newProvider();
    let endNow: () => Promise<unknown> = async () => undefined;
    const program = await receiver.addFor(host, {
      respond: async (response) => {
        await endNow();
        response.writeHead(500).end();
      },
    });
    const [first, second] = await publishTwo(host);
    endNow = () => host.api('DELETE', `/api/Account/EndWebhook?id=${program.id}`);
    await book(maya, first);
    await expect.poll(() => hooksOf(host), soon).toEqual([]);

    await book(june, second);
    await daybook.scheduled();

    expect(program.types()).toEqual(['booked']);
    expect(await hookNewsOf(host)).toEqual([]);
  });

  test('is another’s business to nobody', async () => {
    const [host, rival] = [await newProvider(), await newProvider()];
    const program = await receiver.addFor(host);
    const { id } = (await sendTest(host, program)).json as Delivery;

    const asked = await Promise.all([
      rival.api('PUT', `/api/Account/EditWebhook?id=${program.id}`, { kinds: ['booked'] }),
      rival.api('DELETE', `/api/Account/EndWebhook?id=${program.id}`),
      sendTest(rival, program),
      rival.api('GET', `/api/Account/GetDeliveries?id=${program.id}`),
      sendAgain(rival, { id }),
    ]);

    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(program.told).toHaveLength(1);
  });

  test('goes with its account, which tells it nothing', async () => {
    const host = await newProvider();
    const program = await receiver.addFor(host);
    await book(maya, await publishOne(host));
    await expect.poll(() => program.types(), soon).toEqual(['booked']);

    await host.api('DELETE', '/api/Account/Delete', { password });
    await daybook.scheduled();

    const { results } = await daybook.d1.prepare('SELECT id FROM webhooks WHERE id = ?').bind(program.id).all();
    expect(results).toEqual([]);
    expect(program.types()).toEqual(['booked']);
  });
});

describe('a key of a program', () => {
  test('makes no webhook, whose secret is not its business', async () => {
    const host = await newProvider();
    const { json } = await host.api('POST', '/api/Account/MakeKey', { name: 'Till', scope: 'write', password });
    const program = daybook.visitor();
    program.headers.authorization = `Bearer ${(json as { key: string }).key}`;

    const made = await program.api('POST', '/api/Account/MakeWebhook', { url: receiver.at('/x'), kinds: everyKind });
    const listed = await program.api('GET', '/api/Account/Webhooks');

    expect(made.status).toBe(403);
    expect(listed.status).toBe(200);
  });
});

test('a provider makes a webhook, sends a test, and ends it, without script', async () => {
  const host = await newProvider();
  const program = receiver.add();
  const made = await (await host.browser.visit('/webhooks')).submit('Make the webhook', { url: program.url });
  expect(made.text).toMatch(/whsec_/);

  const list = await host.browser.visit('/webhooks');
  expect(list.text).not.toMatch(/whsec_/);
  const [hook] = await hooksOf(host);
  const tried = await (await host.browser.visit(`/webhooks/${hook?.id}`)).submit('Send a test');
  expect(tried.text).toContain('Your program took it.');

  const ended = await tried.submit('End it');
  expect(ended.text).toContain('That webhook is ended.');
  expect(await hooksOf(host)).toEqual([]);
});

test('a provider sends what was given up again, by its button', async () => {
  const host = await newProvider();
  const program = await receiver.addFor(host, { respond: (response) => response.writeHead(500).end() });
  await sendTest(host, program);
  const page = await host.browser.visit(`/webhooks/${program.id}`);
  const refused = await page.submit('main li button');
  program.respondWith((response) => response.writeHead(200).end());

  const taken = await refused.submit('main li button');

  expect(page.words).toContain('given up');
  expect(refused.words).toContain('Your program did not take it. Its server answered 500.');
  expect(taken.words).toContain('Your program took it.');
  expect(await statesOf(host, program)).toEqual(['delivered']);
  expect(new Set(program.told.map(({ id }) => id)).size).toBe(1);
  expect(program.told).toHaveLength(3);
});

test('no log has anything of a webhook', () => {
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('\n')).not.toMatch(/program-\d|whsec_|webhook-signature/);
});
