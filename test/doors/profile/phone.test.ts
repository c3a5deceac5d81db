import { describe, expect, test } from 'vitest';
import { type Person, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, rsvp } from '../../support/party-factories';
import { bookSlot } from '../../support/stored-bookings';
import { useServer } from '../../support/use-server';

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

describe('a provider’s address and number', () => {
  test('are on their page, on appointments, in the calendar’s place and in mail, with the way to a map', async () => {
    const provider = await newProvider({ displayName: 'Ana' });
    const slots = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const saved = await setProfile(provider, place);
    expect(saved.json).toMatchObject({ ...place, displayName: 'Ana', location: 'Lisbon', description: null });
    expect((await setProfile(provider, { description: 'Short hair' })).json).toMatchObject(place);
    const stranger = daybook.visitor();
    expect((await stranger.api('GET', `/api/Public/Provider?username=${provider.username}`)).json).toMatchObject(place);
    const page = await stranger.get(`/with/${provider.username}`);
    const hrefs = page.$$('main a').map((link) => link.getAttribute('href') ?? '');
    expect(hrefs).toContain('tel:+351213421190');
    expect(hrefs).toContain(`https://www.openstreetmap.org/search?query=${encodeURIComponent(place.address)}`);
    const form = await stranger.get(`/with/${provider.username}/${slots[0].id}`);
    expect(form.words).toContain(place.address);
    const booked = await form.submit('Book', { displayName: 'Wanda', email: 'wanda@example.com' });
    expect(booked.words).toContain(place.address);
    expect(booked.words).toContain(place.phone);
    const file = await stranger.get(`${new URL(booked.url).pathname}/daybook.ics`);
    expect(file.text.replaceAll('\r\n ', '')).toContain('LOCATION:Rua da Rosa 12\\, 3.º');
    const gone = await setProfile(provider, { address: null, phone: '' });
    expect(gone.json).toMatchObject({ address: null, phone: null });
  });

  test('are refused where they are too long or no number, and are a provider’s only', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer()];
    const wrong = await setProfile(provider, { address: 'a'.repeat(201), phone: 'call me' });
    expect([wrong.status, (wrong.json as string[]).length]).toEqual([400, 2]);
    expect((await setProfile(provider, { address: 'one\ntwo' })).status).toBe(400);
    expect((await setProfile(maya, place)).json).toMatchObject({ address: null, phone: null });
  });
});

describe('the number of whoever books', () => {
  test('is asked for as the rule says, of accounts and guests alike, and shown to the provider only', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer()];
    const guest = await newGuest(daybook);
    const [one, two, three] = (await publish(provider, { end: '11:00' })) as [Row, Row, Row];
    expect((await bookWith(maya, one, '912')).status).toBe(200);
    expect(await seenBy(provider, one)).toMatchObject({ bookerPhone: null });
    await rules(provider, 'required');
    for (const who of [maya, guest]) {
      const refused = await bookWith(who, two);
      expect([refused.status, refused.json]).toEqual([400, ['Please give a phone number: it is asked for here.']]);
      expect((await bookWith(who, two, 'none')).status).toBe(400);
    }
    expect((await bookWith(maya, two, '+351 912 345 678')).json).toMatchObject({ status: 1, bookerPhone: null });
    expect((await bookWith(guest, three, '(0)913/1')).status).toBe(200);
    expect(await seenBy(provider, two)).toMatchObject({ bookerPhone: '+351 912 345 678' });
    expect(await seenBy(maya, two)).toMatchObject({ bookerPhone: null });
    const page = await provider.browser.get(`/details-provider/${three.id}`);
    const hrefs = page.$$('main a').map((link) => link.getAttribute('href') ?? '');
    expect(hrefs).toEqual(expect.arrayContaining(['tel:09131', 'sms:09131']));
  });

  test('goes along with a move, and is forgotten with the account', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer()];
    await rules(provider, 'optional');
    const [from, to] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    await bookWith(maya, from, '777 111');
    await maya.api('PUT', `/api/Appointment/Move?id=${from.id}&to=${to.id}`);
    expect(await seenBy(provider, to)).toMatchObject({ bookerPhone: '777 111' });
    expect(JSON.stringify((await maya.api('GET', '/api/Account/Export')).json)).toContain('777 111');
    await maya.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' });
    expect(await seenBy(provider, to)).toMatchObject({ bookerPhone: null });
  });

  test('is a field of both forms, and of the one that books for somebody, where it may be left out', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer()];
    const slots = (await publish(provider, { end: '11:30' })) as [Row, Row, Row, Row];
    const stranger = daybook.visitor();
    const path = (slot: Row) => `/with/${provider.username}/${slot.id}`;
    expect((await stranger.get(path(slots[0]))).$('[name=phone]')).toBeNull();
    await rules(provider, 'required');
    const form = await stranger.get(path(slots[0]));
    const refused = await form.submit('Book', { displayName: 'Wanda' });
    expect([refused.status, refused.words.includes('Please give a phone number')]).toEqual([400, true]);
    expect((await refused.submit('Book', { displayName: 'Wanda', phone: '912' })).words).toContain('Booked');
    expect(await seenBy(provider, slots[0])).toMatchObject({ bookerPhone: '912' });
    const own = await maya.browser.get(`/details/${slots[1].id}`);
    expect((await own.submit('Book this appointment', {})).status).toBe(400);
    await own.submit('Book this appointment', { phone: '913' });
    expect(await seenBy(provider, slots[1])).toMatchObject({ bookerPhone: '913' });
    const details = await provider.browser.get(`/details-provider/${slots[2].id}`);
    await details.submit('Book for them', { displayName: 'Walk-in', phone: '914' });
    expect(await seenBy(provider, slots[2])).toMatchObject({ bookerPhone: '914' });
    const sheet = await provider.browser.get(`/day?date=${slots[2].date}`);
    expect(sheet.$$('main a').map((link) => link.getAttribute('href'))).toContain('tel:914');
    const without = await provider.api('POST', `/api/Appointment/BookFor?id=${slots[3].id}`, { displayName: 'W' });
    expect(without.status).toBe(201);
  });

  test('is one tap away wherever a provider sees somebody who has no e-mail', async () => {
    const provider = await newProvider();
    const known = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const wandaEk = { displayName: 'Wanda Ek', phone: '912 1' };
    await provider.api('POST', `/api/Appointment/BookFor?id=${known[0].id}`, wandaEk);
    const { id: soon } = await writeSlot(daybook.d1, provider, { startsIn: -10 });
    const wanda = await daybook.d1
      .prepare("SELECT id FROM accounts WHERE display_name = 'Wanda Ek'")
      .first<string>('id');
    await daybook.d1.prepare(bookSlot).bind(soon, wanda, Date.now()).run();
    await daybook.d1.prepare("UPDATE bookings SET phone = '912 1' WHERE id = ?").bind(soon).run();
    const party = await createParty(provider, { openTo: 'anyone', askPhone: 'required' });
    await rsvp(await newGuest(daybook), party, {}, { phone: '912 1' });
    const meetup = await createMeetup(provider, { askPhone: 'optional', attendees: ['Ada'] });
    const ada = linkOf(meetup, 'Ada');
    const coming = `id=${ada.id}&meetupid=${meetup.id}&accepted=true`;
    await daybook.visitor().api('PUT', `/api/meetup/ChangeRsvp?${coming}`, { phone: '912 1' });
    for (const path of [
      '/',
      '/people',
      `/day?date=${known[0].date}`,
      `/details-provider/${known[0].id}`,
      `/move/${known[0].id}/${known[1].id}`,
      `/view-party/${party.id}`,
      `/manage-meetup/${meetup.id}`,
    ]) {
      const page = await provider.browser.get(path);
      const links = page.$$('main a').map((link) => link.getAttribute('href') ?? '');
      expect(links, path).toEqual(expect.arrayContaining(['tel:9121', 'sms:9121']));
    }
  });
});
