import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerProvider } from '../support/factories';
import { publishQuestions } from '../support/party-factories';
import { multipleChoice, openEnded, singleChoice } from '../support/template-factories';
import { useServer } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  choose,
  deleteByHand,
  follow,
  newName,
  press,
  registerByHand,
  see,
  seen,
  title,
} from './browser';
import { dayOf } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

const questions = [
  { questionText: 'What do you bring?', questionType: openEnded, required: true },
  { questionText: 'Do you stay?', questionType: singleChoice, options: ['All night', 'Until ten'], required: true },
  { questionText: 'What do you eat?', questionType: multipleChoice, options: ['Fish', 'Beans', 'Cake'] },
];

/** Fills in fields by their labels. */
async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

describe.each(waysOfAJob)('with scripts %s at %i px', (_, __, setting) => {
  test('a party is created, shared, answered by who registers first, and deleted', async () => {
    const host = await registerProvider(served, { displayName: 'Hanna Host' });
    await publishQuestions(host, questions);
    const study = await open({ ...setting, as: host });
    await study.goto('/');
    await choose(study, 'Parties: Create');
    await title(study, 'Create Party');
    await fill(study, { Title: 'Midsummer night', Date: dayOf(1, 20), 'Start time': '18:30', 'End time': '02:00' });
    await fill(study, { Capacity: '20', 'Plus-ones': '3', 'Answer by': dayOf(1, 18) });
    await study.getByLabel('Questions').selectOption({ label: 'Guests' });
    await press(study, 'Create party');
    await see(study, 'Midsummer night is ready to be shared.');
    const invitation = await study.getByLabel('Link to share').inputValue();

    const sofa = await open(setting);
    const requests: string[] = [];
    sofa.on('request', (request) => requests.push(request.url()));
    await sofa.goto(invitation, { waitUntil: 'networkidle' });
    expect(requests.filter((url) => !url.includes('/favicon'))).toEqual([invitation]);
    await see(sofa, '18:30 to 02:00');
    await follow(sofa, 'Register');
    await arrive(sofa, '/register');
    const name = newName('gus');
    await registerByHand(sofa, name);
    await sofa.waitForURL(invitation);
    await follow(sofa, 'RSVP');
    await fill(sofa, { 'What do you bring?': 'A guitar', 'How many do you bring?': '2' });
    await sofa.getByRole('checkbox', { name: 'Fish' }).check();
    await sofa.getByRole('checkbox', { name: 'Cake' }).check();
    // A required answer is left out at first.
    expectConsoleError(/status of 400/);
    await press(sofa, 'RSVP');
    await see(sofa, 'needs an answer.');
    await sofa.getByRole('radio', { name: 'Until ten' }).check();
    await press(sofa, 'RSVP');
    await see(sofa, 'You are going to Midsummer night, with 2 more.');

    await choose(study, 'Parties: View');
    await follow(study, 'Midsummer night');
    await title(study, 'Party details');
    const answered = study.getByRole('region', { name: 'RSVPs' }).locator('tbody tr').locator('th, td');
    expect(await answered.allTextContents()).toEqual([
      expect.stringContaining(name),
      ...['Yes', '+2', 'A guitar', 'Until ten', 'Fish, Cake'],
    ]);
    await sofa.goto(invitation);
    await press(sofa, "I can't come");
    await arrive(sofa, '/');
    await study.reload();
    expect(await answered.nth(1).textContent()).toBe('No');
    await deleteByHand(study);
    await see(study, 'No parties created');
    expectConsoleError(/status of 404/);
    await sofa.goto(invitation);
    await title(sofa, 'Called off');
  });

  test('a meetup is created, answered by personal links, and edited', async () => {
    const study = await open({ ...setting, as: await registerProvider(served) });
    await study.goto('/');
    await choose(study, 'Meetup: Create');
    await title(study, 'My Meetups');
    await fill(study, { Title: 'Book club', Date: dayOf(1, 20), 'Start time': '18:30', 'End time': '20:00' });
    await fill(study, { Names: 'Ada\nBen\n\n  Cem Çelik\nEve & Co\n' });
    await press(study, 'Create meetup');
    await title(study, 'Manage meetup');
    const linkOf = (name: string) =>
      study.getByRole('row').filter({ hasText: name }).locator('input[readonly]').inputValue();
    // A device that nobody has logged in with.
    const hall = await open(setting);
    for (const name of ['Ben', 'Cem Çelik']) {
      await hall.goto(await linkOf(name));
      await see(hall, 'You have not responded yet.');
      await press(hall, 'Accept');
      await see(hall, 'You accepted.');
      expect(await button(hall, 'Accept').isDisabled()).toBe(true);
    }
    // One changes their mind.
    await press(hall, 'Decline');
    await see(hall, 'You declined.');

    await choose(study, 'Meetup: View');
    await see(study, '1 of 4');
    await follow(study, 'Book club');
    await title(study, 'Manage meetup');
    await study.getByText('Edit', { exact: true }).click();
    await fill(study, { Title: 'Film club', 'Start time': '20:15', 'End time': '22:00' });
    await press(study, 'Save meetup');
    await seen(study.getByRole('heading', { name: 'Film club' }));
    await hall.reload();
    await see(hall, '20:15 to 22:00');
  });
});
