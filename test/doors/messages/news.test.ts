import { expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { book, cancel, peopleAt, publish, type Row } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

test('news tell a provider who booked and canceled, and count in the menu until a form marks what it showed as read', async () => {
  const [provider, maya] = [await newProvider(), await newConsumer({ displayName: 'Maya Lindqvist' })];
  const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
  await book(maya, first);
  expect(await newsOf(provider)).toMatchObject([
    {
      kind: 'booked',
      isRead: false,
      link: `/view-provider/${first.id}`,
      text: expect.stringMatching(/^Maya Lindqvist booked \w+, \d+ \w+ \d{4}, 09:00 to 09:30, UTC\.$/),
    },
  ]);
  const page = await provider.browser.visit('/news');
  expect(page.headers.get('Server-Timing')).toContain('trips=1 ');
  expect(page.text).toContain('News (1)');
  await cancel(maya, first);
  await book(maya, second);
  expect((await provider.browser.visit('/')).text).toContain('News (3)');
  await daybook.visitor().post('/news', { until: String(Date.now()) });
  expect((await newsOf(provider)).map(({ isRead }) => isRead)).toEqual([false, false, false]);
  const after = await page.submit('Mark all as read');
  const news = (await newsOf(provider)).map(({ kind, isRead }) => [kind, isRead]);
  expect(news).toEqual([
    ['booked', false],
    ['canceled', false],
    ['booked', true],
  ]);
  expect((await after.submit('Mark all as read')).text).not.toMatch(/News \(|Mark all as read/);
  expect(await newsOf(maya)).toEqual([]);
});
