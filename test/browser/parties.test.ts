import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { password, registerProvider } from '../support/factories';
import { publishQuestions } from '../support/party-factories';
import { multipleChoice, openEnded, singleChoice } from '../support/template-factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, choose, deleteByHand, follow, press, see, seen, title } from './browser';
import { dayOf } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

const questions = [
  { questionText: 'What do you bring?', questionType: openEnded, required: true },
  { questionText: 'Do you stay?', questionType: singleChoice, options: ['All night', 'Until ten'], required: true },
  { questionText: 'What do you eat?', questionType: multipleChoice, options: ['Fish', 'Beans', 'Cake'] },
];

let tries = 0;

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a party is created, shared, answered by who registers first, edited and deleted', async () => {
    // A second try needs a name that the first has not taken.
    const name = `guest-${setting.script ? 'with' : 'without'}-script-${setting.viewport.width}-${++tries}`;
    const host = await registerProvider(served, { displayName: 'Hanna Host' });
    await publishQuestions(host, questions);
    const study = await open({ ...setting, as: host });
    const invitation = await createByHand(study);

    const sofa = await open(setting);
    await openLetter(sofa, invitation);
    await registerOnTheLetter(sofa, name);
    expect(sofa.url()).toBe(invitation);
    await answerByHand(sofa);

    await choose(study, 'Parties: View');
    await title(study, 'Your Parties');
    await follow(study, 'Midsummer night');
    await title(study, 'Party details');
    expect(await answerIn(study)).toEqual([`Gus (${name})`, 'Yes', '+2', 'A guitar', 'Until ten', 'Fish, Cake']);

    await follow(study, 'Edit');
    await title(study, 'Edit Party');
    expect(await study.getByLabel('Description').inputValue()).toBe('Under the chestnut.\nBring a chair.');
    await study.getByLabel('Title').fill('Midsummer morning');
    await study.getByLabel('Start time').fill('06:30');
    await press(study, 'Submit party');
    await see(study, 'The party is saved.');
    await sofa.goto(invitation);
    await seen(sofa.getByRole('heading', { name: 'Midsummer morning' }));
    await see(sofa, '06:30 to 02:00');
    await press(sofa, "I can't come");
    await arrive(sofa, '/');
    await study.reload();
    expect((await answerIn(study)).slice(1, 3)).toEqual(['No', '']);

    await deleteByHand(study);
    await arrive(study, '/view-parties');
    await see(study, 'No parties created');
    expectConsoleError(/status of 404/);
    await sofa.goto(invitation);
    await title(sofa, 'Called off');
  });
});

/** Fills in all of the form and returns the link to share. */
async function createByHand(page: Page): Promise<string> {
  await page.goto('/');
  await choose(page, 'Parties: Create');
  await title(page, 'Create Party');
  await page.getByLabel('Title').fill('Midsummer night');
  await page.getByLabel('Date').fill(dayOf(1, 20));
  await page.getByLabel('Start time').fill('18:30');
  await page.getByLabel('End time').fill('02:00');
  await page.getByLabel('Description').fill('Under the chestnut.\nBring a chair.');
  await page.getByLabel('Questions').selectOption({ label: 'Guests' });
  await page.getByLabel('Capacity').fill('20');
  await page.getByLabel('Plus-ones').fill('3');
  await page.getByLabel('Answer by').fill(dayOf(1, 18));
  await press(page, 'Create party');
  await arrive(page, '/');
  await see(page, 'Midsummer night is ready to be shared.');
  return page.getByLabel('Link to share').inputValue();
}

/** Opens the letter, which comes in one request. */
async function openLetter(page: Page, invitation: string): Promise<void> {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(invitation, { waitUntil: 'networkidle' });
  expect(requests.filter((url) => !url.includes('/favicon'))).toEqual([invitation]);
  await title(page, "You're Invited!");
  await see(page, '18:30 to 02:00');
  expect(await button(page, 'RSVP').count()).toBe(0);
}

async function registerOnTheLetter(page: Page, username: string): Promise<void> {
  await follow(page, 'Register');
  await arrive(page, '/register');
  await page.getByLabel('Full name or company name').fill('Gus');
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
  await page.getByRole('radio', { name: 'Until ten' }).check();
  await press(page, 'RSVP');
  await arrive(page, '/');
  await see(page, 'You are going to Midsummer night, with 2 more.');
}

/** The only answer of the RSVP table. */
const answerIn = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'RSVPs' })
    .locator('tbody tr')
    .evaluate((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? ''));
