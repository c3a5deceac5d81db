import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, choose, deleteByHand, follow, press, see, seen, title } from './browser';
import { dayOf } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a meetup is created, answered by personal links, kept up to date, edited and called off', async () => {
    const host = await registerProvider(served, { displayName: 'Hanna Host' });
    const study = await open({ ...setting, as: host });
    await createByHand(study);
    const links = await linksOf(study);
    expect(Object.keys(links)).toEqual(['Ada', 'Ben', 'Cem Çelik', 'Eve & Co']);
    // A device that nobody has logged in with.
    const hall = await open(setting);
    await accept(hall, links.Ben);
    await accept(hall, links['Cem Çelik']);
    // One changes their mind.
    await press(hall, 'Decline');
    await see(hall, 'You declined.');

    // One link is replaced: the old one is dead, the answer stays.
    await study.reload();
    await press(study, 'Replace the link of Ben');
    await see(study, 'Ben');
    await expect.poll(async () => (await linksOf(study)).Ben).not.toBe(links.Ben);
    const fresh = (await linksOf(study)).Ben ?? '';
    expectConsoleError(/status of 404/);
    await hall.goto(links.Ben ?? '');
    await see(hall, 'This link was replaced by');
    await hall.goto(fresh);
    await see(hall, 'You accepted.');

    await choose(study, 'Meetup: View');
    await title(study, 'My Meetups');
    await see(study, '1 of 4');
    await follow(study, 'Book club');
    await title(study, 'Manage meetup');
    await study.getByText('Edit', { exact: true }).click();
    await study.getByLabel('Title').fill('Film club');
    await study.getByLabel('Start time').fill('20:15');
    await study.getByLabel('End time').fill('22:00');
    await press(study, 'Save meetup');
    await seen(study.getByRole('heading', { name: 'Film club' }));
    await hall.goto(fresh);
    await seen(hall.getByRole('heading', { name: 'Film club' }));
    await see(hall, '20:15 to 22:00');

    await deleteByHand(study);
    await arrive(study, '/view-meetups');
    await hall.reload();
    await title(hall, 'Called off');
  });
});

/** Fills in the form with four names, from the menu. */
async function createByHand(page: Page): Promise<void> {
  await page.goto('/');
  await choose(page, 'Meetup: Create');
  await title(page, 'My Meetups');
  await page.getByLabel('Title').fill('Book club');
  await page.getByLabel('Date').fill(dayOf(1, 20));
  await page.getByLabel('Start time').fill('18:30');
  await page.getByLabel('End time').fill('20:00');
  await page.getByLabel('Names').fill('Ada\nBen\n\n  Cem Çelik\nEve & Co\n');
  await press(page, 'Create meetup');
  await title(page, 'Manage meetup');
}

/** The personal link of every name. */
const linksOf = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('th')?.textContent,
          row.querySelector('input[readonly]')?.getAttribute('value'),
        ]),
      ),
  );

/** Opens a personal link and accepts: two taps. */
async function accept(page: Page, address = ''): Promise<void> {
  await page.goto(address);
  await title(page, "You're Invited!");
  await see(page, 'You have not responded yet.');
  await press(page, 'Accept');
  await see(page, 'You accepted.');
  expect(await button(page, 'Accept').isDisabled()).toBe(true);
}
