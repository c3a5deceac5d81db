import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { book, look, type Person, password, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* How provider and client reach each other: the provider's address and number, and the number of whoever books. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const reach = { address: 'Rua da Rosa 12, 3.º', phone: '+351 21 342 11 90' };
const setProfile = (who: Person, change: object) => who.api('PUT', '/api/Account/SetProfile', change);

describe('a provider’s address and number', () => {
  let provider: Person;
  let booked: Page;
  const stranger = () => daybook.visitor();
  const linksOnPage = async () =>
    (await stranger().get(`/with/${provider.username}`)).$$('main a').map((link) => link.getAttribute('href'));
  beforeAll(async () => {
    provider = await newProvider();
    const slot = await publishOne(provider);
    await setProfile(provider, reach);
    const form = await stranger().get(`/with/${provider.username}/${slot.id}`);
    booked = await form.submit('Book', { displayName: 'Wanda', email: 'wanda@example.com' });
  });

  test('are saved beside their city', async () => {
    expect((await setProfile(provider, reach)).json).toMatchObject({ ...reach, location: 'Lisbon' });
  });

  test('are read by strangers', async () => {
    const { json } = await stranger().api('GET', `/api/Public/Provider?username=${provider.username}`);

    expect(json).toMatchObject(reach);
  });

  test('let strangers call from their page', async () => {
    expect(await linksOnPage()).toContain('tel:+351213421190');
  });

  test('lead from their page to a map', async () => {
    const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(reach.address)}`;

    expect(await linksOnPage()).toContain(map);
  });

  test('are on the page of a booking', () => {
    expect(booked.words).toContain(reach.address);
    expect(booked.words).toContain(reach.phone);
  });

  test('are the place in the calendar', async () => {
    const file = await stranger().get(`${new URL(booked.url).pathname}/daybook.ics`);

    expect(file.text.replaceAll('\r\n ', '')).toContain('LOCATION:Rua da Rosa 12\\, 3.º');
  });

  test('are taken away by null, or by an empty text', async () => {
    const other = await newProvider();
    await setProfile(other, reach);

    const { json } = await setProfile(other, { address: null, phone: '' });

    expect(json).toMatchObject({ address: null, phone: null });
  });

  test('are refused where they are none', async () => {
    const refused = await setProfile(provider, { address: 'a'.repeat(201), phone: 'call me' });

    expect(complaints(refused)).toHaveLength(2);
  });

  test('are not kept for a consumer', async () => {
    const { json } = await setProfile(await newConsumer(), reach);

    expect(json).toMatchObject({ address: null, phone: null });
  });
});

describe('the number of whoever books', () => {
  const number = '+351 912 345 678';
  const bookWith = (who: Person, { id }: Row, phone: string) =>
    who.api('PUT', `/api/Appointment/Book?${new URLSearchParams({ id, phone })}`);
  const phoneSeenBy = async (who: Person, slot: Row) => ((await look(who, slot)).json as Row).bookerPhone;

  let provider: Person;
  let maya: Person;
  let slot: Row;
  let later: Row;
  beforeEach(async () => {
    [provider, maya] = await Promise.all([newProvider(), newConsumer()]);
    [slot, later] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    await setRules(provider, { askPhone: 'required' });
  });

  test('is needed where the rule says so', async () => {
    const refused = await book(await newGuest(daybook), slot);

    expect(complaints(refused)).toEqual(['Please give a phone number: it is asked for here.']);
  });

  test('is refused where it is none', async () => {
    const { status } = await bookWith(await newGuest(daybook), slot, 'none');

    expect(status).toBe(400);
  });

  test('is shown to the provider only', async () => {
    const { json } = await bookWith(maya, slot, number);

    expect(json).toMatchObject({ status: 1, bookerPhone: null });
    expect(await phoneSeenBy(maya, slot)).toBeNull();
    expect(await phoneSeenBy(provider, slot)).toBe(number);
  });

  test('moves with the booking', async () => {
    await bookWith(maya, slot, number);

    await maya.api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${later.id}`);

    expect(await phoneSeenBy(provider, later)).toBe(number);
    expect(await phoneSeenBy(maya, later)).toBeNull();
  });

  test('is in the export of whoever gave it', async () => {
    await bookWith(maya, slot, number);

    const { text } = await maya.api('GET', '/api/Account/Export');

    expect(text).toContain(number);
  });

  test('is gone with their account', async () => {
    await bookWith(maya, slot, number);

    await maya.api('DELETE', '/api/Account/Delete', { password });

    expect(await phoneSeenBy(provider, slot)).toBeNull();
  });

  test('is not kept where nobody asks for it', async () => {
    await setRules(provider, { askPhone: 'no' });

    await bookWith(await newGuest(daybook), slot, '912');

    expect(await phoneSeenBy(provider, slot)).toBeNull();
  });
});
