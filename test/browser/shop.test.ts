import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { book, type Person, password, peopleAt, publish, type Row } from '../support/factories';
import { bringIn, openShop } from '../support/shops';
import { useServer } from '../support/use-server';
import { browsersAt, phone, press, see } from './browser';

/* The desk of a shop on a phone, and leaving and closing a shop. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { open } = browsersAt(daybook);

/** A shop of an owner and a colleague, whose names are of two tones. */
async function newShop(): Promise<{ owner: Person; colleague: Person }> {
  const [owner, colleague] = await Promise.all([
    newProvider({ displayName: 'Ana Alves' }),
    newProvider({ displayName: 'Ben Braun' }),
  ]);
  await openShop(owner, { displayName: 'Chez Ana' });
  await bringIn(owner, [colleague]);
  return { owner, colleague };
}

/** Publishes one time of somebody's, and books it. */
async function bookedAt(who: Person, start: string, end: string): Promise<Row> {
  const [slot] = (await publish(who, { start, end, len: 30 })) as [Row];
  await book(await newConsumer({ displayName: `Zoë at ${start}` }), slot);
  return slot;
}

describe.each([
  ['off', false],
  ['on', true],
])('with scripts %s', (_, script) => {
  test('the day of all is one list in time on a phone, with each name in its tone', async () => {
    const { owner, colleague } = await newShop();
    const slot = await bookedAt(owner, '10:00', '10:30');
    await bookedAt(colleague, '09:00', '09:30');
    await bookedAt(colleague, '11:00', '11:30');
    const page = await open({ as: owner, script, viewport: phone });

    await page.goto(`/shop/day?date=${encodeURIComponent(slot.date)}`);

    const entries = page.locator('.team .entry');
    const shown = await entries.evaluateAll((all) =>
      all
        .map((entry) => {
          const name = entry.querySelector('.whose') as HTMLElement;
          return {
            top: entry.getBoundingClientRect().top,
            words: entry.textContent,
            tone: getComputedStyle(name).color,
          };
        })
        .sort((one, other) => one.top - other.top),
    );
    expect(shown.map(({ words }) => /Zoë at \d\d:\d\d/.exec(words ?? '')?.[0])).toEqual([
      'Zoë at 09:00',
      'Zoë at 10:00',
      'Zoë at 11:00',
    ]);
    const [ben, ana, benAgain] = shown.map(({ tone }) => tone);
    expect([benAgain === ben, ana === ben]).toEqual([true, false]);
  });

  test('a colleague leaves, and their appointments are canceled', async () => {
    const { colleague } = await newShop();
    const slot = await bookedAt(colleague, '09:00', '09:30');
    const page = await open({ as: colleague, script });
    await page.goto('/shop');

    await page.locator('summary', { hasText: 'Leave the shop' }).click();
    await page.getByLabel('are canceled, and everybody is told').check();
    await press(page, 'Yes, leave the shop');

    await see(page, 'You have left the shop. Your book stays yours.');
    await page.goto(`/view-provider/${slot.id}`);
    await see(page, 'Canceled');
  });

  test('a colleague leaves, and their appointments stay with their book', async () => {
    const { owner, colleague } = await newShop();
    const slot = await bookedAt(colleague, '09:00', '09:30');
    const page = await open({ as: colleague, script });
    await page.goto('/shop');

    await page.locator('summary', { hasText: 'Leave the shop' }).click();
    await page.getByLabel('stay with their book').check();
    await press(page, 'Yes, leave the shop');

    await see(page, 'You have left the shop. Your book stays yours.');
    await page.goto(`/view-provider/${slot.id}`);
    await see(page, 'Zoë at 09:00');
    const day = await owner.browser.get(`/shop/day?date=${encodeURIComponent(slot.date)}`);
    expect(day.text).not.toContain('Zoë at 09:00');
  });

  test('a colleague who can’t hand all over stays, with what they chose', async () => {
    expectConsoleError(/409/);
    const { colleague } = await newShop();
    await bookedAt(colleague, '09:00', '09:30');
    const page = await open({ as: colleague, script });
    await page.goto('/shop');

    await page.locator('summary', { hasText: 'Leave the shop' }).click();
    await page.getByLabel('go to colleagues who are free then').check();
    await press(page, 'Yes, leave the shop');

    await see(page, 'Zoë at 09:00');
    expect(await page.getByLabel('go to colleagues who are free then').isChecked()).toBe(true);
  });

  test('the last owner closes the shop with their password', async () => {
    expectConsoleError(/400/);
    const owner = await newProvider();
    await openShop(owner, { displayName: 'Chez Ana' });
    const page = await open({ as: owner, script });
    await page.goto('/shop');

    await page.locator('summary', { hasText: 'Close the shop' }).click();
    await page.getByLabel('Current password', { exact: true }).fill('Wrong horse 1');
    await press(page, 'Yes, close it for good');
    await see(page, 'That is not your current password.');
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await press(page, 'Yes, close it for good');

    await see(page, 'The shop is closed. Your book stays yours.');
  });
});
