import { describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { bookFor } from '../../support/appointment-calls';
import { book, dayAhead, type Person, peopleAt, publish, type Row, rowsOf, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { type Card, cardsOf, createCard, editCard, mergeCards } from '../../support/people';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* The screens of a provider's people, and booking for them. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const hrefs = (page: Page) => page.$$('main a').map((link) => link.getAttribute('href') ?? '');
const onlyCard = async (provider: Person) => (await cardsOf(provider))[0] as Card;

async function providerWithSlots(details: object = {}): Promise<{ provider: Person; slots: [Row, Row, Row, Row] }> {
  const provider = await newProvider();
  const slots = await publish(provider, { end: '12:00', ...details });
  return { provider, slots: slots as [Row, Row, Row, Row] };
}

describe('a card', () => {
  test('is written, found and changed on screens, and says how to reach its person', async () => {
    const provider = await newProvider();
    const list = await provider.browser.get('/people');
    const refused = await list.submit('Add them', { name: '', email: 'x', note: 'Tea' });
    expect([refused.status, refused.$('[name=note]')?.text]).toEqual([400, 'Tea']);
    const wanda = { name: 'Wanda', email: 'w@example.com', phone: '912 1', note: 'Tea' };
    const made = await refused.submit('Add them', wanda);
    expect(made.words).toContain('The card is saved.');
    expect(hrefs(made)).toEqual(expect.arrayContaining(['mailto:w@example.com', 'tel:9121', 'sms:9121']));
    const saved = await made.submit('Save card', { name: 'Wanda W', email: '', phone: '', note: '' });
    expect(saved.words).not.toContain('Tea');
    const found = await (await provider.browser.get('/people')).submit('Search', { q: 'NDA W' });
    expect(found.$$('main li a').map(({ text }) => text)).toEqual(['Wanda W']);
  });

  test('is a line of the table of all, without anything that a spreadsheet would take for a formula', async () => {
    const provider = await newProvider();
    await createCard(provider, { name: '=1+1', email: '=a@example.com', phone: '+351 912', note: '@SUM(A1)\n-2' });
    await createCard(provider, { name: 'Wanda W' });
    const { text } = await provider.browser.get('/people/people.csv');
    expect(text.split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^'=1\+1,'=a@example\.com,'\+351 912,.*'@SUM\(A1\)/),
      'Wanda W,,,,0,0,0',
      '',
    ]);
  });

  test('shows appointments, and leads to a card of the same name to merge with', async () => {
    const { provider, slots } = await providerWithSlots();
    await book(await newGuest(daybook, { displayName: 'Maria', email: 'm@example.com' }), slots[0]);
    await book(await newGuest(daybook, { displayName: 'Maria' }), slots[1]);
    await writeSlot(daybook.d1, provider, { startsIn: -2000 });
    const [one, other] = (await cardsOf(provider)) as [Card, Card];
    const page = await provider.browser.get(`/people/${one.id}`);
    expect(page.words).toContain('The same person?');
    const preview = await page.click('Look at both, and merge');
    expect(preview.words).toMatch(/Become one.*m@example\.com/s);
    const merged = await preview.submit('Merge them', {});
    expect(merged.words).toContain('Both are one card now.');
    const links = hrefs(merged).filter((href) => href.startsWith('/details-provider/'));
    expect(new Set(links)).toEqual(new Set([slots[0], slots[1]].map(({ id }) => `/details-provider/${id}`)));
    expect((await provider.browser.get(`/people/${other.id}`)).location).toBe(`/people/${one.id}`);
    expect(await cardsOf(provider)).toHaveLength(1);
  });

  test('counts what its page has read, and leads on from the latest appointment on each page', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer()];
    const write = (days: number) => writeSlot(daybook.d1, provider, { startsIn: days * 24 * 60, booker: maya });
    for (let days = 1; days <= 22; days += 1) await write(-days);
    const { id } = await onlyCard(provider);
    const shown = async (page: number) => {
      const card = await provider.browser.get(`/people/${id}?page=${page}`);
      const [, counts] = /((?:more than )?\d+ to come, .*?) past/.exec(card.words) ?? [];
      return [counts, (await card.click('The same time again')).path];
    };
    const [counts, again] = await shown(0);
    expect(counts).toBe('0 to come, more than 20');
    expect([await shown(1), await shown(7)]).toEqual([
      ['0 to come, 22', again],
      ['0 to come, at most 140', again],
    ]);
    for (let days = 1; days <= 21; days += 1) await write(days);
    const last = await write(22);
    expect(await shown(0)).toEqual(['more than 20 to come, more than 20', `/again/${last.id}`]);
  });
});

describe('booking for somebody who was here before', () => {
  test('finds them by a search, tells people of one name apart who left no contact, and takes one tap', async () => {
    const { provider, slots } = await providerWithSlots({
      end: '09:30',
      dates: [1, 2, 3].map((days) => dayAhead(days)),
    });
    const [first, second, third] = slots;
    for (const slot of [first, second]) await bookFor(provider, slot, { displayName: 'Wanda' });
    await createCard(provider, { name: 'Wanda' });
    const page = await provider.browser.get(`/details-provider/${third.id}`);
    expect((await page.submit('Search', { q: 'nobody' })).status).toBe(200);
    const found = await page.submit('Search', { q: 'wan' });
    const nextOf = ({ startsAt }: Row) => {
      const date = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
      return `Next: ${new Date(startsAt).toLocaleDateString('en-GB', date).replace(',', '')}, 09:00 UTC`;
    };
    const lines = found.$$('form[aria-label="People found"] li').map(({ text }) => text.replace('Book for Wanda', ''));
    expect(lines.sort()).toEqual([nextOf(first), nextOf(second), 'No appointment so far'].sort());
    const done = await found.submit('form[aria-label="People found"] button');
    expect([done.path.split('?')[0], done.words]).toEqual([page.path, expect.stringContaining('Wanda')]);
    const booked = (await cardsOf(provider)).map((card) => card.booked);
    expect([booked.length, booked.reduce((sum, many) => sum + many)]).toEqual([3, 3]);
  });

  test('from their card books one of the free times', async () => {
    const [{ provider, slots }, maya] = [await providerWithSlots({ end: '10:00' }), await newConsumer()];
    await book(maya, slots[0]);
    const { id } = await onlyCard(provider);
    const page = await (await provider.browser.get(`/people/${id}`)).click('Book again');
    expect(page.$('button[name=slot]')?.text).toContain('09:30');
    const done = await page.submit('button[name=slot]', {});
    expect(new URL(done.url).pathname).toBe(`/details-provider/${slots[1].id}`);
    expect(await cardsOf(provider)).toMatchObject([{ id, booked: 2 }]);
    expect((await maya.browser.get('/view-booked')).text).toContain(slots[1].id);
    const news = await newsOf(maya);
    expect(news.filter(({ kind, isRead }) => kind === 'booked' && !isRead)).toHaveLength(1);
  });

  test('from their card keeps the service and its length, where it fits, and lets it be changed', async () => {
    const { provider, slots } = await providerWithSlots();
    const cut = await createService(provider, { name: 'Cut', minutes: 30 });
    const colour = await createService(provider, { name: 'Colour', minutes: 90 });
    const guest = await newGuest(daybook, { displayName: 'Wanda' });
    await guest.api('PUT', `/api/Appointment/Book?id=${slots[0].id}&service=${colour.id}`);
    const { id } = await onlyCard(provider);
    const page = await (await provider.browser.get(`/people/${id}`)).click('Book again');
    const times = (shown: Page) => shown.$$('main .lines p').map(({ text }) => text.trim());
    expect(page.words).toContain('Colour, 1 hour 30 minutes');
    expect(times(page)).toEqual([expect.stringMatching(/^10:30 to 12:00/)]);
    for (const other of ['Cut, 30 minutes', 'As it is']) expect(times(await page.click(other))).toHaveLength(3);
    await page.submit('button[name=slot]', {});
    const booked = rowsOf(await provider.api('GET', '/api/Appointment/GetBooked'));
    expect(booked.map(({ startTime, endTime, service }) => [startTime, endTime, service?.name])).toEqual([
      ['09:00', '10:30', 'Colour'],
      ['10:30', '12:00', 'Colour'],
    ]);
    const open = ({ id: service }: { id: string }) => provider.browser.get(`/people/${id}/book?service=${service}`);
    expect((await open(colour)).words).toContain('You have no free times that are long enough');
    // What is not offered any more is asked anew.
    await provider.api('PUT', `/api/Service/Edit?id=${colour.id}`, { isOffered: false });
    expect((await open(colour)).location).toBe(`/people/${id}/book`);
    expect((await open(cut)).words).toContain('You have no free times');
  });

  test('by a call: for the account that made the card, else for the card’s guest, and on the card', async () => {
    const { provider, slots } = await providerWithSlots();
    const wanda = await createCard(provider, { name: 'Wanda', email: 'w@example.com', phone: '912' });
    const key = { 'Idempotency-Key': 'once' };
    const path = `/api/Appointment/BookFor?id=${slots[0].id}`;
    const twice = await Promise.all([1, 2].map(() => provider.browser.api('POST', path, { personId: wanda.id }, key)));
    expect(twice.map(({ status }) => status)).toEqual([201, 201]);
    expect(twice[0]?.json).toMatchObject({ bookerName: 'Wanda', bookerEmail: 'w@example.com', bookerPhone: '912' });
    await editCard(provider, wanda, { email: 'new@example.com' });
    const second = await bookFor(provider, slots[1], { personId: wanda.id });
    expect(second.json).toMatchObject({ bookerEmail: 'new@example.com' });
    expect(await cardsOf(provider)).toMatchObject([{ id: wanda.id, booked: 2 }]);
    const other = await createCard(provider, { name: 'Other' });
    await mergeCards(provider, wanda, other);
    await bookFor(provider, slots[2], { personId: wanda.id });
    expect(await cardsOf(provider)).toMatchObject([{ id: other.id, booked: 3 }]);
    expect((await bookFor(provider, slots[3], { note: 'x' })).json).toEqual(['Name is missing.']);
  });

  test('refuses whoever has left', async () => {
    const { provider, slots } = await providerWithSlots();
    const guest = await newGuest(daybook);
    await book(guest, slots[0]);
    await guest.api('DELETE', '/api/Account/Delete', {});
    const { id: personId } = await onlyCard(provider);
    expect((await bookFor(provider, slots[1], { personId })).status).toBe(409);
  });
});
