import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { password, registerProvider } from '../support/factories';
import { publishQuestions } from '../support/party-factories';
import { multipleChoice, openEnded, singleChoice } from '../support/template-factories';
import { useServer } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  choose,
  factsOf,
  follow,
  link,
  press,
  see,
  seen,
  title,
  vanished,
} from './browser';
import { dayOf, fullName } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

const day = dayOf(1, 20);
const questions = [
  { questionText: 'What do you bring?', questionType: openEnded, required: true },
  { questionText: 'Do you stay?', questionType: singleChoice, options: ['All night', 'Until ten'], required: true },
  { questionText: 'What do you eat?', questionType: multipleChoice, options: ['Fish', 'Beans', 'Cake'] },
];

let tries = 0;

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  const { script, viewport } = setting;

  test('a party is created, shared, answered by who registers first, changed, edited and deleted', async () => {
    // A second try needs a name that the first has not taken.
    const name = `${script ? 'with' : 'without'}-script-${viewport.width}-${++tries}`;
    const host = await registerProvider(served, { displayName: 'Hanna Host' });
    await publishQuestions(host, questions);
    const study = await open({ ...setting, as: host, permissions: ['clipboard-read', 'clipboard-write'] });
    const invitation = await createByHand(study);
    if (script) await copyLink(study, invitation);

    const sofa = await open(setting);
    await openLetter(sofa, invitation);
    await registerOnTheLetter(sofa, `guest-${name}`);
    expect(sofa.url()).toBe(invitation);
    await answerByHand(sofa);

    await choose(study, 'Parties: View');
    await title(study, 'Your Parties');
    await see(study, '1 RSVP(s)');
    await follow(study, 'Midsummer night');
    await title(study, 'Party details');
    expect(await tableOf(study)).toEqual([
      ['Guest', 'Accepted', 'Brings', ...questions.map(({ questionText }) => questionText)],
      [`Gus guest-${name} (guest-${name})`, 'Yes', '+2', 'A guitar', 'Until ten', 'Fish, Cake'],
    ]);

    await changeByHand(sofa, invitation);
    await study.reload();
    expect((await tableOf(study))[1]?.slice(1)).toEqual(['Yes', '', 'A guitar', 'All night', 'Fish, Beans, Cake']);

    await editByHand(study);
    await sofa.goto(invitation);
    await seen(sofa.getByRole('heading', { name: 'Midsummer morning' }));
    await see(sofa, '06:30 to 02:00');
    await see(sofa, 'You are going');

    await press(sofa, "I can't come");
    await arrive(sofa, '/');
    await see(sofa, "Hanna Host knows that you can't come.");
    await sofa.goto(invitation);
    await see(sofa, 'You said no.');
    expect(await link(sofa, 'Add to calendar').count()).toBe(0);
    await study.reload();
    expect((await tableOf(study))[1]?.slice(1, 3)).toEqual(['No', '']);

    await deleteByHand(study);
    expectConsoleError(/status of 404/);
    await sofa.goto(invitation);
    await title(sofa, 'Called off');
    await see(sofa, 'Hanna Host');
  });
});

/** Fills in all of the form and returns the link to share. */
async function createByHand(page: Page): Promise<string> {
  await page.goto('/');
  await choose(page, 'Parties: Create');
  await title(page, 'Create Party');
  await page.getByLabel('Title').fill('Midsummer night');
  await page.getByLabel('Date').fill(day);
  await page.getByLabel('Start time').fill('18:30');
  await page.getByLabel('End time').fill('02:00');
  await page.getByLabel('Description').fill('Under the chestnut.\nBring a chair.');
  await page.getByLabel('Address').fill('Rua da Rosa 5, Lisboa');
  await page.getByLabel('Questions').selectOption({ label: 'Guests' });
  await page.getByLabel('Capacity').fill('20');
  await page.getByLabel('Plus-ones').fill('3');
  await page.getByLabel('Answer by').fill(dayOf(1, 18));
  await press(page, 'Create party');
  await arrive(page, '/');
  await see(page, 'Midsummer night is ready to be shared.');
  const shared = await page.getByLabel('Link to share').inputValue();
  expect(shared).toMatch(/^http:\/\/[^/]+\/party\/[\w-]{22}$/);
  expect(shared.startsWith(`${served.url}/`)).toBe(true);
  return shared;
}

/** Copies the link on the page that says who is coming. */
async function copyLink(page: Page, expected: string): Promise<void> {
  await follow(page, 'See who is coming');
  await title(page, 'Party details');
  await see(page, 'No RSVPs');
  await press(page, 'Copy link');
  await see(page, 'Copied!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(expected);
  await seen(button(page, 'Copy link'));
  await vanished(page.getByText('Copied!'));
}

/** Opens the letter, which comes in one request. */
async function openLetter(page: Page, invitation: string): Promise<void> {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(invitation, { waitUntil: 'networkidle' });
  expect(requests.filter((url) => !url.includes('/favicon'))).toEqual([invitation]);
  await seen(page.getByRole('heading', { level: 1, name: "You're Invited!" }));
  await seen(page.getByRole('heading', { name: 'Midsummer night' }));
  for (const words of ['Hanna Host', fullName(day), '18:30 to 02:00', 'Rua da Rosa 5, Lisboa', 'Under the chestnut.']) {
    await see(page, words);
  }
  expect(await button(page, 'RSVP').count()).toBe(0);
}

async function registerOnTheLetter(page: Page, username: string): Promise<void> {
  await follow(page, 'Register');
  await arrive(page, '/register');
  await page.getByLabel('Full name or company name').fill(`Gus ${username}`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
  await page.waitForURL('**/party/*');
}

/** Leaves a required answer out first. */
async function answerByHand(page: Page): Promise<void> {
  await follow(page, 'RSVP');
  await page.getByLabel('What do you bring?').fill('A guitar');
  await page.getByRole('checkbox', { name: 'Fish' }).check();
  await page.getByRole('checkbox', { name: 'Cake' }).check();
  await page.getByLabel('How many do you bring?').fill('2');
  expectConsoleError(/status of 400/);
  await press(page, 'RSVP');
  await see(page, 'needs an answer.');
  expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A guitar');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  expect(await page.getByLabel('How many do you bring?').inputValue()).toBe('2');
  await page.getByRole('radio', { name: 'Until ten' }).check();
  await press(page, 'RSVP');
  await arrive(page, '/');
  await see(page, 'You are going to Midsummer night, with 2 more.');
  await seen(link(page, 'Add to calendar'));
}

async function changeByHand(page: Page, invitation: string): Promise<void> {
  await follow(page, 'Change your answer');
  await page.waitForURL(invitation);
  await see(page, 'You are going, and bring 2 more.');
  await follow(page, 'Change my answer');
  expect(await page.getByLabel('What do you bring?').inputValue()).toBe('A guitar');
  expect(await page.getByRole('radio', { name: 'Until ten' }).isChecked()).toBe(true);
  expect(await page.getByLabel('How many do you bring?').inputValue()).toBe('2');
  await page.getByRole('radio', { name: 'All night' }).check();
  await page.getByRole('checkbox', { name: 'Beans' }).check();
  await page.getByLabel('How many do you bring?').fill('0');
  await press(page, 'Save my answer');
  await arrive(page, '/');
  await see(page, 'You are going to Midsummer night.');
}

async function editByHand(page: Page): Promise<void> {
  await follow(page, 'Edit');
  await title(page, 'Edit Party');
  expect(await page.getByLabel('Date').inputValue()).toBe(day);
  expect(await page.getByLabel('End time').inputValue()).toBe('02:00');
  expect(await page.getByLabel('Description').inputValue()).toBe('Under the chestnut.\nBring a chair.');
  await page.getByLabel('Title').fill('Midsummer morning');
  await page.getByLabel('Start time').fill('06:30');
  await page.getByLabel('Capacity').fill('');
  await press(page, 'Submit party');
  await page.waitForURL('**/view-party/*');
  await title(page, 'Party details');
  await see(page, 'The party is saved.');
  expect(await factsOf(page)).toMatchObject({
    Provider: 'Hanna Host',
    Start: '06:30',
    End: '02:00',
    Date: fullName(day),
    Description: 'Under the chestnut.\nBring a chair.',
    Location: 'Rua da Rosa 5, Lisboa\u00a0↗ (new tab)',
    Going: '1',
  });
}

/** Thinks twice, in the dialog. */
async function deleteByHand(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', {
    name: /^Delete “.+” and all its answers\? Its link will say that you called it off\.$/,
  });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await arrive(page, '/view-parties');
  await see(page, 'No parties created');
  await seen(link(page, 'Create a party').last());
}

/** The RSVP table, row by row. */
const tableOf = (page: Page): Promise<string[][]> =>
  page
    .getByRole('region', { name: 'RSVPs' })
    .locator('tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    );
