import { expect, test } from 'vitest';
import { book, type Person, peopleAt, publishOne } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Beside each file for a calendar stand links that add the same to the calendars of Google, Outlook and Apple. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const stamped = (instant: string) => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
type Entry = { startsAt: string; endsAt: string };

/** Finds the links, and compares what they tell those calendars with the entry. */
function expectLinks(page: Page, { startsAt, endsAt }: Entry, title: string, location: string): void {
  const hrefs = page.$$('a[data-file]').map((link) => new URL(link.getAttribute('href') ?? '', daybook.url));
  const at = (host: string) => hrefs.find(({ hostname }) => hostname === host);
  const google = at('calendar.google.com')?.searchParams;
  const dates = `${stamped(startsAt)}/${stamped(endsAt)}`;
  expect([google?.get('text'), google?.get('dates'), google?.get('location')]).toEqual([title, dates, location]);
  const outlook = at('outlook.live.com')?.searchParams;
  expect([outlook?.get('subject'), outlook?.get('startdt'), outlook?.get('enddt'), outlook?.get('location')]).toEqual([
    title,
    new Date(startsAt).toISOString(),
    new Date(endsAt).toISOString(),
    location,
  ]);
  expect(hrefs.filter(({ pathname }) => pathname.endsWith('/daybook.ics'))).not.toEqual([]);
  // No link tells another company how to change the booking.
  const outside = hrefs.filter(({ origin }) => origin !== daybook.url).map(({ href }) => decodeURIComponent(href));
  expect(outside.filter((href) => /booking\/|answer\/|meetup-rsvp\//.test(href))).toEqual([]);
}

const host = async (): Promise<Person> => {
  const provider = await newProvider({ displayName: 'Ana Sousa' });
  await provider.api('PUT', '/api/Account/SetProfile', { address: 'Rua da Rosa 112, Lisboa' });
  return provider;
};
const where = 'Rua da Rosa 112, Lisboa';

test('an appointment has them where it was just booked, on its page, and at its personal link', async () => {
  const ana = await host();
  const slot = await publishOne(ana);
  const maya = await newConsumer();
  await book(maya, slot);
  expectLinks(await maya.browser.get(`/view?booked=${slot.id}`), slot, 'Ana Sousa', where);
  expectLinks(await maya.browser.get(`/details-cancel/${slot.id}`), slot, 'Ana Sousa', where);
  const guest = await newGuest(daybook);
  // The first one is booked, so this is the one that is open.
  const other = await publishOne(ana, { start: '10:00', end: '10:30' });
  const { link } = (await book(guest, other)).json as { link: string };
  expectLinks(await daybook.visitor().visit(link), other, 'Ana Sousa', where);
});

test('a party and a meetup have them for whoever comes', async () => {
  const ana = await host();
  const maya = await newConsumer();
  const party = await createParty(ana, { title: 'Ten years', address: where });
  expect((await daybook.visitor().get(`/party/${party.id}`)).$('a[href*="calendar.google.com"]')).toBeNull();
  expect((await rsvp(maya, party)).status).toBe(200);
  expectLinks(await maya.browser.get(`/party/${party.id}`), party, 'Ten years', where);
  const meetup = await createMeetup(ana, { title: 'Open chairs', address: where, attendees: ['Pia'] });
  const id = meetup.attendees[0]?.id ?? '';
  const letter = await daybook.visitor().get(`/meetup-rsvp/${id}`);
  expect(letter.$('a[href*="calendar.google.com"]')).toBeNull();
  expectLinks(await letter.submit('Accept'), meetup, 'Open chairs', where);
});
