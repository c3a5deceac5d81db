import { expect, test } from 'vitest';
import { peopleAt } from '../support/factories';
import { createCard } from '../support/people';
import { useServer } from '../support/use-server';
import { browsersAt, link, phone, untilSeen } from './browser';

const served = useServer();
const { open } = browsersAt(served);
const { newProvider } = peopleAt(served);

test.each([true, false])(
  'a link to WhatsApp asks nobody else for anything before it is pressed, scripts %s',
  async (script) => {
    const host = await newProvider();
    await createCard(host, { name: 'Wanda', phone: '+49 151 2345678' });
    const page = await open({ as: host, script, viewport: phone });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(served.url)) elsewhere.push(request.url());
    });

    await page.goto('/people');
    await untilSeen(link(page, 'WhatsApp Wanda'));
    await link(page, 'WhatsApp Wanda').focus();
    await page.waitForLoadState('networkidle');

    expect(elsewhere).toEqual([]);
  },
);

test('a link to WhatsApp opens with the words and without where it was pressed', async () => {
  const host = await newProvider({ displayName: 'Ines' });
  await createCard(host, { name: 'Wanda', phone: '+49 151 2345678' });
  const page = await open({ as: host, viewport: phone });
  const asked: { url: string; referer: string | undefined }[] = [];
  await page.route('https://wa.me/**', (route) => {
    asked.push({ url: route.request().url(), referer: route.request().headers().referer });
    return route.fulfill({ status: 204 });
  });
  await page.goto('/people');

  await link(page, 'WhatsApp Wanda').press('Enter');

  await expect.poll(() => asked.length).toBe(1);
  expect(decodeURIComponent(asked[0]?.url ?? '')).toBe(
    `https://wa.me/491512345678?text=Ines:\n${served.url}/with/${host.username}`,
  );
  expect(asked[0]?.referer).toBeUndefined();
});
