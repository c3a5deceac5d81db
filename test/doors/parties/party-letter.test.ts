import { describe, expect, test } from 'vitest';
import { type Person, peopleAt } from '../../support/factories';
import { buttonsOf, partyPath } from '../../support/letters';
import {
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  full,
  linkOf,
  partyOf,
  publishQuestions,
  rsvp,
} from '../../support/party-factories';
import { intake, openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { username: 'maya.l' },
  june: {},
});

describe('the letter of a party', () => {
  test('says who invites, to what, when and where, and how many are coming unless that is hidden', async () => {
    const party = await createParty(host, { ...full, startTime: '19:30', endTime: '01:15' });
    await rsvp(maya, party, { guests: 1 });
    const read = async () => (await june.browser.get(partyPath(party))).words;
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
    const iso = `${party.date.slice(6)}-${party.date.slice(0, 5)}`;
    for (const words of [
      'Hanna Host',
      'Garden party',
      day.format(Date.parse(iso)),
      '19:30',
      '01:15',
      'Rua da Rosa 5',
    ]) {
      expect(await read()).toContain(words);
    }
    expect(await read()).toContain('2 people');
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { hideGoing: true });
    expect(await read()).not.toContain('2 people');
    expect(await read()).not.toMatch(/places? (is|are) left/);
  });

  test('shows who has answered their own answer, and lets them change it or say no', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', questionType: openEnded, required: true },
    ]);
    const party = await createParty(host, { template, plusOnes: 2 });
    const guest = await newConsumer();
    const blank = await guest.browser.get(partyPath(party));
    const asked = await blank.click('RSVP');
    const field = asked.$('textarea')?.getAttribute('name') ?? '';
    expect(asked.$('textarea')?.text).toBe('');
    await asked.submit('RSVP', { [field]: 'Cake', guests: '2' });
    const said = await guest.browser.get(partyPath(party));
    expect(said.words).toContain('You are going, and bring 2 more.');
    expect(said.$$('main a').map(({ text }) => text)).toContain('Add to calendar');

    const again = await said.click('Change my answer');
    expect(again.$('textarea')?.text).toBe('Cake');
    expect(again.$('input[name=guests]')?.getAttribute('value')).toBe('2');
    const home = await again.submit('Save my answer', { [field]: 'Wine', guests: '0' });
    expect([home.status, new URL(home.url).pathname]).toEqual([200, '/']);
    expect(home.words).toContain('You are going to Garden party.');
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Bringing?', answer: 'Wine' }]]);

    await (await guest.browser.get(partyPath(party))).submit("I can't come");
    expect((await partyOf(host, party)).invitations.map(({ accepted }) => accepted)).toEqual([false]);
    const no = await guest.browser.get(partyPath(party));
    expect(no.words).toContain('You said no.');
    expect(no.$$('main a').map(({ text }) => text)).not.toContain('Add to calendar');
  });

  test('drops no answer to questions that the host has changed meanwhile, and asks those of now', async () => {
    const questions = [{ questionText: 'Allergies?', questionType: openEnded }];
    const [before, after] = await Promise.all([publishQuestions(host, questions), publishQuestions(host, questions)]);
    const party = await createParty(host, { template: before });
    const letter = await maya.browser.visit(`${partyPath(party)}?step=questions`);
    const field = letter.$('textarea')?.getAttribute('name') ?? '';
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { template: after });
    const refused = await letter.submit('RSVP', { [field]: 'Nuts' });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('The questions have been changed meanwhile.');
    expect((await partyOf(host, party)).invitations).toEqual([]);
    await refused.submit('RSVP', { [refused.$('textarea')?.getAttribute('name') ?? '']: 'Nuts' });
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Allergies?', answer: 'Nuts' }]]);
    // A letter that answers nothing drops nothing.
    expect((await letter.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  test('says how long answers are welcome, until they are not any more', async () => {
    const party = await createParty(host, full);
    for (const who of [daybook.visitor(), maya.browser, host.browser]) {
      expect((await who.get(partyPath(party))).words).toMatch(/Answer by [^.]+ 20\d\d, until midnight, Colombo time/);
    }
    await closeAnswers(daybook.d1, party);
    expect((await maya.browser.get(partyPath(party))).words).not.toContain('Answer by');
  });

  test('of a party that is full asks nobody to register, and lets those who are going change their answer', async () => {
    const party = await createParty(host, { capacity: 2, plusOnes: 1 });
    await rsvp(maya, party, { guests: 1 });
    const stranger = await daybook.visitor().get(partyPath(party));
    expect(stranger.words).toContain('This party is full.');
    expect(stranger.$$('main a').map(({ text }) => text)).not.toContain('Register');
    expect(stranger.words).toContain('Log in to see or change your answer');
    const late = await june.browser.get(partyPath(party));
    expect(late.words).toContain('This party is full.');
    expect(buttonsOf(late)).toEqual([["I can't come", 'enabled']]);
    const no = await (await late.submit("I can't come")).click('Change your answer');
    expect([no.words.includes('You said no.'), no.words.includes('change your mind')]).toEqual([true, false]);
    const own = await maya.browser.get(partyPath(party));
    expect(own.words).not.toContain('This party is full.');
    expect((await own.submit('Save my answer', { guests: '0' })).words).toContain('You are going to Garden party.');
    expect((await june.browser.get(partyPath(party))).words).toContain('There is room for you alone.');
  });

  test('lets nobody bring more than there is room for, unless that would tell how many are coming', async () => {
    const most = async (who: Person, party: { id: string }) => {
      const page = await who.browser.get(partyPath(party));
      return [page.$('input[name=guests]')?.getAttribute('max'), /Up to \d/.exec(page.words)?.[0]];
    };
    const [party, hidden] = await Promise.all(
      [false, true].map((hideGoing) => createParty(host, { capacity: 4, plusOnes: 3, hideGoing })),
    );
    for (const one of [party, hidden]) await rsvp(maya, one as { id: string }, { guests: 1 });
    expect(await most(june, party as { id: string })).toEqual(['1', 'Up to 1']);
    expect(await most(maya, party as { id: string })).toEqual(['3', 'Up to 3']);
    expect(await most(june, hidden as { id: string })).toEqual(['3', 'Up to 3']);
  });

  test('says at once all that is wrong with an answer, in words that fit what was typed', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', questionType: openEnded, required: true },
      { questionText: 'Singing?', questionType: openEnded, required: true },
    ]);
    const party = await createParty(host, { template, plusOnes: 2 });
    const guest = await newConsumer();
    const letter = await guest.browser.visit(`${partyPath(party)}?step=questions`);
    const fault = 'Say how many you bring as a whole number from 0 to 2.';
    for (const [guests, words] of [
      ['-1', fault],
      ['1.5', fault],
      ['two', fault],
      ['3', 'You can bring at most 2.'],
    ] as const) {
      const refused = await letter.submit('RSVP', { guests });
      expect([refused.status, refused.$('input[name=guests]')?.getAttribute('value')]).toEqual([400, guests]);
      for (const said of ['“Bringing?” needs an answer.', '“Singing?” needs an answer.', words]) {
        expect(refused.words).toContain(said);
      }
    }
    // Whoever does not come brings nobody.
    expect((await letter.submit("I can't come", { guests: '-1' })).words).toContain("knows that you can't come");
  });

  test('offers no answer to its host, nor once answers are not taken any more', async () => {
    const [late, over] = await Promise.all([createParty(host), createParty(host)]);
    await closeAnswers(daybook.d1, late);
    await endParty(daybook.d1, over);
    expect(buttonsOf(await host.browser.get(partyPath(await createParty(host))))).toEqual([]);
    for (const who of [daybook.visitor(), maya.browser]) {
      const [closed, gone] = [await who.get(partyPath(late)), await who.get(partyPath(over))];
      expect([closed.status, buttonsOf(closed), closed.words.includes('Answers were welcome until')]).toEqual([
        200,
        [],
        true,
      ]);
      expect([gone.status, buttonsOf(gone), gone.words.includes('This party is over.')]).toEqual([200, [], true]);
    }
    // A letter that was open meanwhile.
    expect((await maya.browser.post(partyPath(late), { accepted: 'true' })).status).toBe(409);
    expect((await maya.browser.post(partyPath(over), { accepted: 'true' })).words).toContain('This party is over.');
  });

  test('without a login sends nobody’s answer, but the way to log in and back', async () => {
    const party = await createParty(host);
    const page = await daybook.visitor().post(partyPath(party), { accepted: 'true' });
    expect([page.status, page.location]).toEqual([303, `/not-logged-in?to=${encodeURIComponent(partyPath(party))}`]);
    expect((await partyOf(host, party)).invitations).toEqual([]);
    const letter = await daybook.visitor().get(partyPath(party));
    expect(letter.words).toContain('Garden party');
    expect(letter.$('input[name=password]')).not.toBeNull();
    const registration = await letter.click('Register');
    const typed = { displayName: 'New Guest', username: 'new.guest', password: 'Correct1horse' };
    const back = await registration.submit('Register', typed);
    expect([back.status, back.path]).toEqual([200, partyPath(party)]);
    expect((await back.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  test('keeps its questions, and who the host is to the database, from whoever is not logged in', async () => {
    const templateId = await publishQuestions(host, intake);
    const party = await createParty(host, { template: templateId });
    const dataOf = async (who: Visitor) => (await who.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`)).text;
    const providerId = await daybook.d1
      .prepare('SELECT provider_id FROM parties WHERE id = ?')
      .bind(party.id)
      .first('provider_id');
    const [stranger, guest] = [await dataOf(daybook.visitor()), await dataOf(maya.browser)];
    expect([stranger, guest].map((text) => text.includes(party.title))).toEqual([true, true]);
    expect([stranger, guest].map((text) => text.includes('Which side hurts?'))).toEqual([false, true]);
    expect([stranger, guest].map((text) => text.includes(String(providerId)))).toEqual([false, false]);
  });

  test('is a 404 in the shell where there is none, or a meetup', async () => {
    const meetup = await createMeetup(host);
    for (const id of [meetup.id, linkOf(meetup, 'Ada').id, 'x', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      for (const who of [daybook.visitor(), maya.browser, host.browser]) {
        const page = await who.get(`/party/${id}`);
        expect([page.status, page.$('h1') !== null]).toEqual([404, true]);
        const why = id === 'x' ? 'Invalid link – please check your invitation URL.' : 'There is no such party.';
        expect(page.words).toContain(why);
        expect((await who.get(`/party/${id}/daybook.ics`)).status).toBe(404);
      }
    }
  });
});
