import { describe, expect, test } from 'vitest';
import type { Person } from '../../support/factories';
import { book, cancel, dayAhead, peopleAt, publish, publishOne } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

type News = { id: string; kind: string; text: string; at: string; isRead: boolean; link: string };
const newsOf = async (who: Person) => (await who.api('GET', '/api/Account/GetNews')).json as News[];
const kindsOf = async (who: Person) => (await newsOf(who)).map(({ kind }) => kind);

describe('news', () => {
  test('tells a provider who booked and canceled, and when, in words', async () => {
    const [provider, consumer] = [
      await newProvider({ displayName: 'Karla' }),
      await newConsumer({ displayName: 'Maya' }),
    ];
    const slot = await publishOne(provider);
    await book(consumer, slot);
    const [booked] = await newsOf(provider);
    expect(booked).toMatchObject({ kind: 'booked', isRead: false, link: `/view-provider/${slot.id}` });
    expect(booked?.text).toMatch(/^Maya booked \w+, \d+ \w+ \d{4}, 09:00 to 09:30, UTC\.$/);
    await cancel(consumer, slot);
    expect(await kindsOf(provider)).toEqual(['canceled', 'booked']);
    expect(await newsOf(consumer)).toEqual([]);
  });

  test('tells a consumer that the provider has canceled, once', async () => {
    const [provider, consumer] = [await newProvider({ displayName: 'Karla' }), await newConsumer()];
    const slot = await publishOne(provider);
    await book(consumer, slot);
    await cancel(provider, slot);
    await cancel(provider, slot);
    const news = await newsOf(consumer);
    expect(news).toHaveLength(1);
    expect(news[0]).toMatchObject({ kind: 'canceled', link: `/details-cancel/${slot.id}` });
    expect(news[0]?.text).toMatch(/^Karla canceled the appointment on /);
    expect(await kindsOf(provider)).toEqual(['booked']);
  });

  test('tells nobody of a withdrawn slot, and nobody of others’ bookings', async () => {
    const [provider, other] = [await newProvider(), await newProvider()];
    const slot = await publishOne(provider);
    await cancel(provider, slot);
    await publishOne(other);
    expect([...(await newsOf(provider)), ...(await newsOf(other))]).toEqual([]);
  });

  test('tells the host of answers to a party once a day, with how many they are', async () => {
    const host = await newProvider();
    const party = {
      title: 'Open evening',
      date: dayAhead(3),
      startTime: '18:00',
      endTime: '21:00',
      description: 'Come',
    };
    const { id } = (await host.api('POST', '/api/Party/CreateParty', party)).json as { id: string };
    for (const accepted of ['true', 'false', 'true']) {
      const guest = await newConsumer();
      expect((await guest.api('PUT', `/api/Party/BookRsvp?id=${id}&accepted=${accepted}`)).status).toBe(200);
    }
    const [line, ...more] = await newsOf(host);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      kind: 'rsvps',
      text: '3 people have answered Open evening.',
      link: `/view-party/${id}`,
    });
  });

  test('tells guests who are coming what was and what is, and not those who declined', async () => {
    const [host, coming, not] = [await newProvider({ displayName: 'Karla' }), await newConsumer(), await newConsumer()];
    const party = { title: 'Tasting', date: dayAhead(3), startTime: '18:00', endTime: '21:00', description: 'Come' };
    const { id } = (await host.api('POST', '/api/Party/CreateParty', party)).json as { id: string };
    await coming.api('PUT', `/api/Party/BookRsvp?id=${id}&accepted=true`);
    await not.api('PUT', `/api/Party/BookRsvp?id=${id}&accepted=false`);
    const change = { startTime: '19:00', endTime: '22:00', address: 'Rua Nova 3' };
    expect((await host.api('PUT', `/api/Party/EditParty/${id}`, change)).status).toBe(200);
    expect((await host.api('PUT', `/api/Party/EditParty/${id}`, change)).status).toBe(200);
    const news = await newsOf(coming);
    expect(news).toHaveLength(1);
    expect(news[0]?.text).toMatch(
      /^Karla changed Tasting\. It was on .*18:00 to 21:00, UTC, and is now on .*19:00 to 22:00, UTC\./,
    );
    expect(news[0]?.text).toContain('is now at Rua Nova 3.');
    expect(await newsOf(not)).toEqual([]);
  });

  test('is for whoever is logged in, and pages that are no page are refused', async () => {
    const consumer = await newConsumer();
    expect((await daybook.visitor().api('GET', '/api/Account/GetNews')).status).toBe(401);
    expect((await consumer.api('GET', '/api/Account/GetNews?page=-1')).status).toBe(400);
    expect((await consumer.api('GET', '/api/Account/GetNews?page=9')).json).toEqual([]);
  });
});

describe('the page of news', () => {
  test('counts what is unread in the menu, until it is marked as read by a form', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slots = await publish(provider, { end: '10:30' });
    for (const slot of slots) await book(consumer, slot);
    const page = await provider.browser.visit('/news');
    expect(page.text).toContain('News (3)');
    expect((await provider.browser.visit('/')).text).toContain('News (3)');
    const after = await page.submit('Mark all as read');
    expect(after.text).not.toContain('News (');
    expect(after.text).not.toContain('Mark all as read');
    expect((await newsOf(provider)).map(({ isRead }) => isRead)).toEqual([true, true, true]);
  });

  test('costs one round trip', async () => {
    const provider = await newProvider();
    const { headers } = await provider.browser.get('/news');
    expect(headers.get('Server-Timing')).toContain('trips=1 ');
  });

  test('is not marked by whoever is logged out, nor read before it was shown', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const [first, second] = await publish(provider, { end: '10:00' });
    if (!first || !second) throw new Error('Two slots were to be published.');
    await book(consumer, first);
    const page = await provider.browser.visit('/news');
    await book(consumer, second);
    const stranger = daybook.visitor();
    await stranger.post('/news', { until: String(Date.now()) });
    expect((await newsOf(provider)).filter(({ isRead }) => isRead)).toEqual([]);
    await page.submit('Mark all as read');
    expect((await newsOf(provider)).map(({ isRead }) => isRead)).toEqual([false, true]);
  });
});
