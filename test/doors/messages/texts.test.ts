import { expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { bookFor, openSlotsOf } from '../../support/appointment-calls';
import { dayAhead, isoAhead, type Person, peopleAt, publishOne, type Row, writeSlot } from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, rsvp } from '../../support/party-factories';
import { createCard } from '../../support/people';
import { everyDay } from '../../support/plain-hours';
import { createService } from '../../support/services';
import { shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { addGuest, fullyBooked } from '../../support/waitlist';

/* What a text or a WhatsApp message to somebody begins with, wherever a provider sees their number. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const phone = '+49 151 2345678';
const number = '+491512345678';
const speak = (who: Person, lang: string) => who.api('PUT', '/api/Account/SetProfile', { lang });
const bookWithPhone = async (who: Person, { id }: { id: string }) =>
  (await who.api('PUT', `/api/Appointment/Book?id=${id}&phone=${encodeURIComponent(phone)}`)).json as Row;

/** A German guest with a number, today at a provider who reads English. */
async function germanGuest() {
  const host = await newProvider({ displayName: 'Ines & Co' });
  await setRules(host, { askPhone: 'optional' });
  const slot = await writeSlot(daybook.d1, host, { startsIn: 1 });
  await writeSlot(daybook.d1, host, { startsIn: 1 + 7 * 24 * 60 });
  return { host, booking: await bookAsGerman(slot) };
}

async function bookAsGerman(slot: { id: string }) {
  const visitor = daybook.visitor();
  Object.assign(visitor.headers, { 'accept-language': 'de-AT' });
  const guest = { api: visitor.api.bind(visitor) } as Person;
  await visitor.api('POST', '/api/Account/Guest', { displayName: 'Gerda', timeZone: 'UTC' });
  return bookWithPhone(guest, slot);
}

/** The words of the texts and of the WhatsApp messages on a page, each once. */
function textsOn(page: Page) {
  const hrefs = page.$$('main a').map((link) => link.getAttribute('href') ?? '');
  const after = (start: string) =>
    hrefs.filter((href) => href.startsWith(start)).map((href) => decodeURIComponent(href.slice(start.length)));
  return {
    sms: [...new Set(after(`sms:${number}?&body=`))],
    whatsApp: [...new Set(after(`https://wa.me/${number.slice(1)}?text=`))],
  };
}

test.each([
  ['the people', () => '/people'],
  ['the sheet of the day', () => '/day'],
  ['today', () => '/'],
  ['the appointment', (id: string) => `/view-provider/${id}`],
  ['its details', (id: string) => `/details-provider/${id}`],
  ['a move of it', (id: string) => `/move/${id}`],
  ['the same time again', (id: string) => `/again/${id}?every=7&times=1`],
])('on %s a German guest is written to in German, with the time and their link', async (_, pathOf) => {
  const { host, booking } = await germanGuest();
  const page = await host.browser.get(pathOf(booking.id));

  const { sms, whatsApp } = textsOn(page);

  expect(sms).toEqual([
    expect.stringMatching(/^Hier ist Ines & Co\. Es geht um Ihren Termin: .*\d{1,2}:\d{2}.*\nhttp:\/\/[^\s]+$/),
  ]);
  expect(sms[0]?.split('\n')[1]).toBe(daybook.url + booking.link);
  expect(whatsApp).toEqual(sms);
});

test('a client’s card begins a text about their next appointment', async () => {
  const { host, booking } = await germanGuest();
  const list = await host.browser.get('/people');
  const card = list.$$('main .lines a').find(({ text }) => text.includes('Gerda'));

  const { sms } = textsOn(await host.browser.get(card?.getAttribute('href') ?? ''));

  expect(sms).toEqual([expect.stringContaining(`Ihren Termin`)]);
  expect(sms[0]).toContain(booking.link);
});

test('somebody with an account gets a link that asks for their login', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await setRules(host, { askPhone: 'optional' });
  const client = await newConsumer();
  await speak(client, 'fr');
  const { id } = await bookWithPhone(client, await publishOne(host));

  const { sms } = textsOn(await host.browser.get(`/view-provider/${id}`));

  expect(sms).toEqual([expect.stringMatching(/^Ici Ines, au sujet de votre rendez-vous : /)]);
  expect(new URL(sms[0]?.split('\n')[1] ?? '').pathname).toBe(`/details-cancel/${id}`);
});

test('somebody of whom no language is known is written to in the provider’s', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await speak(host, 'es');
  const slot = await publishOne(host);
  const booking = (await bookFor(host, slot, { displayName: 'Wanda', phone })).json as Row;

  const { sms } = textsOn(await host.browser.get(`/view-provider/${booking.id}`));

  expect(sms).toEqual([expect.stringMatching(/^Le escribe Ines, sobre su cita: /)]);
});

test('somebody who waits gets the link to their place in line', async () => {
  const { host } = await fullyBooked({ newProvider, newConsumer });
  await setRules(host, { askPhone: 'optional' });
  await addGuest(daybook.visitor(), host, { to: dayAhead(2), phone });

  const { sms } = textsOn(await host.browser.get('/waitlist'));

  expect(sms).toEqual([expect.stringMatching(/^[^\n]+:\nhttp:\/\/[^\n]+\/waiting\//)]);
});

test('a guest of a party is written to in their own language', async () => {
  const [host, client] = await Promise.all([newProvider({ displayName: 'Ines' }), newConsumer()]);
  await speak(client, 'fr');
  const party = await createParty(host, { askPhone: 'optional' });
  await rsvp(client, party, {}, { phone });

  const { sms } = textsOn(await host.browser.get(`/view-party/${party.id}`));

  expect(sms).toEqual([expect.stringMatching(/^Ici Ines, au sujet de/)]);
});

test('a name of a meetup is written to in the language of their answer', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  const meetup = await createMeetup(host, { askPhone: 'optional', attendees: ['Gerda'] });
  const visitor = daybook.visitor();
  Object.assign(visitor.headers, { 'accept-language': 'de-AT' });
  const { id, meetupId } = linkOf(meetup, 'Gerda');
  await visitor.api('PUT', `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}&accepted=true`, { phone });

  const { sms } = textsOn(await host.browser.get(`/manage-meetup/${meetup.id}`));

  expect(sms).toEqual([expect.stringMatching(/^Hier ist Ines\. Es geht um/)]);
});

test('somebody with nothing to come gets the link to the provider’s page', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await createCard(host, { name: 'Wanda', phone });

  const { sms } = textsOn(await host.browser.get('/people'));

  expect(sms).toEqual([expect.stringMatching(new RegExp(`^Ines:\nhttp://[^\n]+/with/${host.username}$`))]);
});

test('somebody booked from a card of their own is sent the link of that booking', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  const slot = await publishOne(host);
  const card = await createCard(host, { name: 'Wanda', phone });
  const booking = (await bookFor(host, slot, { personId: card.id })).json as Row;

  const { sms } = textsOn(await host.browser.get('/people'));

  expect(sms.map((text) => text.split('\n')[1])).toEqual([daybook.url + booking.link]);
});

test('each of a class is written to about it, with a link of their own', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await setRules(host, { askPhone: 'optional' });
  const { id: serviceId } = await createService(host, { seats: 3 });
  const slot = await publishOne(host, { serviceId });
  const mine = await bookWithPhone(await newGuest(daybook), slot);
  await bookWithPhone(await newGuest(daybook), slot);

  const { sms } = textsOn(await host.browser.get(`/details-provider/${slot.id}`));

  expect(sms).toHaveLength(2);
  expect(sms.join('\n')).toContain(mine.link);
});

test('before a class is canceled, whoever is to be called can be written to with their link', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await setRules(host, { askPhone: 'optional' });
  const { id: serviceId } = await createService(host, { seats: 3 });
  const slot = await publishOne(host, { serviceId });
  const booking = await bookAsGerman(slot);
  const page = await host.browser.get(`/details-provider/${slot.id}`);

  const links = page.$$('dialog a').map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));

  expect(links).toEqual([
    `tel:${number}`,
    expect.stringMatching(/^sms:.*Hier ist Ines\..*Ihren Termin/),
    expect.stringMatching(/^https:\/\/wa\.me\/.*Hier ist Ines\./),
  ]);
  for (const link of links.slice(1)) expect(link).toContain(`\n${daybook.url}${booking.link}`);
});

test('whoever is to be called about closed days is written to in their language, with their link', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await setRules(host, { askPhone: 'optional' });
  await host.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '09:30'), ahead: 8 });
  const [slot] = await openSlotsOf(host, host, { dates: dayAhead(7) });
  const booking = await bookAsGerman(slot as Row);
  const hours = await host.browser.visit('/hours');

  const preview = await hours.submit('Show what changes', { 'off-date': [isoAhead(7)], 'off-to': [isoAhead(7)] });

  const { sms, whatsApp } = textsOn(preview);
  expect(sms).toEqual([expect.stringMatching(/^Hier ist Ines\. Es geht um Ihren Termin: /)]);
  expect(sms[0]?.split('\n')[1]).toBe(daybook.url + booking.link);
  expect(whatsApp).toEqual(sms);
});

test('whoever is to be called about a hand-over is written to in their language, with their link, before and after', async () => {
  const date = dayAhead(2);
  const { people, slots } = await shopWith([await newProvider({ displayName: 'Ines & Co' }), await newProvider()], {
    end: '09:30',
    dates: [date],
  });
  const [owner, ana] = people as [Person, Person];
  await setRules(ana, { askPhone: 'optional' });
  const booking = await bookAsGerman(slots[1]?.[0] as Row);
  const page = () => owner.browser.get(`/shop/hand-over?of=${ana.username}&date=${date}`);
  const before = textsOn(await page());
  const done = await (await page()).submit('Hand over what is ticked', {
    id: booking.id,
    [`to.${booking.id}`]: owner.username,
  });

  const after = textsOn(done);

  expect(done.words).toContain('please call');
  expect(before.sms).toEqual([expect.stringMatching(/^Hier ist Ines & Co\. Es geht um Ihren Termin: /)]);
  expect(before.sms[0]?.split('\n')[1]).toBe(daybook.url + booking.link);
  expect(before.whatsApp).toEqual(before.sms);
  expect(after).toEqual(before);
});

test('whoever walks in is sent their link from the page that shows it', async () => {
  const host = await newProvider();
  const slot = await publishOne(host);
  const page = await host.browser.get(`/details-provider/${slot.id}`);

  const made = await page.submit('Book for them', { displayName: 'Wanda', phone });

  const { sms } = textsOn(made);
  expect(words(made.$('.slip')?.text)).toContain('WhatsApp');
  expect(sms[0]?.split('\n')[1]).toBe(made.$('.slip [readonly]')?.getAttribute('value'));
});

test('the links of a list say whom they reach, and leave no trace of the page', async () => {
  const { host } = await germanGuest();

  const links = (await host.browser.get('/people'))
    .$$('a')
    .filter((link) => /^(tel|sms|https:\/\/wa\.me)/.test(link.getAttribute('href') ?? ''));

  expect(links.map(({ text }) => words(text))).toEqual(['Call Gerda', 'Text Gerda', 'WhatsApp Gerda']);
  expect(links.map((link) => link.getAttribute('rel'))).toEqual(['noreferrer', 'noreferrer', 'noreferrer']);
});

test('a number without its country has no WhatsApp', async () => {
  const host = await newProvider();
  await createCard(host, { name: 'Wanda', phone: '0151 234' });

  expect((await host.browser.get('/people')).words).not.toContain('WhatsApp');
});
