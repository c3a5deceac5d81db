import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { peopleAt, publish, type Row } from '../support/factories';
import { createService } from '../support/services';
import { useServer } from '../support/use-server';
import { browsersAt, phone, press, see } from './browser';

/* Booking what takes place by phone or at the client's, on a phone, and offering what is by video. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { open } = browsersAt(daybook);

/** The booking form of a stranger for the first time of a service that takes place there. */
async function openForm(where: string, script: boolean) {
  const host = await newProvider({ displayName: 'Karla Haar' });
  const service = await createService(host, { name: 'Talk', where });
  const [slot] = await publish(host, { start: '09:00', end: '11:00' });
  const page = await open({ script, viewport: phone });
  await page.goto(`/with/${host.username}/${(slot as Row).id}?service=${service.id}`);
  await page.getByLabel('Your name').fill('Wanda');
  return page;
}

describe.each([
  ['off', false],
  ['on', true],
])('with scripts %s', (_, script) => {
  test('a provider offers a video call, and only whoever has booked has its link', async () => {
    const host = await newProvider();
    await publish(host, { start: '09:00', end: '11:00' });
    const page = await open({ as: host, script });
    await page.goto('/services');
    await page.getByLabel('Name', { exact: true }).fill('Talk');
    await page.getByLabel('Length in minutes').fill('30');
    await page.getByText('Gap, places, where, description and questions').click();
    await page.getByLabel('Where', { exact: true }).selectOption('video');
    await page.getByLabel('Link of the video call').fill('https://video.test/room');
    await press(page, 'Add service');
    await see(page, 'Talk');
    const guest = await open({ script, viewport: phone });
    await guest.goto(`/with/${host.username}`);
    await guest.getByRole('link', { name: /^Next free/ }).click();
    await guest.getByLabel('Your name').fill('Wanda');
    const before = await guest.locator('main').innerText();

    await press(guest, 'Book');
    await see(guest, 'Booked for Wanda.');

    expect(before).not.toContain('video.test');
    expect(await guest.locator('main a[href="https://video.test/room"]').count()).toBe(1);
  });

  test('a guest who is called gives a number', async () => {
    const page = await openForm('phone', script);

    await see(page, 'By phone: you are called');
    await page.getByLabel('Phone').fill('+351 910 000 001');
    await press(page, 'Book');

    expect(new URL(page.url()).pathname).toMatch(/^\/booking\//);
    await see(page, 'By phone: you are called');
  });

  test('a guest who is visited gives the address', async () => {
    const page = await openForm('theirs', script);

    await page.getByLabel('Your address').fill('Linden 5');
    await press(page, 'Book');

    expect(new URL(page.url()).pathname).toMatch(/^\/booking\//);
    await see(page, 'At your address');
    await see(page, 'Linden 5');
  });

  test('a form without the address comes back with what is missing, and with the rest as it was typed', async () => {
    const page = await openForm('theirs', script);
    await page.getByLabel('Your name').fill('Ines Costa');
    expectConsoleError(/status of 400/);

    await press(page, 'Book');

    await see(page, 'Please give the address: the appointment takes place there.');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ines Costa');
  });
});
