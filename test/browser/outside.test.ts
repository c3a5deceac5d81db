import { describe, expect, test } from 'vitest';
import { bookFor } from '../support/appointment-calls';
import { password, peopleAt, publish, type Row } from '../support/factories';
import { createService } from '../support/services';
import { useServer } from '../support/use-server';
import { useReceiver } from '../support/webhook-receiver';
import { browsersAt, press, see } from './browser';
import { scriptsFirst } from './journeys';

/* A provider gives programs a key, a webhook and a calendar, and notes that a deposit has come. */

const daybook = useServer({ vars: { ASK_LOOPBACK: 'on' } });
const receiver = useReceiver();
const { newProvider } = peopleAt(daybook);
const { open } = browsersAt(daybook);

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('a key is made, opens the account, and is ended', async () => {
    const host = await newProvider();
    const page = await open({ as: host, script });
    await page.goto('/keys');
    await page.getByLabel('Name').fill('Till');
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await press(page, 'Make the key');
    await see(page, 'Your new key');
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    const call = () => fetch(`${daybook.url}/api/Account/Profile`, { headers: { authorization: `Bearer ${key}` } });

    const before = await call();
    await page.goto('/keys');
    await page.getByRole('button', { name: /^End/ }).click();
    await see(page, 'That key is ended.');

    expect([before.status, (await call()).status]).toEqual([200, 401]);
  });

  test('a webhook is made, hears of a test and of a booking, and is told again', async () => {
    const host = await newProvider();
    const program = receiver.add();
    const page = await open({ as: host, script });
    await page.goto('/webhooks');
    await page.getByLabel('Address of your program').fill(program.url);
    await press(page, 'Make the webhook');
    await page.getByRole('link', { name: 'Send a test' }).click();
    await page.getByText('What it was told').waitFor();
    await press(page, 'Send a test');
    await expect.poll(() => program.types()).toEqual(['test']);
    const [slot] = await publish(host, {});
    await bookFor(host, slot as Row, { displayName: 'Ole' });
    await expect.poll(() => program.types()).toEqual(['test', 'booked']);
    await page.reload();

    await page.getByRole('button', { name: /^Send again: .*booked/i }).click();

    await expect.poll(() => program.types()).toEqual(['test', 'booked', 'booked']);
  });

  test('a deposit is asked for, and marked as paid', async () => {
    const host = await newProvider();
    await host.api('PUT', '/api/Account/SetProfile', { payLink: 'https://pay.example/karla' });
    const service = await createService(host, { name: 'Cut', deposit: '10 €' });
    const [slot] = await publish(host, { start: '09:00', end: '11:00' });
    const guest = await open({ script });
    await guest.goto(`/with/${host.username}/${(slot as Row).id}?service=${service.id}`);
    await guest.getByLabel('Your name').fill('Wanda');
    await press(guest, 'Book');
    await see(guest, 'Please pay the deposit');
    const page = await open({ as: host, script });
    await page.goto(`/details-provider/${(slot as Row).id}`);

    await press(page, 'The deposit of 10 € has come');
    await page.locator('[aria-pressed=true]', { hasText: 'has come' }).waitFor();

    await guest.reload();
    await see(guest, 'The deposit of 10 € has come.');
  });

  test('both calendar links are made, and lead into programs, of which none is asked before', async () => {
    const page = await open({ as: await newProvider(), script });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto('/calendar');
    await press(page, 'Make my calendar link');
    await see(page, 'Your calendar link');

    const own = await page.getByLabel('Link to copy', { exact: true }).inputValue();
    const busy = await page.getByLabel('Busy link to copy').inputValue();
    const leads = await page
      .locator('main a[href^="webcal:"], main a[href^="https:"]')
      .evaluateAll((links) => links.map((link) => decodeURIComponent(link.getAttribute('href') ?? '')));

    const ofFeed = (feed: string) => [
      feed.replace('http:', 'webcal:'),
      `https://calendar.google.com/calendar/r?cid=${feed.replace('http:', 'webcal:')}`,
      `https://outlook.live.com/calendar/0/addfromweb?url=${feed}`,
    ];
    expect(leads).toEqual([...ofFeed(own), ...ofFeed(busy)]);
    expect((await fetch(own)).status).toBe(200);
    expect(new Set(asked)).toEqual(new Set([daybook.url]));
  });
});
