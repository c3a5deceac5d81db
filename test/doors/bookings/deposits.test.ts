import type { HTMLElement } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { look, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { confirmAddress, mailTo, newAddress } from '../../support/mails';
import { publishQuestions } from '../../support/party-factories';
import { textOfQr } from '../../support/qr-reader';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf, type Visitor } from '../../support/visit';
import { weightsOf } from '../../support/weight';

/* Deposits: asked for once a time is booked, paid past us, and noted by the provider. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

type Thing = { id: string };

const account = { iban: 'DE89 3704 0044 0532 0130 00', name: 'Karla Haar' };
const setProfile = (who: Person, change: object) => who.api('PUT', '/api/Account/SetProfile', change);
const setPaid = (who: Pick<Person, 'api'>, { id }: Thing, paid: unknown) =>
  who.api('PUT', `/api/Appointment/Paid?id=${id}`, { paid });

type World = { host: Person; client: Person; row: Row; others: Row[]; service: { id: string } };

/** A provider with a deposit, and a client who has booked. */
async function booked(way: object = { payTo: account }, deposit: string | null = '12,50 €'): Promise<World> {
  const [host, client] = await Promise.all([newProvider(), newConsumer()]);
  await setProfile(host, way);
  const service = await createService(host, { deposit });
  const [slot, ...others] = await publish(host, { start: '09:00', end: '11:00' });
  const path = `/api/Appointment/Book?id=${(slot as Row).id}&service=${service.id}`;
  const { json } = await client.api('PUT', path);
  return { host, client, row: json as Row, others: others as Row[], service };
}

const pageOf = (who: Person, { id }: Thing) => who.browser.get(`/details-cancel/${id}`);

describe('the way that deposits are paid', () => {
  test('is saved by a call', async () => {
    const host = await newProvider();

    expect((await setProfile(host, { payTo: account })).json).toMatchObject({
      payLink: null,
      payTo: { iban: 'DE89370400440532013000', name: 'Karla Haar' },
    });
  });

  test('is saved by the form of the profile', async () => {
    const host = await newProvider();
    const page = await host.browser.get('/profile');

    await page.submit('Save how deposits are paid', { iban: account.iban, holder: account.name });

    expect((await host.api('GET', '/api/Account/Profile')).json).toMatchObject({ payTo: { name: 'Karla Haar' } });
  });

  test('is cleared by an empty form', async () => {
    const host = await newProvider();
    await setProfile(host, { payLink: 'https://pay.example/karla' });

    await (await host.browser.get('/profile')).submit('Save how deposits are paid', { payLink: '' });

    expect((await host.api('GET', '/api/Account/Profile')).json).toMatchObject({ payLink: null, payTo: null });
  });

  test('stays when the rest of the profile changes', async () => {
    const host = await newProvider();
    await setProfile(host, { payLink: 'https://pay.example/karla' });

    await setProfile(host, { description: 'Hair' });

    expect((await host.api('GET', '/api/Account/Profile')).json).toMatchObject({
      payLink: 'https://pay.example/karla',
    });
  });

  test.each([
    [{ payTo: { iban: 'DE89 3704 0044 0532 0130 01', name: 'Karla' } }],
    [{ payTo: { iban: account.iban, name: '' } }],
    [{ payTo: 'DE89' }],
    [{ payLink: 'http://pay.example' }],
    [{ payLink: 'https://bank@pay.example' }],
    [{ payLink: 'javascript:alert(1)' }],
    [{ payLink: `https://pay.example/${'x'.repeat(500)}` }],
    [{ payLink: 'https://pay.example', payTo: account }],
  ])('is not %j', async (change) => {
    const host = await newProvider();

    expect((await setProfile(host, change)).status).toBe(400);
  });

  test('is not said to strangers', async () => {
    const { host } = await booked();

    const { text } = await daybook.visitor().api('GET', `/api/Public/Provider?username=${host.username}`);

    expect(text).not.toContain('DE89');
  });
});

describe('a deposit before it is booked', () => {
  let host: Person;
  let client: Person;
  let service: Thing;
  let slot: Row;

  beforeAll(async () => {
    const world = await booked();
    [host, client, service] = [world.host, world.client, world.service];
    slot = world.others.at(-1) as Row;
  });

  test('is said on the page of the provider', async () => {
    await createService(host);

    const page = await daybook.visitor().get(`/with/${host.username}`);

    expect(page.words).toContain('deposit 12,50 €');
  });

  test('is said to strangers by a call', async () => {
    const { json } = await daybook.visitor().api('GET', `/api/Public/Services?provider=${host.username}`);

    expect((json as object[])[0]).toMatchObject({ deposit: '12,50 €' });
  });

  test('is said in the form of a guest', async () => {
    const page = await daybook.visitor().get(`/with/${host.username}/${slot.id}?service=${service.id}`);

    expect(page.words).toMatch(/Deposit 12,50 €/);
  });

  test('is said in the form of an account', async () => {
    const page = await client.browser.get(`/details/${slot.id}?service=${service.id}`);

    expect(page.words).toMatch(/Deposit 12,50 €/);
  });

  test('is said with the questions of a booking', async () => {
    const templateId = await publishQuestions(host, [{ questionText: 'Which colour?' }]);
    const asking = await createService(host, { deposit: '8 €', templateId });

    const page = await client.browser.get(`/details/${slot.id}?service=${asking.id}&step=questions`);

    expect(page.words).toMatch(/Deposit 8 €.*Which colour/s);
  });

  test('is said in the form of a series', async () => {
    const [row] = (await client.api('GET', '/api/Appointment/GetBooked')).json as Row[];

    const page = await client.browser.get(`/again/${row?.id}`);

    expect(page.words).toMatch(/Deposit 12,50 €/);
  });
});

describe('a booking with a deposit', () => {
  test('says in its row how much, how and with which reference', async () => {
    const { row } = await booked();

    expect(row).toMatchObject({
      service: { deposit: '12,50 €' },
      reference: expect.stringMatching(/^[B-Z]{8}$/),
      paid: false,
      payTo: { iban: 'DE89370400440532013000' },
    });
  });

  test('asks on its page, with the account, the reference and a code', async () => {
    const { client, row } = await booked();

    const page = await pageOf(client, row);

    expect(page.words).toContain('Please pay the deposit');
    expect(page.words).toContain(row.reference as string);
    expect(page.words).toContain('DE89 3704 0044 0532 0130 00');
    expect(page.$('summary + svg')).not.toBeNull();
  });

  test('shows a code that tells a bank’s app whom to pay how much, with the reference', async () => {
    const { client, row } = await booked();
    const transfer = ['BCD', '002', '1', 'SCT', '', 'Karla Haar', 'DE89370400440532013000', 'EUR12.50', '', ''];

    const page = await pageOf(client, row);

    expect(textOfQr(page.$('summary + svg') as HTMLElement)).toBe([...transfer, row.reference].join('\n'));
  });

  test('asks on the page after booking', async () => {
    const { client, row } = await booked();

    const page = await client.browser.get(`/view?booked=${row.id}`);

    expect(page.words).toContain(row.reference as string);
  });

  test('leads to the provider’s own link', async () => {
    const { client, row } = await booked({ payLink: 'https://pay.example/karla' });

    const page = await pageOf(client, row);

    expect(page.$('a[href="https://pay.example/karla"]')?.getAttribute('rel')).toBe('noreferrer');
  });

  test('asks for nothing where its provider has no way', async () => {
    const { client, row } = await booked({});

    expect((await pageOf(client, row)).words).not.toContain('Please pay');
  });

  test('asks for nothing where the service has no deposit', async () => {
    const { client, row } = await booked({ payTo: account }, null);

    expect(row.reference).toBeNull();
    expect((await pageOf(client, row)).words).not.toContain('Please pay');
  });

  test('keeps its deposit when the service has another', async () => {
    const { host, client, row, service } = await booked();

    await host.api('PUT', `/api/Service/Edit?id=${service.id}`, { deposit: '90 €' });

    expect((await look(client, row)).json).toMatchObject({ service: { deposit: '12,50 €' } });
  });

  test('writes one row more than one without', async () => {
    const costs = await Promise.all(
      ['12,50 €', null].map(async (deposit) => {
        const { client, service, others } = await booked({ payTo: account }, deposit);
        const path = `/api/Appointment/Book?id=${(others[1] as Row).id}&service=${service.id}`;
        return askedOf((await client.api('PUT', path)).headers);
      }),
    );

    expect((costs[0]?.written ?? 0) - (costs[1]?.written ?? 0)).toBe(1);
  });

  test('keeps its reference and mark when it moves', async () => {
    const { host, client, row, others } = await booked();
    await setPaid(host, row, true);

    const moved = await client.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${(others[1] as Row).id}`);

    expect(moved.json).toMatchObject({ reference: row.reference, paid: true, service: { deposit: '12,50 €' } });
  });
});

describe('a guest’s booking with a deposit', () => {
  const email = newAddress();
  let letter: Awaited<ReturnType<Visitor['get']>>;
  let host: Person;
  beforeAll(async () => {
    host = await confirmAddress(daybook.d1, await newProvider());
    await setProfile(host, { payTo: account });
    const service = await createService(host, { deposit: '12,50 €' });
    const [slot] = await publish(host, { start: '09:00', end: '11:00' });
    const form = await daybook.visitor().get(`/with/${host.username}/${(slot as Row).id}?service=${service.id}`);
    letter = await form.submit('Book', { displayName: 'Wanda', email });
  });

  test('asks on the personal link', () => {
    expect(letter.words).toContain('Please pay the deposit');
    expect(letter.words).toContain('DE89 3704 0044 0532 0130 00');
  });

  test('shows the code on the personal link once it is asked for', async () => {
    const asked = await daybook.visitor().get(`${new URL(letter.url).pathname}?step=code`);

    expect(letter.$('svg[role=img]')).toBeNull();
    expect(asked.$('summary + svg')).not.toBeNull();
  });

  test.each([
    ['as it opens', ''],
    ['with the open code', '?step=code'],
  ])('weighs at most 10 kB in each language %s', async (_, step) => {
    const page = await daybook.visitor().get(`${new URL(letter.url).pathname}${step}`);

    for (const { language, requests, bytes } of await weightsOf(page)) {
      expect(requests).toBe(1);
      expect(bytes, language).toBeLessThanOrEqual(10_000);
    }
  });

  test('asks by mail', async () => {
    const { text } = await mailTo(daybook.visitor(), email, /./);

    expect(text).toContain('DE89 3704 0044 0532 0130 00');
    expect(text).toMatch(/deposit of \D*12,50 €\D* with the reference \D*[B-Z]{8}/);
  });
});

describe('the search of people', () => {
  const found = async (who: Person, q: unknown) =>
    (await who.api('GET', `/api/People/GetPage?q=${q}`)).json as { name: string }[];

  test('finds whose a reference is', async () => {
    const { host, row } = await booked();

    expect(await found(host, row.reference)).toMatchObject([{ name: row.bookerName }]);
  });

  test('finds it after a move', async () => {
    const { host, client, row, others } = await booked();
    await client.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${others.at(-1)?.id}`, {});

    expect(await found(host, row.reference)).toHaveLength(1);
  });

  test('finds it after a cancellation', async () => {
    const { host, client, row } = await booked();
    await client.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, {});

    expect(await found(host, row.reference)).toHaveLength(1);
  });

  test('finds no reference of another provider', async () => {
    const [{ row }, other] = await Promise.all([booked(), booked()]);

    expect(await found(other.host, row.reference)).toEqual([]);
  });

  test('leads to a card that says the reference', async () => {
    const { host, row } = await booked();
    const list = await host.browser.get(`/people?q=${row.reference}`);

    const card = await host.browser.get(list.$('main .lines a')?.getAttribute('href') ?? '');

    expect(card.words).toContain(`not come yet (${row.reference})`);
  });
});

describe('the mark that a deposit has come', () => {
  test('is set by the provider, and once more without a change', async () => {
    const { host, row } = await booked();

    expect((await setPaid(host, row, true)).json).toMatchObject({ paid: true });
    expect((await setPaid(host, row, true)).json).toMatchObject({ paid: true });
  });

  test('is taken back', async () => {
    const { host, row } = await booked();
    await setPaid(host, row, true);

    expect((await setPaid(host, row, false)).json).toMatchObject({ paid: false });
  });

  test('ends the asking', async () => {
    const { host, client, row } = await booked();
    await setPaid(host, row, true);

    const page = await pageOf(client, row);

    expect(page.words).not.toContain('Please pay');
    expect(page.words).toContain('has come');
  });

  test('is not set by the client', async () => {
    const { client, row } = await booked();

    expect((await setPaid(client, row, true)).status).toBe(403);
  });

  test('is not set by a stranger', async () => {
    const { row } = await booked();

    expect((await setPaid(daybook.visitor(), row, true)).status).toBe(401);
  });

  test('is not set by another provider', async () => {
    const { row } = await booked();

    expect((await setPaid(await newProvider(), row, true)).status).toBe(404);
  });

  /** A program with a key of this provider. */
  async function programOf(host: Person, scope: string): Promise<Visitor> {
    const { json } = await host.api('POST', '/api/Account/MakeKey', { name: 'Till', scope, password });
    const program = daybook.visitor();
    program.headers.authorization = `Bearer ${(json as { key: string }).key}`;
    return program;
  }

  test('is set by a program whose key writes', async () => {
    const { host, row } = await booked();

    const { json } = await setPaid(await programOf(host, 'write'), row, true);

    expect(json).toMatchObject({ paid: true });
    expect((await look(host, row)).json).toMatchObject({ paid: true });
  });

  test('is not set by a program whose key reads', async () => {
    const { host, row } = await booked();

    const { status } = await setPaid(await programOf(host, 'read'), row, true);

    expect(status).toBe(403);
    expect((await look(host, row)).json).toMatchObject({ paid: false });
  });

  test.each([undefined, null, 'yes', 1])('is not %j', async (paid) => {
    const { host, row } = await booked();

    expect((await setPaid(host, row, paid)).status).toBe(400);
  });

  test('is not set on a free time', async () => {
    const { host, others } = await booked();

    expect((await setPaid(host, others[1] as Row, true)).status).toBe(409);
  });

  test('is not set on a canceled appointment', async () => {
    const { host, client, row } = await booked();
    await client.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, {});

    expect((await setPaid(host, row, true)).status).toBe(409);
  });

  test('is ticked on the page of the appointment', async () => {
    const { host, row } = await booked();
    const page = await host.browser.get(`/details-provider/${row.id}`);

    const after = await page.submit('The deposit of 12,50 € has come', {});

    expect(after.words).toContain('Noted: the deposit has come.');
  });

  test('is ticked on the day sheet', async () => {
    const { host, row } = await booked();
    const sheet = await host.browser.get(`/day?date=${row.date}`);

    await sheet.submit(`button[name="paid.${row.id}"]`, {});

    expect((await look(host, row)).json).toMatchObject({ paid: true });
  });

  test('is on the card', async () => {
    const { host, row } = await booked();
    const people = (await host.api('GET', '/api/People/GetPage')).json as Thing[];

    expect((await host.browser.get(`/people/${people[0]?.id}`)).words).toContain('Deposit 12,50 €: not come yet');
    expect(row.paid).toBe(false);
  });

  test('is in the CSV with the reference', async () => {
    const { host, row } = await booked();
    await setPaid(host, row, true);

    const { text } = await host.browser.get(`/view-booked/bookings.csv?from=${row.date}&to=${row.date}`);

    expect(text).toContain(`,${row.reference},Yes`);
  });
});
