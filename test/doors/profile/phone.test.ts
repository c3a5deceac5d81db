import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { book, look, type Person, password, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';

/* How provider and client reach each other: the provider's address and number, and the number of whoever books. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const place = { address: 'Rua da Rosa 12, 3.º', phone: '+351 21 342 11 90' };
const setProfile = (who: Person, change: object) => who.api('PUT', '/api/Account/SetProfile', change);
const phoneOf = async (who: Person, slot: Row) => ((await look(who, slot)).json as Row).bookerPhone;

async function askingProvider() {
  const provider = await newProvider();
  const slots = (await publish(provider, { end: '10:30' })) as [Row, Row, Row];
  await setRules(provider, { askPhone: 'required' });
  return { provider, slots };
}

test('a provider’s address and number are on their page, on appointments and in the calendar, with the way to a map', async () => {
  const provider = await newProvider();
  const slot = await publishOne(provider);
  expect((await setProfile(provider, place)).json).toMatchObject({ ...place, location: 'Lisbon' });
  const stranger = daybook.visitor();
  expect((await stranger.api('GET', `/api/Public/Provider?username=${provider.username}`)).json).toMatchObject(place);
  const links = (await stranger.get(`/with/${provider.username}`))
    .$$('main a')
    .map((link) => link.getAttribute('href'));
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(place.address)}`;
  expect(links).toEqual(expect.arrayContaining(['tel:+351213421190', map]));
  const form = await stranger.get(`/with/${provider.username}/${slot.id}`);
  const booked = await form.submit('Book', { displayName: 'Wanda', email: 'wanda@example.com' });
  for (const words of Object.values(place)) expect(booked.words).toContain(words);
  const file = await stranger.get(`${new URL(booked.url).pathname}/daybook.ics`);
  expect(file.text.replaceAll('\r\n ', '')).toContain('LOCATION:Rua da Rosa 12\\, 3.º');
  const none = { address: null, phone: null };
  expect((await setProfile(provider, { address: null, phone: '' })).json).toMatchObject(none);
  const wrong = { address: 'a'.repeat(201), phone: 'call me' };
  expect(complaints(await setProfile(provider, wrong))).toHaveLength(2);
  expect((await setProfile(await newConsumer(), place)).json).toMatchObject(none);
});

describe('the number of whoever books', () => {
  test('is asked for as the rule says, shown to the provider only, and goes along with a move', async () => {
    const { provider, slots } = await askingProvider();
    const [maya, guest] = [await newConsumer(), await newGuest(daybook)];
    const bookWith = (who: Person, { id }: Row, phone: string) =>
      who.api('PUT', `/api/Appointment/Book?${new URLSearchParams({ id, phone })}`);
    expect(complaints(await book(guest, slots[0]))).toEqual(['Please give a phone number: it is asked for here.']);
    expect((await bookWith(guest, slots[0], 'none')).status).toBe(400);
    expect((await bookWith(maya, slots[0], '+351 912 345 678')).json).toMatchObject({ status: 1, bookerPhone: null });
    await maya.api('PUT', `/api/Appointment/Move?id=${slots[0].id}&to=${slots[1].id}`);
    expect([await phoneOf(provider, slots[1]), await phoneOf(maya, slots[1])]).toEqual(['+351 912 345 678', null]);
    expect((await maya.api('GET', '/api/Account/Export')).text).toContain('+351 912 345 678');
    await maya.api('DELETE', '/api/Account/Delete', { password });
    expect(await phoneOf(provider, slots[1])).toBeNull();
    await setRules(provider, { askPhone: 'no' });
    await bookWith(guest, slots[2], '912');
    expect(await phoneOf(provider, slots[2])).toBeNull();
  });
});
