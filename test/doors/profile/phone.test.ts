import { describe, expect, test } from 'vitest';
import { type Person, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* How provider and client reach each other: the provider's address and number, and the number of whoever books. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const place = { address: 'Rua da Rosa 12, 3.º', phone: '+351 21 342 11 90' };
const setProfile = (who: Person, change: object) => who.api('PUT', '/api/Account/SetProfile', change);
const rules = (who: Person, askPhone: string) => who.api('PUT', '/api/Account/SetRules', { askPhone });
const bookWith = (who: Person, { id }: Row, phone?: string) =>
  who.api('PUT', `/api/Appointment/Book?id=${id}${phone === undefined ? '' : `&phone=${encodeURIComponent(phone)}`}`);
const seenBy = async (who: Person, { id }: { id: string }) =>
  (await who.api('GET', `/api/Appointment/Get?id=${id}`)).json as Row;
const linksOf = (page: Page) => page.$$('main a').map((link) => link.getAttribute('href') ?? '');

describe('a provider’s address and number', () => {
  test('are on their page, on appointments, in the calendar’s place, with the way to a map', async () => {
    const provider = await newProvider({ displayName: 'Ana' });
    const [slot] = (await publish(provider)) as [Row];
    expect((await setProfile(provider, place)).json).toMatchObject({
      ...place,
      displayName: 'Ana',
      location: 'Lisbon',
    });
    const stranger = daybook.visitor();
    expect((await stranger.api('GET', `/api/Public/Provider?username=${provider.username}`)).json).toMatchObject(place);
    const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(place.address)}`;
    const page = await stranger.get(`/with/${provider.username}`);
    expect(linksOf(page)).toEqual(expect.arrayContaining(['tel:+351213421190', map]));
    const form = await stranger.get(`/with/${provider.username}/${slot.id}`);
    const booked = await form.submit('Book', { displayName: 'Wanda', email: 'wanda@example.com' });
    expect(booked.words).toContain(place.address);
    expect(booked.words).toContain(place.phone);
    const file = await stranger.get(`${new URL(booked.url).pathname}/daybook.ics`);
    expect(file.text.replaceAll('\r\n ', '')).toContain('LOCATION:Rua da Rosa 12\\, 3.º');
    const gone = await setProfile(provider, { address: null, phone: '' });
    expect(gone.json).toMatchObject({ address: null, phone: null });
  });

  test('are refused where they are too long or no number, and are a provider’s only', async () => {
    const wrong = await setProfile(await newProvider(), { address: 'a'.repeat(201), phone: 'call me' });
    expect([wrong.status, (wrong.json as string[]).length]).toEqual([400, 2]);
    expect((await setProfile(await newConsumer(), place)).json).toMatchObject({ address: null, phone: null });
  });
});

describe('the number of whoever books', () => {
  test('is asked for as the rule says, shown to the provider only, and goes along with a move', async () => {
    const [provider, maya, guest] = [await newProvider(), await newConsumer(), await newGuest(daybook)];
    const [one, two, three] = (await publish(provider, { end: '11:00' })) as [Row, Row, Row];
    expect((await bookWith(maya, one, '912')).status).toBe(200);
    expect(await seenBy(provider, one)).toMatchObject({ bookerPhone: null });
    await rules(provider, 'required');
    const refused = await bookWith(guest, two);
    expect([refused.status, refused.json]).toEqual([400, ['Please give a phone number: it is asked for here.']]);
    expect((await bookWith(guest, two, 'none')).status).toBe(400);
    expect((await bookWith(maya, two, '+351 912 345 678')).json).toMatchObject({ status: 1, bookerPhone: null });
    await maya.api('PUT', `/api/Appointment/Move?id=${two.id}&to=${three.id}`);
    expect(await seenBy(provider, three)).toMatchObject({ bookerPhone: '+351 912 345 678' });
    expect(await seenBy(maya, three)).toMatchObject({ bookerPhone: null });
    expect((await maya.api('GET', '/api/Account/Export')).text).toContain('+351 912 345 678');
    await maya.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' });
    expect(await seenBy(provider, three)).toMatchObject({ bookerPhone: null });
  });

  test('is a field of both forms, and of the one that books for somebody, where it may be left out', async () => {
    const [provider, maya, stranger] = [await newProvider(), await newConsumer(), daybook.visitor()];
    const [one, two, three] = (await publish(provider, { end: '11:00' })) as [Row, Row, Row];
    await rules(provider, 'required');
    const form = await stranger.get(`/with/${provider.username}/${one.id}`);
    const refused = await form.submit('Book', { displayName: 'Wanda' });
    expect([refused.status, refused.words.includes('Please give a phone number')]).toEqual([400, true]);
    await refused.submit('Book', { displayName: 'Wanda', phone: '912' });
    expect(await seenBy(provider, one)).toMatchObject({ bookerPhone: '912' });
    await (await maya.browser.get(`/details/${two.id}`)).submit('Book this appointment', { phone: '913' });
    expect(await seenBy(provider, two)).toMatchObject({ bookerPhone: '913' });
    const details = await provider.browser.get(`/details-provider/${three.id}`);
    await details.submit('Book for them', { displayName: 'Walk-in' });
    expect(await seenBy(provider, three)).toMatchObject({ bookerName: 'Walk-in', bookerPhone: null });
  });
});
