import { describe, expect, test } from 'vitest';
import { password, peopleAt } from '../../support/factories';
import { buttonsOf, linkPath, linksOn, partyPath } from '../../support/letters';
import { removeName, replaceLink } from '../../support/meetup-calls';
import { edit } from '../../support/party-calls';
import {
  answersIn,
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  full,
  type Invitation,
  linkOf,
  partyOf,
  publishQuestions,
  rsvp,
} from '../../support/party-factories';
import { intake, openEnded, singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* What the letters of parties and meetups say to each reader, and which answers they take. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { username: 'maya.l' },
  june: {},
});

const open = ({ browser }: { browser: Visitor }, party: { id: string }) => browser.get(partyPath(party));
const stranger = () => ({ browser: daybook.visitor() });

describe('the letter of a party', () => {
  test('says who invites, to what, when and where, and how many are coming unless that is hidden', async () => {
    const party = await createParty(host, { ...full, startTime: '19:30', endTime: '01:15' });
    await rsvp(maya, party, { guests: 1 });
    const { words } = await open(june, party);
    for (const said of ['Hanna Host', 'Garden party', '19:30', '01:15', 'Rua da Rosa 5', '2 people']) {
      expect(words).toContain(said);
    }
    expect(words).toMatch(/Answer by [^.]+ 20\d\d, until midnight, Colombo time/);
    await edit(host, party, { hideGoing: true });
    expect((await open(june, party)).words).not.toMatch(/2 people|places? (is|are) left/);
  });

  test('drops no answer to questions that the host has changed meanwhile, and asks those of now', async () => {
    const questions = [{ questionText: 'Allergies?', questionType: openEnded }];
    const [before, after] = await Promise.all([publishQuestions(host, questions), publishQuestions(host, questions)]);
    const party = await createParty(host, { template: before });
    const letter = await maya.browser.visit(`${partyPath(party)}?step=questions`);
    const fieldOf = (page: Page) => page.$('textarea')?.getAttribute('name') ?? '';
    await edit(host, party, { template: after });
    const refused = await letter.submit('RSVP', { [fieldOf(letter)]: 'Nuts' });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('The questions have been changed meanwhile.');
    expect(await answersIn(host, party)).toEqual([]);
    await refused.submit('RSVP', { [fieldOf(refused)]: 'Nuts' });
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Allergies?', answer: 'Nuts' }]]);
  });

  test('that is refused says all that is wrong or how much room is left, and keeps what was typed', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', required: true },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    ]);
    const party = await createParty(host, { capacity: 4, plusOnes: 3, template });
    const letter = await (await newConsumer()).browser.visit(`${partyPath(party)}?step=questions`);
    const wrong = await letter.submit('RSVP', { guests: 'two' });
    expect([wrong.status, wrong.$('input[name=guests]')?.getAttribute('value')]).toEqual([400, 'two']);
    for (const said of ['“Bringing?” needs an answer.', '“Staying?” needs an answer.', 'from 0 to 3.']) {
      expect(wrong.words).toContain(said);
    }
    const answers = ['Bringing?', 'Staying?'].map((question) => ({ question, answer: 'Yes' }));
    expect((await rsvp(maya, party, { guests: 2 }, answers)).status).toBe(200);
    const fields = letter.$$('textarea, input[type=radio]').map((field) => field.getAttribute('name') ?? '');
    const [bringing = '', staying = ''] = new Set(fields);
    const page = await wrong.submit('RSVP', { [bringing]: 'Two <cakes>', [staying]: 'Yes', guests: '2' });
    expect([page.status, page.words.includes('one place is left')]).toEqual([409, true]);
    expect(page.$('textarea')?.text).toBe('Two <cakes>');
    expect(page.$('input[type=radio][checked]')?.getAttribute('value')).toBe('Yes');
    expect(page.$('input[name=guests]')?.getAttribute('value')).toBe('2');
    expect((await page.submit('RSVP', { guests: '0' })).words).toContain('You are going to Garden party.');
  });

  test('of a party that is full asks nobody to register, and lets those who are going change their answer', async () => {
    const party = await createParty(host, { capacity: 2, plusOnes: 1 });
    await rsvp(maya, party, { guests: 1 });
    const unknown = await open(stranger(), party);
    expect(unknown.words).toContain('This party is full.');
    expect(linksOn(unknown)).not.toContain('Register');
    const late = await open(june, party);
    expect(buttonsOf(late)).toEqual([["I can't come", 'enabled']]);
    expect((await late.submit("I can't come")).words).toContain("knows that you can't come");
    const own = await open(maya, party);
    expect(own.words).not.toContain('This party is full.');
    expect((await own.submit('Save my answer', { guests: '0' })).words).toContain('You are going to Garden party.');
    expect((await open(june, party)).words).toContain('There is room for you alone.');
  });

  test('lets nobody bring more than there is room for, unless that would tell how many are coming', async () => {
    const room = { capacity: 4, plusOnes: 3 };
    const [party, hidden] = [await createParty(host, room), await createParty(host, { ...room, hideGoing: true })];
    for (const one of [party, hidden]) await rsvp(maya, one, { guests: 1 });
    for (const [who, one, most] of [
      [june, party, '1'],
      [maya, party, '3'],
      [june, hidden, '3'],
    ] as const) {
      expect((await open(who, one)).$('input[name=guests]')?.getAttribute('max')).toBe(most);
    }
  });

  test('offers no answer to its host, nor once it takes none any more', async () => {
    const [late, over] = await Promise.all([createParty(host, full), createParty(host)]);
    expect(buttonsOf(await open(host, late))).toEqual([]);
    await closeAnswers(daybook.d1, late);
    await endParty(daybook.d1, over);
    for (const [party, said] of [
      [late, 'Answers were welcome until'],
      [over, 'This party is over.'],
    ] as const) {
      for (const who of [stranger(), maya]) {
        const page = await open(who, party);
        expect([page.status, buttonsOf(page), page.words.includes(said)]).toEqual([200, [], true]);
      }
      expect((await maya.browser.post(partyPath(party), { accepted: 'true' })).status).toBe(409);
    }
  });

  test('without a login sends nobody’s answer, but the way to log in or register, and back', async () => {
    const party = await createParty(host);
    const page = await daybook.visitor().post(partyPath(party), { accepted: 'true' });
    expect([page.status, page.location]).toEqual([303, `/not-logged-in?to=${encodeURIComponent(partyPath(party))}`]);
    expect(await answersIn(host, party)).toEqual([]);
    const typed = { displayName: 'New Guest', username: 'new.guest', password: 'Correct1horse' };
    const registration = await (await open(stranger(), party)).click('Register');
    const letter = await open(stranger(), party);
    for (const back of [
      await registration.submit('Register', typed),
      await letter.submit('Log in', { username: 'maya.l', password }),
    ]) {
      expect([back.status, back.path]).toEqual([200, partyPath(party)]);
      expect((await back.submit('RSVP')).words).toContain('You are going to Garden party.');
    }
  });

  test('keeps its questions, and who the host is to the database, from whoever is not logged in', async () => {
    const party = await createParty(host, { template: await publishQuestions(host, intake) });
    const row = daybook.d1.prepare('SELECT provider_id FROM parties WHERE id = ?').bind(party.id);
    const secrets = [party.title, 'Which side hurts?', (await row.first<string>('provider_id')) ?? ''];
    const dataOf = async (who: Visitor) => (await who.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`)).text;
    const told = [await dataOf(daybook.visitor()), await dataOf(maya.browser)].map((text) =>
      secrets.map((secret) => text.includes(secret)),
    );
    expect(told).toEqual([
      [true, false, false],
      [true, true, false],
    ]);
  });
});

describe('the letter of a meetup', () => {
  const openLink = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));

  test('greets by the name on the list, not by the one in the link', async () => {
    const ada = linkOf(await createMeetup(host, { ...full, title: 'Book club' }), 'Ada');
    const { words } = await daybook.visitor().get(`/meetup-rsvp/${ada.id}?name=%3Cb%3EMallory`);
    expect(words).not.toContain('Mallory');
    for (const said of ['Ada', 'Hanna Host', 'Book club', '18:00', '22:00', 'Rua da Rosa 5']) {
      expect(words).toContain(said);
    }
  });

  test('says of a link that is wrong, or of something else, that it is none, opened or answered, as that of a party does', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const [unfound, invalid] = ["Sorry, we couldn't find your invitation.", 'Invalid link – please check'];
    for (const [path, status, said] of [
      [`/meetup-rsvp/${guest.id}`, 404, unfound],
      [`/meetup-rsvp/${party.id}`, 404, unfound],
      [`/meetup-rsvp/${'A'.repeat(21)}`, 400, invalid],
      [`/party/${meetup.id}`, 404, 'There is no such party.'],
      [`/party/${linkOf(meetup, 'Ada').id}`, 404, 'There is no such party.'],
    ] as const) {
      for (const page of [await maya.browser.get(path), await maya.browser.post(path, { accepted: 'false' })]) {
        expect([path, page.status, page.words]).toEqual([path, status, expect.stringContaining(said)]);
      }
      expect([400, 404]).toContain((await maya.browser.get(`${path}/daybook.ics`)).status);
    }
    expect((await partyOf(host, party)).invitations).toEqual([guest]);
    expect(await partyOf(host, meetup)).toEqual(meetup);
  });

  test('with a wrong answer is a 400 that says so, and can be answered until it is over', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    const page = await daybook.visitor().post(linkPath(ada), { accepted: 'perhaps' });
    expect([page.status, page.words.includes('Something went wrong. Please try again.')]).toEqual([400, true]);
    expect((await page.submit('Accept')).status).toBe(200);
    const before = await openLink(ben);
    await endParty(daybook.d1, meetup);
    const over = await openLink(ada);
    expect([buttonsOf(over), over.words.includes('You accepted.')]).toEqual([[], true]);
    expect((await before.submit('Accept')).status).toBe(409);
    expect(Object.fromEntries(await answersIn(host, meetup))).toEqual({ Ada: true, Ben: null });
  });

  test('is dead once the name is removed, and says by whom its link was replaced', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await replaceLink(host, ada);
    await removeName(host, ben);
    for (const [dead, words] of [
      [ada, 'This link was replaced by Hanna Host. The new link shows your invitation'],
      [ben, "Sorry, we couldn't find your invitation."],
    ] as const) {
      const page = await openLink(dead);
      expect([page.status, page.words.includes(words), page.words.includes('Book club')]).toEqual([404, true, false]);
    }
  });
});
