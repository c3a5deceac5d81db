import { describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import type { Row } from '../../support/factories';
import { book, cancel, peopleAt, publish, publishOne } from '../../support/factories';
import { edit } from '../../support/party-calls';
import { createParty, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { karla, maya } = useWorld(daybook, { karla: {}, maya: {} });

describe('news', () => {
  test('tells a provider who booked and canceled, and when, in words', async () => {
    const slot = await publishOne(karla);
    await book(maya, slot);
    const [booked] = await newsOf(karla);
    expect(booked).toMatchObject({ kind: 'booked', isRead: false, link: `/view-provider/${slot.id}` });
    expect(booked?.text).toMatch(/^Maya Lindqvist booked \w+, \d+ \w+ \d{4}, 09:00 to 09:30, UTC\.$/);
    await cancel(maya, slot);
    expect((await newsOf(karla)).map(({ kind }) => kind)).toEqual(['canceled', 'booked']);
    expect(await newsOf(maya)).toEqual([]);
  });

  test('tells the host of answers to a party once a day, with how many they are', async () => {
    const host = await newProvider();
    const party = await createParty(host, { title: 'Open evening' });
    for (const accepted of [true, false, true]) await rsvp(await newConsumer(), party, { accepted });
    const text = '3 people have answered Open evening.';
    expect(await newsOf(host)).toMatchObject([{ kind: 'rsvps', text, link: `/view-party/${party.id}` }]);
  });

  test('tells guests who are coming what was and what is, and not those who declined', async () => {
    const [coming, not] = [await newConsumer(), await newConsumer()];
    const party = await createParty(karla, { title: 'Tasting' });
    await rsvp(coming, party);
    await rsvp(not, party, { accepted: false });
    const change = { startTime: '19:00', endTime: '23:00', address: 'Rua Nova 3' };
    for (const _ of ['once', 'again']) expect((await edit(karla, party, change)).status).toBe(200);
    const [line, ...others] = await newsOf(coming);
    expect(others).toEqual([]);
    expect(line?.text).toMatch(
      /^Karla changed Tasting\. It was on .*18:00 to 22:00, UTC, and is now on .*19:00 to 23:00, UTC\./,
    );
    expect(line?.text).toContain('is now at Rua Nova 3.');
    expect(await newsOf(not)).toEqual([]);
  });
});

test('the page of news counts what is unread in the menu, until a form marks what it showed as read', async () => {
  const provider = await newProvider();
  const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
  await book(maya, first);
  const page = await provider.browser.visit('/news');
  expect(page.headers.get('Server-Timing')).toContain('trips=1 ');
  expect(page.text).toContain('News (1)');
  await book(maya, second);
  expect((await provider.browser.visit('/')).text).toContain('News (2)');
  await daybook.visitor().post('/news', { until: String(Date.now()) });
  expect((await newsOf(provider)).map(({ isRead }) => isRead)).toEqual([false, false]);
  const after = await page.submit('Mark all as read');
  expect((await newsOf(provider)).map(({ isRead }) => isRead)).toEqual([false, true]);
  const all = await after.submit('Mark all as read');
  expect(all.text).not.toContain('News (');
  expect(all.text).not.toContain('Mark all as read');
});
