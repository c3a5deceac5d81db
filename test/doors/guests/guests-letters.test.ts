import { expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { book, cancel, peopleAt, publishOne, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { newAddress } from '../../support/mails';
import { createParty } from '../../support/party-factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { add, fullyBooked, only } from '../../support/waitlist';

/* What guests read before they type, and after they have said no or passed a time on. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off' } });
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

test('a booking after its deadline says first that it stands, and once whom to ring', async () => {
  const host = await newProvider();
  await host.api('PUT', '/api/Account/SetProfile', { phone: '555 01' });
  await setRules(host, { cancelUntil: 1440 });
  const slot = await writeSlot(daybook.d1, host, { startsIn: 600 });
  const { link } = (await book(await newGuest(daybook), slot)).json as Row;

  const { words } = await daybook.visitor().get(link ?? '');

  expect(words.indexOf('Booked for')).toBeLessThan(words.indexOf("it can't be canceled or moved here"));
  expect(words.split('555 01')).toHaveLength(2);
  expect(words).toContain('with it you see this on any device');
});

test('a booking form says the time once before its first field', async () => {
  const host = await newProvider();
  const slot = await publishOne(host, { start: '13:10', end: '13:40' });

  const { words } = await daybook.visitor().get(`/with/${host.username}/${slot.id}`);

  expect(words.slice(0, words.indexOf('Your name')).match(/13:10/g)).toHaveLength(1);
});

test('a guest who said no leaves an address later', async () => {
  const party = await createParty(await newProvider(), { openTo: 'anyone' });
  const form = await daybook.visitor().get(`/party/${party.id}`);
  const letter = await form.submit("I can't come", { displayName: 'Ada' });
  const email = newAddress();

  const saved = await letter.submit('Save', { email });

  expect(saved.words).toContain('the next mails go there');
});

test('after a time is passed on, nobody reads that they are first in line for it', async () => {
  const { host, booked, booker } = await fullyBooked(people);
  const reader = await newConsumer();
  await add(reader, host, { slotId: booked.id });
  await cancel(booker, booked);
  const { offer } = await only(reader);

  const page = await (await daybook.visitor().get(offer?.link ?? '')).submit('Pass it on');

  expect(page.words).toContain('It is not offered to you again.');
  expect(page.words).not.toContain('first in line');
});

test('the links to web calendars say for what, and lead back to the letter', async () => {
  const [host, guest] = [await newProvider({ displayName: 'Karla' }), await newGuest(daybook)];
  const { id } = await createService(host, { name: 'Colour' });
  const slot = await publishOne(host);
  const booked = await guest.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${id}`);
  const { link } = booked.json as Row;

  const page = await daybook.visitor().get(link ?? '');

  const hrefs = page.$$('a[data-file]').map((link) => new URL(link.getAttribute('href') ?? '', daybook.url));
  const google = hrefs.find(({ hostname }) => hostname === 'calendar.google.com')?.searchParams;
  expect(google?.get('text')).toBe('Colour, Karla');
  expect(google?.get('details')).toBe(daybook.url + link);
});

test.each([
  ['of a provider without a waitlist', { waitlist: 'off' }, 'keeps no waitlist'],
  ['of people with an account only', { openTo: 'accounts' }, 'people with an account only'],
  ['for a time that begins too soon', { notice: 5760 }, 'begins too soon to be booked'],
])('a wish that can’t come true is refused before it is typed: %s', async (_, rules, words) => {
  const { host, booked } = await fullyBooked(people);
  await setRules(host, rules);

  const page = await daybook.visitor().get(`/with/${host.username}/wait?slot=${booked.id}`);

  expect(page.words).toContain(words);
  expect(page.$('[name=email]')).toBeNull();
});

test('a wish for a time that has begun is refused before it is typed', async () => {
  const host = await newProvider();
  const slot = await writeSlot(daybook.d1, host, { startsIn: -5 });

  const page = await daybook.visitor().get(`/with/${host.username}/wait?slot=${slot.id}`);

  expect(page.words).toContain('has begun or is gone');
  expect(page.$('[name=email]')).toBeNull();
});
