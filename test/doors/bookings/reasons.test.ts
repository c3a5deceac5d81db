import { describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { nothing } from '../../support/complaints';
import { book, cancel, dayAhead, look, type Person, peopleAt, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Whoever cancels may say why; the other side reads it until they have seen it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { karla, maya } = useWorld(daybook, { karla: {}, maya: {} });

let days = 1;
async function booked(who: Person = maya): Promise<Row> {
  days += 1;
  const slot = await publishOne(karla, { dates: [dayAhead(days)] });
  return (await book(who, slot)).json as Row;
}

describe('a cancellation', () => {
  test('says who canceled and why, to both', async () => {
    for (const [who, canceledBy] of [
      [maya, 'consumer'],
      [karla, 'provider'],
    ] as const) {
      const row = await booked();
      expect(row).toMatchObject({ canceledBy: null, cancelReason: null, movedFrom: null });
      const wanted = { status: 200, json: { id: row.id, status: 2, canceledBy, cancelReason: 'I am ill.' } };
      expect(await cancel(who, row, '  I am ill. ')).toMatchObject(wanted);
      for (const reader of [maya, karla]) expect(await look(reader, row)).toMatchObject(wanted);
    }
  });

  test('needs no reason, with or without a body', async () => {
    for (const body of [undefined, {}, { reason: null }, { reason: ' ' }]) {
      const { id } = await booked();
      const answer = await maya.api('PUT', `/api/Appointment/Cancel?id=${id}`, body);
      expect(answer).toMatchObject({ status: 200, json: { canceledBy: 'consumer', cancelReason: null } });
    }
  });

  test('with a reason that is too long or no text is refused, and nothing is canceled', async () => {
    const row = await booked();
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b']) {
      const answer = await maya.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, { reason });
      expect([answer.status, (answer.json as string[]).length]).toEqual([400, 1]);
    }
    expect((await cancel(maya, row, 'x'.repeat(500))).status).toBe(200);
  });

  test('keeps its first reason when it is sent again, and is nobody else’s to give', async () => {
    const row = await booked();
    const [rival, june] = await Promise.all([newProvider(), newConsumer()]);
    for (const who of [rival, june]) expect(await cancel(who, row, 'Mine')).toMatchObject(nothing);
    await cancel(maya, row, 'First');
    for (const who of [maya, karla]) {
      expect(await cancel(who, row, 'Second')).toMatchObject({ status: 200, json: { cancelReason: 'First' } });
    }
  });

  test('by link takes a reason too', async () => {
    const row = await booked(await newGuest(daybook));
    const key = row.link?.split('/').at(-1);
    const answer = await daybook.visitor().api('PUT', `/api/Public/CancelBooking?key=${key}`, { reason: 'Away' });
    expect(answer).toMatchObject({ status: 200, json: { canceledBy: 'consumer', cancelReason: 'Away' } });
  });
});

describe('what the provider canceled', () => {
  test('stands on top of the client’s home with the reason, until the client has seen it', async () => {
    const [client, other] = await Promise.all([newConsumer(), newConsumer()]);
    const [first, second] = [await booked(client), await booked(client)];
    await cancel(karla, first, 'I am ill.');
    await cancel(karla, second);
    const home = await client.browser.get('/');
    expect(tripsOf(home)).toBe(1);
    const notices = (page: typeof home) => page.$$('main section[role=status] h2').map(({ text }) => text);
    expect(notices(home).sort()).toEqual(['Canceled by Karla', 'Canceled by Karla: I am ill.']);
    // Once, with the way to another time.
    expect([home.words.split('I am ill').length, home.words.split('Book another time').length]).toEqual([2, 3]);
    const seen = home.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') as string;
    expect((await other.browser.post('/news', { seen })).status).toBe(303);
    expect(notices(await client.browser.get('/'))).toHaveLength(2);
    expect((await client.browser.post('/news', { seen })).headers.get('location')).toBe('/');
    const after = await client.browser.get('/');
    expect(notices(after)).toHaveLength(1);
    expect(after.words).toContain('I am ill.');
    const all = await after.submit('Mark as read');
    for (const path of ['/', '/view-booked', '/view-dash']) {
      expect((await client.browser.get(path)).words, path).not.toContain('I am ill');
    }
    const page = await all.click(`main a[href="/details-cancel/${first.id}"]`);
    expect(page.words.split('I am ill')).toHaveLength(2);
  });

  test('stands in the news with the reason, and so does what a client canceled', async () => {
    const client = await newConsumer({ displayName: 'Zoe' });
    const [first, second] = [await booked(client), await booked(client)];
    await cancel(karla, first, 'I am ill.');
    await cancel(client, second, 'Rain.');
    expect((await client.browser.get('/news')).words).toMatch(/Karla canceled the appointment on .*: I am ill\./);
    expect((await karla.browser.get('/news')).words).toMatch(/Zoe canceled the appointment on .*: Rain\./);
  });
});

test('a screen asks before it cancels or withdraws, and says what happens to the time', async () => {
  const row = await booked();
  const ofClient = await maya.browser.get(`/details-cancel/${row.id}`);
  expect(ofClient.$('dialog h2')?.text).toBe('Cancel this appointment?');
  expect(ofClient.$('dialog')?.text).toContain('Its time is free for others again at once.');
  const ofProvider = await karla.browser.get(`/view-provider/${row.id}`);
  expect(ofProvider.$('dialog')?.text).toContain('Offer its time again, so that others can book it');
  const done = await ofProvider.submit('Cancel Appointment', { reason: 'Burst pipe' });
  expect([done.path.split('?')[0], done.words]).toEqual(['/view-booked', expect.stringContaining('Canceled: ')]);
  expect((await maya.browser.get(`/details-cancel/${row.id}`)).words).toMatch(/Canceled by Karla, .*: Burst pipe/);
  const open = await publishOne(karla, { dates: [dayAhead(90)] });
  const withdrawing = await karla.browser.get(`/view-provider/${open.id}`);
  expect(withdrawing.$('dialog')?.text).toContain('Nobody can book its time any more.');
});
