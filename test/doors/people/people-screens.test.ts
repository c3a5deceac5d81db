import { describe, expect, test } from 'vitest';
import {
  book,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* The screens of a provider's people, and booking for them. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

type Card = { id: string; name: string; booked: number; email: string | null; phone: string | null };
const cards = async (who: Person, q = '') =>
  (await who.api('GET', `/api/People/GetPage?q=${encodeURIComponent(q)}`)).json as Card[];
const create = async (who: Person, card: object) => (await who.api('POST', '/api/People/Create', card)).json as Card;
const hrefs = (page: Page) => page.$$('main a').map((link) => link.getAttribute('href') ?? '');
const bookFor = (who: Person, slot: Row, body: object) =>
  who.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, body);

describe('a card', () => {
  test('is written, found and changed on screens, and says how to reach its person', async () => {
    const provider = await newProvider();
    const list = await provider.browser.get('/people');
    const refused = await list.submit('Add them', { name: '', email: 'x', note: 'Tea' });
    expect([refused.status, refused.$('[name=note]')?.text]).toEqual([400, 'Tea']);
    const made = await refused.submit('Add them', {
      name: 'Wanda',
      email: 'w@example.com',
      phone: '912 1',
      note: 'Tea',
    });
    expect([made.status, made.words]).toEqual([200, expect.stringContaining('The card is saved.')]);
    expect(hrefs(made)).toEqual(expect.arrayContaining(['mailto:w@example.com', 'tel:9121', 'sms:9121']));
    const saved = await made.submit('Save card', { name: 'Wanda W', email: '', phone: '', note: '' });
    expect(saved.words).not.toContain('Tea');
    const found = await (await provider.browser.get('/people')).submit('Search', { q: 'NDA W' });
    expect(found.$$('main li a').map(({ text }) => text)).toEqual(['Wanda W']);
    const file = await provider.browser.get('/people/people.csv');
    expect(file.text).toContain('Wanda W,,,,0,0,0');
  });

  test('shows appointments with time and service, as whom they were booked, and where it was merged', async () => {
    const provider = await newProvider();
    const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const [one, other] = [
      await newGuest(daybook, { displayName: 'Maria', email: 'm@example.com' }),
      await newGuest(daybook, { displayName: 'Maria' }),
    ];
    await book(one, first);
    await book(other, second);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000 });
    const [a, b] = (await cards(provider)) as [Card, Card];
    const page = await provider.browser.get(`/people/${a.id}`);
    expect(page.words).toContain('The same person?');
    const preview = await page.click('Look at both, and merge');
    expect(preview.words).toMatch(/Become one[\s\S]*m@example\.com/);
    const merged = await preview.submit('Merge them', {});
    expect([new URL(merged.url).pathname, merged.words]).toEqual([
      `/people/${a.id}`,
      expect.stringContaining('Both are one card now.'),
    ]);
    expect(hrefs(merged)).toEqual(
      expect.arrayContaining([`/details-provider/${first.id}`, `/details-provider/${second.id}`]),
    );
    expect(hrefs(merged)).not.toContain(`/details-provider/${past.id}`);
    expect((await provider.browser.get(`/people/${b.id}`)).location).toBe(`/people/${a.id}`);
    expect(await cards(provider)).toHaveLength(1);
  });

  test('keeps what a spreadsheet would take for a formula from being one, in every column', async () => {
    const provider = await newProvider();
    await create(provider, { name: '=1+1', email: '=a@example.com', phone: '+351 912', note: '@SUM(A1)\n-2' });
    const { text } = await provider.browser.get('/people/people.csv');
    expect(text.split('\r\n')[1]).toMatch(/^'=1\+1,'=a@example\.com,'\+351 912,/);
    expect(text).toContain("'@SUM(A1)");
  });
});

test('a card counts what its page has read, and leads on from the latest appointment on each page', async () => {
  const [provider, maya] = [await newProvider(), await newConsumer()];
  for (let days = 1; days <= 22; days += 1)
    await writeSlot(daybook.d1, provider, { startsIn: -days * 24 * 60, booker: maya });
  const [{ id }] = (await cards(provider)) as [Card];
  const shown = async (page: number) => {
    const card = await provider.browser.get(`/people/${id}?page=${page}`);
    return [
      /((?:more than )?\d+ to come, .*?) past/.exec(card.words)?.[1],
      (await card.click('The same time again')).path,
    ];
  };
  const past = await shown(0);
  expect([past, await shown(1), await shown(7)]).toEqual([
    ['0 to come, more than 20', past[1]],
    ['0 to come, 22', past[1]],
    ['0 to come, at most 140', past[1]],
  ]);
  for (let days = 1; days <= 21; days += 1)
    await writeSlot(daybook.d1, provider, { startsIn: days * 24 * 60, booker: maya });
  const last = await writeSlot(daybook.d1, provider, { startsIn: 22 * 24 * 60, booker: maya });
  expect(await shown(0)).toEqual(['more than 20 to come, more than 20', `/again/${last.id}`]);
});

describe('booking for somebody who was here before', () => {
  test('finds them by a search, and takes one tap', async () => {
    const provider = await newProvider();
    const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    await bookFor(provider, first, { displayName: 'Wanda', email: 'w@example.com', phone: '912' });
    const page = await provider.browser.get(`/details-provider/${second.id}`);
    const found = await page.submit('Search', { q: 'wan' });
    const done = await found.submit('Book for Wanda', {});
    expect(done.words).toContain('Wanda');
    expect(await cards(provider)).toMatchObject([{ name: 'Wanda', booked: 2 }]);
    expect((await provider.browser.get(`/details-provider/${second.id}?q=nobody`)).status).toBe(200);
  });

  test('tells people of one name apart who left no contact', async () => {
    const provider = await newProvider();
    const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
    const [first, second, third] = (await publish(provider, { dates })) as [Row, Row, Row];
    for (const slot of [first, second]) await bookFor(provider, slot, { displayName: 'Wanda' });
    await create(provider, { name: 'Wanda' });
    const page = await provider.browser.get(`/details-provider/${third.id}`);
    const found = (await page.submit('Search', { q: 'wan' })).$$('form[aria-label="People found"] li');
    const nextOf = ({ startsAt }: Row) =>
      `Next: ${new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
        .format(Date.parse(startsAt))
        .replace(',', '')}, 09:00 UTC`;
    expect(found.map(({ text }) => text.replace('Book for Wanda', '')).sort()).toEqual(
      [nextOf(first), nextOf(second), 'No appointment so far'].sort(),
    );
  });

  test('from their card books one of the free times', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer({ displayName: 'Maya' })];
    const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    await book(maya, first);
    const [{ id }] = (await cards(provider)) as [Card];
    const page = await (await provider.browser.get(`/people/${id}`)).click('Book again');
    expect(page.$('button[name=slot]')?.text).toContain('09:30');
    const done = await page.submit('button[name=slot]', {});
    expect(new URL(done.url).pathname).toBe(`/details-provider/${second.id}`);
    expect(await cards(provider)).toMatchObject([{ id, booked: 2 }]);
    expect((await maya.browser.get('/view-booked')).text).toContain(second.id);
    const news = (await maya.api('GET', '/api/Account/GetNews')).json as { kind: string; isRead: boolean }[];
    expect(news.filter(({ kind, isRead }) => kind === 'booked' && !isRead)).toHaveLength(1);
  });

  test('from their card keeps the service and its length, where it fits, and lets it be changed', async () => {
    const provider = await newProvider();
    const cut = await createService(provider, { name: 'Cut', minutes: 30 });
    const colour = await createService(provider, { name: 'Colour', minutes: 90 });
    const [first] = (await publish(provider, { end: '12:00' })) as [Row];
    const guest = await newGuest(daybook, { displayName: 'Wanda' });
    await guest.api('PUT', `/api/Appointment/Book?id=${first.id}&service=${colour.id}`);
    const [{ id }] = (await cards(provider)) as [Card];
    const page = await (await provider.browser.get(`/people/${id}`)).click('Book again');
    const times = (shown: Page) => shown.$$('main .lines p').map(({ text }) => text.trim());
    expect(page.words).toContain('Colour, 1 hour 30 minutes');
    expect(times(page)).toEqual([expect.stringMatching(/^10:30 to 12:00/)]);
    expect(times(await page.click('Cut, 30 minutes'))).toHaveLength(3);
    expect(times(await page.click('As it is'))).toHaveLength(3);
    await page.submit('button[name=slot]', {});
    const booked = (await provider.api('GET', '/api/Appointment/GetBooked')).json as Row[];
    expect(booked.map(({ startTime, endTime, service }) => [startTime, endTime, service?.name])).toEqual([
      ['09:00', '10:30', 'Colour'],
      ['10:30', '12:00', 'Colour'],
    ]);
    const full = await provider.browser.get(`/people/${id}/book?service=${colour.id}`);
    expect(full.words).toContain('You have no free times that are long enough');
    // What is not offered any more is asked anew.
    await provider.api('PUT', `/api/Service/Edit?id=${colour.id}`, { isOffered: false });
    expect((await provider.browser.get(`/people/${id}/book?service=${colour.id}`)).location).toBe(`/people/${id}/book`);
    expect((await provider.browser.get(`/people/${id}/book?service=${cut.id}`)).words).toContain(
      'You have no free times',
    );
  });

  test('by a call: for the account that made the card, else for the card’s guest, and on the card', async () => {
    const provider = await newProvider();
    const slots = (await publish(provider, { end: '12:00' })) as Row[];
    const wanda = await create(provider, { name: 'Wanda', email: 'w@example.com', phone: '912' });
    const key = { 'Idempotency-Key': 'once' };
    const path = `/api/Appointment/BookFor?id=${slots[0]?.id}`;
    const twice = await Promise.all([1, 2].map(() => provider.browser.api('POST', path, { personId: wanda.id }, key)));
    expect(twice.map(({ status }) => status)).toEqual([201, 201]);
    expect(twice[0]?.json).toMatchObject({ bookerName: 'Wanda', bookerEmail: 'w@example.com', bookerPhone: '912' });
    await provider.api('PUT', `/api/People/Edit?id=${wanda.id}`, { email: 'new@example.com' });
    expect((await bookFor(provider, slots[1] as Row, { personId: wanda.id })).json).toMatchObject({
      bookerEmail: 'new@example.com',
    });
    expect(await cards(provider)).toMatchObject([{ id: wanda.id, booked: 2 }]);
    const other = await create(provider, { name: 'Other' });
    await provider.api('PUT', `/api/People/Merge?id=${wanda.id}&into=${other.id}`);
    await bookFor(provider, slots[2] as Row, { personId: wanda.id });
    expect(await cards(provider)).toMatchObject([{ id: other.id, booked: 3 }]);
    const rival = await newProvider();
    const theirs = await publishOne(rival, { dates: [dayAhead(5)] });
    expect((await bookFor(rival, theirs, { personId: other.id })).status).toBe(404);
    expect((await bookFor(provider, slots[3] as Row, { note: 'x' })).json).toEqual(['Name is missing.']);
  });

  test('refuses whoever has left', async () => {
    const provider = await newProvider();
    const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const guest = await newGuest(daybook);
    await book(guest, first);
    await guest.api('DELETE', '/api/Account/Delete', {});
    const [{ id }] = (await cards(provider)) as [Card];
    expect((await bookFor(provider, second, { personId: id })).status).toBe(409);
  });
});
