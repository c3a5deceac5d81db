import { expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { book, cancel, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* What a provider hears of bookings on the page of news, and in the menu. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

/** A provider with two open times, and a client who has booked the first of them. */
async function booked() {
  const [provider, maya] = await Promise.all([newProvider(), newConsumer({ displayName: 'Maya Lindqvist' })]);
  const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
  await book(maya, first);
  return { provider, maya, first, second };
}
const readOf = async (who: Person) => (await newsOf(who)).map(({ isRead }) => isRead);

test('news tell a provider who booked, and when', async () => {
  const { provider, first } = await booked();

  expect(await newsOf(provider)).toMatchObject([
    {
      kind: 'booked',
      isRead: false,
      link: `/view-provider/${first.id}`,
      text: expect.stringMatching(/^Maya Lindqvist booked \w+, \d+ \w+ \d{4}, 09:00 to 09:30, UTC\.$/),
    },
  ]);
});

test('news tell a provider who canceled', async () => {
  const { provider, maya, first } = await booked();

  await cancel(maya, first);

  expect((await newsOf(provider)).map(({ kind }) => kind)).toEqual(['canceled', 'booked']);
});

test('news tell nobody what they did themselves', async () => {
  const { maya, first } = await booked();

  await cancel(maya, first);

  expect(await newsOf(maya)).toEqual([]);
});

test('the page of news takes one trip to the book', async () => {
  const { provider } = await booked();

  const page = await provider.browser.visit('/news');

  expect(page.headers.get('Server-Timing')).toContain('trips=1 ');
});

test('the menu counts the news that are not read', async () => {
  const { provider, maya, first, second } = await booked();
  expect((await provider.browser.visit('/')).text).toContain('News (1)');

  await cancel(maya, first);
  await book(maya, second);

  expect((await provider.browser.visit('/')).text).toContain('News (3)');
});

test('a form marks as read what it showed, not what came since', async () => {
  const { provider, maya, first, second } = await booked();
  const page = await provider.browser.visit('/news');
  await cancel(maya, first);
  await book(maya, second);

  await page.submit('Mark all as read');

  expect((await newsOf(provider)).map(({ kind, isRead }) => `${kind}, ${isRead ? 'read' : 'not read'}`)).toEqual([
    'booked, not read',
    'canceled, not read',
    'booked, read',
  ]);
});

test('once all is read, the menu counts nothing and the page has nothing to mark', async () => {
  const { provider } = await booked();

  const page = await (await provider.browser.visit('/news')).submit('Mark all as read');

  expect(page.text).not.toContain('News (');
  expect(page.text).not.toContain('Mark all as read');
});

test('a visitor who is not logged in marks nothing as read', async () => {
  const { provider } = await booked();

  await daybook.visitor().post('/news', { until: String(Date.now()) });

  expect(await readOf(provider)).toEqual([false]);
});
