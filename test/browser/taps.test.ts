import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { book, look, password, publish, publishOne, type Row, registerConsumer, writeSlot } from '../support/factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, link, phone, see, seen, title } from './browser';
import { dayOf, wire } from './calendar';

/* How many taps the jobs of every day take, on a phone. To type into a field that is there is no tap. */

const served = useServer();
const { karla, host } = useWorld(served, { karla: {}, host: {} });
const { open, keepOpen } = browsersAt(served);

let tries = 0;

/** Taps, and counts them. */
function counter() {
  let taps = 0;
  return {
    async tap(what: Locator) {
      taps += 1;
      await what.click();
    },
    /** A field filled in is an action where all actions count. */
    async type(what: Locator, words: string) {
      taps += 1;
      await what.fill(words);
    },
    get count() {
      return taps;
    },
  };
}

/** The tabs at the thumb. */
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Opened most' }).getByRole('link', { name });

test('from registration to a page to share is nine actions or fewer, fields and all', async () => {
  const name = `taps-${++tries}-${Date.now().toString(36)}`;
  const page = await open({ viewport: phone });
  await page.goto('/register');
  await page.getByLabel('Full name or company name').fill('Corner Barber');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('City').fill('Lisbon');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Register').click();
  await arrive(page, '/profile');
  const actions = counter();
  await actions.tap(tab(page, /Today/));
  await actions.tap(link(page, 'Begin: what you offer'));
  await actions.type(page.getByLabel('Name', { exact: true }), 'Cut');
  await actions.type(page.getByLabel('Length in minutes'), '30');
  await actions.tap(button(page, 'Add service'));
  await see(page, 'Your services are saved.');
  await actions.tap(link(page, 'Next: when'));
  await title(page, 'Hours');
  await actions.tap(button(page, 'Save'));
  await arrive(page, '/your-page');
  expect(await page.getByLabel('Your booking link').inputValue()).toBe(`${served.url}/with/${name}`);
  expect(actions.count).toBeLessThanOrEqual(9);
  const guest = await open({ viewport: phone });
  await guest.goto(`/with/${name}`);
  await seen(guest.locator('.slots a').first());
});

test("after a login's second step today's list is there, and the tab of the week opens it at now, without script", async () => {
  const client = await registerConsumer(served);
  // What has begun a minute ago is on the list of today, or of the day that has just ended, and begins the week's picture.
  const slot = await writeSlot(served.d1, host, { startsIn: -1, length: 5, booker: client });
  const page = await open({ viewport: phone, script: false });
  const isOnScreen = async (what: Locator) => {
    const { y = -1 } = (await what.boundingBox()) ?? {};
    return y > 0 && y < phone.height;
  };
  await page.goto('/login');
  await page.getByLabel('Username').fill(host.username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Log in').click();
  await arrive(page, '/profile');
  await tab(page, /Today/).click();
  await title(page, 'Today');
  const line = page.locator(`main a[href="/view-provider/${slot.id}"]`).first();
  await seen(line);
  expect(await isOnScreen(line)).toBe(true);
  await tab(page, /Week/).click();
  await title(page, 'Week');
  await expect.poll(() => isOnScreen(page.locator('#now'))).toBe(true);
});

test('a walk-in is three taps', async () => {
  const slot = await publishOne(karla, { dates: [wire(dayOf(1, 10))] });
  const page = await keepOpen({ as: karla, viewport: phone });
  const taps = counter();
  await page.goto('/');
  await taps.tap(link(page, 'Book for someone'));
  await title(page, 'Free times');
  await taps.tap(page.getByRole('link', { name: /^Book for someone, / }));
  await page.getByLabel('Name', { exact: true }).fill('Senhor Albano');
  await taps.tap(button(page, 'Book for them'));
  await see(page, /Senhor Albano/);
  await expect.poll(async () => ((await look(karla, slot)).json as Row).status).toBe(1);
  expect(taps.count).toBeLessThanOrEqual(3);
});

test("a client is moved in three taps from their booking's page", async () => {
  const client = await registerConsumer(served);
  const slots = await publish(karla, { dates: [wire(dayOf(1, 12))], start: '09:00', end: '10:00' });
  const [first, second] = slots as [Row, Row];
  await book(client, first);
  const page = await keepOpen({ as: karla, viewport: phone });
  const taps = counter();
  await page.goto(`/view-provider/${first.id}`);
  await taps.tap(link(page, 'Move'));
  await arrive(page, `/move/${first.id}`);
  await taps.tap(page.locator(`main :is([formaction$="/${second.id}"], a[href$="/${second.id}"])`).first());
  await see(page, /moved/i);
  expect(taps.count).toBeLessThanOrEqual(3);
  expect((await look(karla, second)).json).toMatchObject({ status: 1, bookerName: client.displayName });
});

test('a week of holidays is two taps', async () => {
  await karla.api('PUT', '/api/Appointment/SetHours', { hours: [{ day: 1, start: '09:00', end: '12:00' }] });
  const page = await keepOpen({ as: karla });
  const taps = counter();
  await page.goto('/');
  await taps.tap(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Hours' }));
  await title(page, 'Hours');
  await page.getByLabel('Date 1', { exact: true }).fill(dayOf(1, 10));
  await page.getByLabel('Last day (optional)').first().fill(dayOf(1, 16));
  await taps.tap(button(page, 'Save'));
  await see(page, 'Your hours are saved.');
  expect(taps.count).toBeLessThanOrEqual(2);
  const { json } = await karla.api('GET', '/api/Appointment/GetHours');
  expect((json as { except: object[] }).except).toEqual([
    { date: wire(dayOf(1, 10)), to: wire(dayOf(1, 16)), hours: [] },
  ]);
});
