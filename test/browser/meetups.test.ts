import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, choose, follow, link, press, see, seen, title, vanished } from './browser';
import { dayOf, fullName } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

const day = dayOf(1, 20);
const names = ['Ada Okafor', 'Ben', 'Cem Çelik', 'Dora', 'Eve & Co'];

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a meetup is created, answered by personal links, kept up to date, edited and called off', async () => {
    const host = await registerProvider(served, { displayName: 'Hanna Host' });
    const study = await open({ ...setting, as: host, permissions: ['clipboard-read', 'clipboard-write'] });
    await createByHand(study);
    const links = await linksOf(study);
    expect(Object.keys(links)).toEqual(names);
    for (const [name, address] of Object.entries(links)) {
      expect(address.startsWith(`${served.url}/meetup-rsvp/`)).toBe(true);
      expect(new URL(address).searchParams.get('name')).toBe(name);
    }
    if (setting.script) await copyLink(study, 'Dora', links.Dora ?? '');
    else expect(await button(study, 'Copy link').count()).toBe(0);

    // A device that nobody has logged in with.
    const hall = await open(setting);
    await answer(hall, links.Ben, 'Ben', 'Accept');
    await answer(hall, links['Cem Çelik'], 'Cem Çelik', 'Decline');
    await answer(hall, links['Ada Okafor'], 'Ada Okafor', 'Accept');
    await study.reload();
    const [yes, no, none] = ['Yes', 'No', 'Not Answered'];
    const answers = { 'Ada Okafor': yes, Ben: yes, 'Cem Çelik': no, Dora: none, 'Eve & Co': none };
    expect(await answersIn(study)).toEqual(Object.entries(answers));

    // One changes their mind.
    await press(hall, 'Decline');
    await see(hall, 'You declined.');
    expect(await button(hall, 'Decline').isDisabled()).toBe(true);

    // One link is replaced: the old one is dead, the answer stays.
    await press(study, 'Replace the link of Ben');
    await see(study, 'Ben');
    await expect.poll(async () => (await linksOf(study)).Ben).not.toBe(links.Ben);
    const fresh = (await linksOf(study)).Ben ?? '';
    expectConsoleError(/status of 404/);
    await hall.goto(links.Ben ?? '');
    await see(hall, 'This link was replaced by');
    await hall.goto(fresh);
    await see(hall, 'You accepted.');
    expect(await button(hall, 'Accept').isDisabled()).toBe(true);

    // One name is removed, and two are added.
    await press(study, 'Remove Eve & Co');
    await vanished(rowOf(study, 'Eve & Co'));
    await study.getByText('Add names', { exact: true }).first().click();
    await study.getByLabel('More names').fill('Farid\nGrete\n');
    await press(study, 'Add names');
    await seen(rowOf(study, 'Grete'));
    await hall.goto(links['Eve & Co'] ?? '');
    await see(hall, "Sorry, we couldn't find your invitation.");

    await choose(study, 'Meetup: View');
    await title(study, 'My Meetups');
    await see(study, '1 of 6');
    await follow(study, 'Book club');
    await title(study, 'Manage meetup');
    const last = { Ben: yes, 'Ada Okafor': no, 'Cem Çelik': no, Dora: none, Farid: none, Grete: none };
    expect(await answersIn(study)).toEqual(Object.entries(last));

    await study.getByText('Edit', { exact: true }).click();
    expect(await study.getByLabel('Date').inputValue()).toBe(day);
    await study.getByLabel('Title').fill('Film club');
    await study.getByLabel('Start time').fill('20:15');
    await study.getByLabel('End time').fill('22:00');
    await press(study, 'Save meetup');
    await seen(study.getByRole('heading', { name: 'Film club' }));
    await hall.goto(fresh);
    await seen(hall.getByRole('heading', { name: 'Film club' }));
    await see(hall, '20:15 to 22:00');

    await deleteByHand(study);
    await hall.reload();
    await title(hall, 'Called off');
    await see(hall, 'has called off this meetup');
  });
});

/** Fills in the form with five names, from the menu. */
async function createByHand(page: Page): Promise<void> {
  await page.goto('/');
  await choose(page, 'Meetup: Create');
  await title(page, 'My Meetups');
  await page.getByLabel('Title').fill('Book club');
  await page.getByLabel('Date').fill(day);
  await page.getByLabel('Start time').fill('18:30');
  await page.getByLabel('End time').fill('20:00');
  await page.getByLabel('Address').fill('Rua da Rosa 5, Lisboa');
  await page.getByLabel('Map link').fill('https://maps.example.org/rosa');
  await page.getByLabel('Names').fill(`${names.slice(0, 3).join('\n')}\n\n  ${names.slice(3).join('\n')}\n`);
  await press(page, 'Create meetup');
  await title(page, 'Manage meetup');
  for (const words of ['Hanna Host', fullName(day), '18:30', '20:00']) {
    await seen(page.getByRole('definition').filter({ hasText: words }));
  }
  const map = link(page, 'Rua da Rosa 5, Lisboa (new tab)');
  expect(await map.getAttribute('href')).toBe('https://maps.example.org/rosa');
  expect(await map.getAttribute('rel')).toContain('noreferrer');
}

/** Thinks twice, in the dialog. */
async function deleteByHand(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Delete “.+”\? Its links will say that you called it off\.$/ });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await arrive(page, '/view-meetups');
  expect(await link(page, 'Film club').count()).toBe(0);
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

/** The personal link of every name. */
const linksOf = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('th')?.textContent ?? '',
          row.querySelector<HTMLInputElement>('input[readonly]')?.value ?? '',
        ]),
      ),
  );

/** What every name has answered, in the order of the list. */
const answersIn = (page: Page): Promise<(string | undefined)[][]> =>
  page
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector('th')?.textContent ?? '',
        row.querySelector('td')?.textContent?.match(/Yes|Not Answered|No/)?.[0],
      ]),
    );

/** Copies a name's link by a click; the button says so for a while. */
async function copyLink(page: Page, name: string, expected: string): Promise<void> {
  const row = rowOf(page, name);
  await row.getByRole('button', { name: /^Copy link\s?: Link for / }).click();
  await seen(row.getByText('Copied!'));
  expect(await page.getByText('Copied!').count()).toBe(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(expected);
  await seen(row.getByRole('button', { name: /^Copy link\s?: Link for / }));
}

/** Opens a personal link and answers: two taps. */
async function answer(page: Page, address = '', name: string, how: 'Accept' | 'Decline'): Promise<void> {
  await page.goto(address);
  await seen(page.getByRole('heading', { level: 1, name: "You're Invited!" }));
  await seen(page.getByRole('main').getByText(name, { exact: true }));
  await see(page, 'You have not responded yet.');
  await press(page, how);
  await see(page, how === 'Accept' ? 'You accepted.' : 'You declined.');
  expect(await page.title()).toMatch(how === 'Accept' ? /^You accepted · .+ · Daybook$/ : /^You declined · /);
  expect(await link(page, 'Add to calendar').count()).toBe(how === 'Accept' ? 1 : 0);
  expect(await button(page, how).isDisabled()).toBe(true);
  expect(await button(page, how === 'Accept' ? 'Decline' : 'Accept').isEnabled()).toBe(true);
}
