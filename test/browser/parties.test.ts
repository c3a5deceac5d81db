import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { type Person, registerConsumer, registerProvider } from '../support/factories';
import {
  createMeetup,
  createParty,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
} from '../support/party-factories';
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
  title,
  untilSeen,
} from './browser';
import { dayOf, wire } from './calendar';
import { journeys } from './journeys';

const served = useServer();
const { open, openShared } = browsersAt(served);

const questions = [
  { questionText: 'What do you bring?', questionType: openEnded, required: true },
  { questionText: 'Do you stay?', questionType: singleChoice, options: ['All night', 'Until ten'], required: true },
  { questionText: 'What do you eat?', questionType: multipleChoice, options: ['Fish', 'Beans', 'Cake'] },
];
const answers = [
  { question: 'What do you bring?', answer: 'A guitar' },
  { question: 'Do you stay?', answer: 'Until ten' },
  { question: 'What do you eat?', answer: 'Fish|Cake' },
];

/** Fills in fields by their labels. */
async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

/** Somebody who answered a party, with two more. */
async function guestOf(party: Party): Promise<Person> {
  const guest = await registerConsumer(served);
  const { status } = await rsvp(guest, party, { guests: 2 }, answers);
  expect(status).toBe(200);
  return guest;
}

/** A party with questions, to which guests may bring three. */
async function partyWithQuestions(): Promise<{ host: Person; party: Party }> {
  const host = await registerProvider(served, { displayName: 'Hanna Host' });
  const template = await publishQuestions(host, questions);
  const party = await createParty(host, {
    title: 'Midsummer night',
    ...{ date: wire(dayOf(1, 20)), startTime: '18:30', endTime: '02:00' },
    ...{ template, capacity: 20, plusOnes: 3 },
  });
  return { host, party };
}

describe.each(journeys)('a party, with scripts %s at %i px,', (_, __, setting) => {
  test('is ready to be shared once it is created', async () => {
    const host = await registerProvider(served);
    await publishQuestions(host, questions);
    const page = await openShared({ ...setting, as: host });
    await page.goto('/');

    await choose(page, 'Parties: Create');
    await title(page, 'Create Party');
    await fill(page, { Title: 'Midsummer night', Date: dayOf(1, 20), 'Start time': '18:30', 'End time': '02:00' });
    await fill(page, { Capacity: '20', 'Plus-ones': '3', 'Answer by': dayOf(1, 18) });
    await page.getByLabel('Questions').selectOption({ label: 'Guests' });
    await press(page, 'Create party');

    await see(page, 'Midsummer night is ready to be shared.');
    const invitation = await page.getByLabel('Link to share').inputValue();
    await page.goto(invitation);
    await see(page, '18:30 to 02:00');
  });

  test('is shown to a stranger by one request', async () => {
    const { party } = await partyWithQuestions();
    const page = await openShared(setting);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await page.goto(`/party/${party.id}`, { waitUntil: 'networkidle' });

    expect(requests.filter((url) => !url.includes('/favicon'))).toEqual([`${served.url}/party/${party.id}`]);
    await see(page, '18:30 to 02:00');
  });

  test('is shown again to who registers on the way', async () => {
    const { party } = await partyWithQuestions();
    const page = await openShared(setting);
    await page.goto(`/party/${party.id}`);

    await follow(page, 'Register');
    await arrive(page, '/register');
    await registerByHand(page, newName('gus'));

    await arrive(page, `/party/${party.id}`);
  });

  /** The page on which a guest answers the questions, with all answers but the one to whether they stay. */
  async function nearlyFilledIn(guest: Person, party: Party): Promise<Page> {
    const page = await openShared({ ...setting, as: guest });
    await page.goto(`/party/${party.id}`);
    await follow(page, 'RSVP');
    await fill(page, { 'What do you bring?': 'A guitar', 'How many do you bring?': '2' });
    await page.getByRole('checkbox', { name: 'Fish' }).check();
    await page.getByRole('checkbox', { name: 'Cake' }).check();
    return page;
  }

  test('asks again for a required answer that was left out', async () => {
    const { party } = await partyWithQuestions();
    const page = await nearlyFilledIn(await registerConsumer(served), party);
    expectConsoleError(/status of 400/);

    await press(page, 'RSVP');

    await see(page, 'needs an answer.');
  });

  test('takes the answers once what was left out is there', async () => {
    const { host, party } = await partyWithQuestions();
    const guest = await registerConsumer(served);
    const page = await nearlyFilledIn(guest, party);
    expectConsoleError(/status of 400/);
    await press(page, 'RSVP');
    await see(page, 'needs an answer.');

    await page.getByRole('radio', { name: 'Until ten' }).check();
    await press(page, 'RSVP');

    await see(page, 'You are going to Midsummer night, with 2 more.');
    const study = await openShared({ ...setting, as: host });
    await study.goto(`/view-party/${party.id}`);
    await expectRsvp(study, [guest.displayName, 'Yes', '+2', 'A guitar', 'Until ten', 'Fish, Cake']);
  });

  /** The cells of the only RSVP that the host reads. */
  const rsvpIn = (page: Page) => page.getByRole('region', { name: 'RSVPs' }).locator('tbody tr').locator('th, td');

  async function expectRsvp(page: Page, [name, ...cells]: string[]): Promise<void> {
    expect(await rsvpIn(page).allTextContents()).toEqual([expect.stringContaining(name ?? ''), ...cells]);
  }

  test('is found in the menu with the answers of its guests', async () => {
    const { host, party } = await partyWithQuestions();
    const guest = await guestOf(party);
    const page = await openShared({ ...setting, as: host });
    await page.goto('/');

    await choose(page, 'Parties: View');
    await follow(page, 'Midsummer night');
    await title(page, 'Party details');

    await expectRsvp(page, [guest.displayName, 'Yes', '+2', 'A guitar', 'Until ten', 'Fish, Cake']);
  });

  test('shows its host who can not come any more', async () => {
    const { host, party } = await partyWithQuestions();
    const guest = await guestOf(party);
    const page = await openShared({ ...setting, as: guest });
    await page.goto(`/party/${party.id}`);

    await press(page, "I can't come");
    await arrive(page, '/');

    const study = await openShared({ ...setting, as: host });
    await study.goto(`/view-party/${party.id}`);
    expect(await rsvpIn(study).nth(1).textContent()).toBe('No');
  });

  test('is called off for its guests when it is deleted', async () => {
    const { host, party } = await partyWithQuestions();
    const guest = await guestOf(party);
    const study = await openShared({ ...setting, as: host });
    await study.goto(`/view-party/${party.id}`);

    await deleteByHand(study);
    await see(study, 'No parties created');

    const page = await openShared({ ...setting, as: guest });
    expectConsoleError(/status of 404/);
    await page.goto(`/party/${party.id}`);
    await title(page, 'Called off');
  });
});

describe.each(journeys)('a meetup, with scripts %s at %i px,', (_, __, setting) => {
  const names = ['Ada', 'Ben', 'Cem Çelik', 'Eve & Co'];

  /** A meetup, and the address of each name's invitation. */
  async function bookClub(): Promise<{ host: Person; meetup: Party; addressOf: (name: string) => string }> {
    const host = await registerProvider(served);
    const time = { date: wire(dayOf(1, 20)), startTime: '18:30', endTime: '20:00' };
    const meetup = await createMeetup(host, { ...time, attendees: names });
    return { host, meetup, addressOf: (name) => `/meetup-rsvp/${linkOf(meetup, name).id}` };
  }

  test('has a personal link for each name once it is created', async () => {
    const page = await openShared({ ...setting, as: await registerProvider(served) });
    await page.goto('/');

    await choose(page, 'Meetup: Create');
    await title(page, 'My Meetups');
    await fill(page, { Title: 'Book club', Date: dayOf(1, 20), 'Start time': '18:30', 'End time': '20:00' });
    await fill(page, { Names: 'Ada\nBen\n\n  Cem Çelik\nEve & Co\n' });
    await press(page, 'Create meetup');
    await title(page, 'Manage meetup');

    for (const name of names) {
      const row = page.getByRole('row').filter({ hasText: name });
      expect(await row.locator('input[readonly]').inputValue()).toContain(`${served.url}/meetup-rsvp/`);
    }
  });

  test.each(['Ben', 'Cem Çelik'])('is accepted by the personal link of %s, without an account', async (name) => {
    const { addressOf } = await bookClub();
    const page = await openShared(setting);
    await page.goto(addressOf(name));
    await see(page, 'You have not responded yet.');

    await press(page, 'Accept');

    await see(page, 'You accepted.');
    expect(await button(page, 'Accept').isDisabled()).toBe(true);
  });

  test('is declined by who had accepted', async () => {
    const { host, meetup, addressOf } = await bookClub();
    const page = await openShared(setting);
    await reply(host, linkOf(meetup, 'Ben'));
    await page.goto(addressOf('Ben'));
    await see(page, 'You accepted.');

    await press(page, 'Decline');

    await see(page, 'You declined.');
  });

  test('is listed with how many of its guests come', async () => {
    const { host, meetup } = await bookClub();
    await reply(host, linkOf(meetup, 'Ben'));
    await reply(host, linkOf(meetup, 'Ada'), { accepted: false });
    const page = await openShared({ ...setting, as: host });
    await page.goto('/');

    await choose(page, 'Meetup: View');
    await see(page, '1 of 4');
    await follow(page, 'Book club');

    await title(page, 'Manage meetup');
  });

  test('shows who was invited what its host has edited', async () => {
    const { host, meetup, addressOf } = await bookClub();
    const hall = await open(setting);
    await hall.goto(addressOf('Ben'));
    await see(hall, '18:30 to 20:00');
    const page = await openShared({ ...setting, as: host });
    await page.goto(`/manage-meetup/${meetup.id}`);

    await page.getByText('Edit', { exact: true }).click();
    await fill(page, { Title: 'Film club', 'Start time': '20:15', 'End time': '22:00' });
    await press(page, 'Save meetup');
    await untilSeen(page.getByRole('heading', { name: 'Film club' }));

    await hall.reload();
    await see(hall, '20:15 to 22:00');
  });
});
