import { describe, expect, test } from 'vitest';
import { type Person, password, peopleAt } from '../../support/factories';
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
  type Party,
  partyOf,
  publishQuestions,
  reply,
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
    const date = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
    const day = date.format(Date.parse(`${party.date.slice(6)}-${party.date.slice(0, 5)}`));
    const { words } = await open(june, party);
    for (const said of ['Hanna Host', 'Garden party', day, '19:30', '01:15', 'Rua da Rosa 5', '2 people']) {
      expect(words).toContain(said);
    }
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
    // A letter that answers nothing drops nothing.
    expect((await letter.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  test('that is refused for want of room keeps all that was typed and says why', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?' },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'] },
    ]);
    const party = await createParty(host, { capacity: 3, plusOnes: 3, template });
    const asked = await (await newConsumer()).browser.visit(`${partyPath(party)}?step=questions`);
    await rsvp(maya, party, { guests: 2 });
    const fields = asked.$$('textarea, input[type=radio]').map((field) => field.getAttribute('name') ?? '');
    const [bringing = '', staying = ''] = new Set(fields);
    const page = await asked.submit('RSVP', { [bringing]: 'Two <cakes>', [staying]: 'Yes', guests: '2' });
    expect(page.status).toBe(409);
    expect(page.words.split('This party is full.')).toHaveLength(2);
    expect(page.$('textarea')?.text).toBe('Two <cakes>');
    expect(page.$('input[type=radio][checked]')?.getAttribute('value')).toBe('Yes');
    expect(page.$('input[name=guests]')?.getAttribute('value')).toBe('2');
    // Where there is less room than asked for, how much is left.
    await edit(host, party, { capacity: 4 });
    const less = await page.submit('RSVP');
    expect([less.status, less.words.includes('one place is left')]).toEqual([409, true]);
    expect((await less.submit('RSVP', { guests: '0' })).words).toContain('You are going to Garden party.');
  });

  test('of a party that is full asks nobody to register, and lets those who are going change their answer', async () => {
    const party = await createParty(host, { capacity: 2, plusOnes: 1 });
    await rsvp(maya, party, { guests: 1 });
    const unknown = await open(stranger(), party);
    for (const words of ['This party is full.', 'Log in to see or change your answer']) {
      expect(unknown.words).toContain(words);
    }
    expect(linksOn(unknown)).not.toContain('Register');
    const late = await open(june, party);
    expect(late.words).toContain('This party is full.');
    expect(buttonsOf(late)).toEqual([["I can't come", 'enabled']]);
    const no = await (await late.submit("I can't come")).click('Change your answer');
    expect([no.words.includes('You said no.'), no.words.includes('change your mind')]).toEqual([true, false]);
    const own = await open(maya, party);
    expect(own.words).not.toContain('This party is full.');
    expect((await own.submit('Save my answer', { guests: '0' })).words).toContain('You are going to Garden party.');
    expect((await open(june, party)).words).toContain('There is room for you alone.');
  });

  test('lets nobody bring more than there is room for, unless that would tell how many are coming', async () => {
    const most = async (who: Person, party: Party) => {
      const page = await open(who, party);
      return [page.$('input[name=guests]')?.getAttribute('max'), /Up to \d/.exec(page.words)?.[0]];
    };
    const room = { capacity: 4, plusOnes: 3 };
    const [party, hidden] = [await createParty(host, room), await createParty(host, { ...room, hideGoing: true })];
    for (const one of [party, hidden]) await rsvp(maya, one, { guests: 1 });
    expect(await most(june, party)).toEqual(['1', 'Up to 1']);
    expect(await most(maya, party)).toEqual(['3', 'Up to 3']);
    expect(await most(june, hidden)).toEqual(['3', 'Up to 3']);
  });

  test('says at once all that is wrong with an answer, and keeps what was typed', async () => {
    const questions = ['Bringing?', 'Singing?'].map((questionText) => ({ questionText, required: true }));
    const party = await createParty(host, { template: await publishQuestions(host, questions), plusOnes: 2 });
    const letter = await june.browser.visit(`${partyPath(party)}?step=questions`);
    const refused = await letter.submit('RSVP', { guests: 'two' });
    expect([refused.status, refused.$('input[name=guests]')?.getAttribute('value')]).toEqual([400, 'two']);
    for (const said of ['“Bringing?” needs an answer.', '“Singing?” needs an answer.', 'from 0 to 2.']) {
      expect(refused.words).toContain(said);
    }
    // Whoever does not come brings nobody.
    expect((await letter.submit("I can't come", { guests: '-1' })).words).toContain("knows that you can't come");
  });

  test('says how long answers are welcome, and offers none to its host, nor once it takes none any more', async () => {
    const [late, over] = await Promise.all([createParty(host, full), createParty(host)]);
    for (const who of [stranger(), maya, host]) {
      expect((await open(who, late)).words).toMatch(/Answer by [^.]+ 20\d\d, until midnight, Colombo time/);
    }
    expect(buttonsOf(await open(host, late))).toEqual([]);
    await closeAnswers(daybook.d1, late);
    await endParty(daybook.d1, over);
    for (const who of [stranger(), maya]) {
      for (const [party, words] of [
        [late, 'Answers were welcome until'],
        [over, 'This party is over.'],
      ] as const) {
        const page = await open(who, party);
        expect([page.status, buttonsOf(page), page.words.includes(words)]).toEqual([200, [], true]);
        expect(page.words).not.toContain('Answer by');
      }
    }
    // A letter that was open meanwhile.
    expect((await maya.browser.post(partyPath(late), { accepted: 'true' })).status).toBe(409);
    expect((await maya.browser.post(partyPath(over), { accepted: 'true' })).words).toContain('This party is over.');
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
    const dataOf = async (who: Visitor) => (await who.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`)).text;
    const row = daybook.d1.prepare('SELECT provider_id FROM parties WHERE id = ?').bind(party.id);
    const providerId = await row.first<string>('provider_id');
    const texts = [await dataOf(daybook.visitor()), await dataOf(maya.browser)];
    expect(texts.map((text) => text.includes(party.title))).toEqual([true, true]);
    expect(texts.map((text) => text.includes('Which side hurts?'))).toEqual([false, true]);
    expect(texts.map((text) => text.includes(`${providerId}`))).toEqual([false, false]);
  });

  test('is a 404 in the shell where there is none, or a meetup', async () => {
    const meetup = await createMeetup(host);
    for (const id of [meetup.id, linkOf(meetup, 'Ada').id, 'x', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      for (const { browser } of [stranger(), maya, host]) {
        const page = await browser.get(`/party/${id}`);
        expect([page.status, page.$('h1') !== null]).toEqual([404, true]);
        const why = id === 'x' ? 'Invalid link – please check your invitation URL.' : 'There is no such party.';
        expect(page.words).toContain(why);
        expect((await browser.get(`/party/${id}/daybook.ics`)).status).toBe(404);
      }
    }
  });
});

describe('the letter of a meetup', () => {
  const openLink = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));

  test('greets by the name on the list, not by the one in the link', async () => {
    const ada = linkOf(await createMeetup(host, { ...full, title: 'Book club' }), 'Ada');
    for (const query of ['', '?name=Ada', '?name=Mallory', '?name=%3Cb%3EMallory']) {
      const page = await daybook.visitor().get(`/meetup-rsvp/${ada.id}${query}`);
      expect(page.$('h1')?.getAttribute('aria-label') ?? page.$('h1')?.text).toMatch(/^You[’']re Invited!$/);
      expect(page.words).not.toContain('Mallory');
      for (const words of ['Ada', 'Hanna Host', 'Book club', '18:00', '22:00', 'Rua da Rosa 5']) {
        expect(page.words).toContain(words);
      }
    }
  });

  test.each(['nonsense', 'A'.repeat(21), 'A'.repeat(23), `${'A'.repeat(21)}%20`, '%3Cb%3E'])(
    'with the link %s is a 400 that says so, opened or answered',
    async (id) => {
      const path = `/meetup-rsvp/${id}`;
      for (const page of [
        await daybook.visitor().get(path),
        await daybook.visitor().post(path, { accepted: 'true' }),
      ]) {
        expect(page.status).toBe(400);
        expect(page.words).toContain('Invalid link – please check your invitation URL.');
      }
    },
  );

  test('with a link that is not there, or is a party’s or a guest’s, is a 404 that says so, opened or answered', async () => {
    const party = await createParty(host);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const before = await partyOf(host, party);
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', party.id, guest.id]) {
      const path = `/meetup-rsvp/${id}`;
      for (const { browser } of [stranger(), maya, host]) {
        for (const page of [await browser.get(path), await browser.post(path, { accepted: 'false' })]) {
          expect([page.status, page.words.includes("Sorry, we couldn't find your invitation.")]).toEqual([404, true]);
        }
        expect((await browser.get(`${path}/daybook.ics`)).status).toBe(404);
      }
    }
    expect(await partyOf(host, party)).toEqual(before);
  });

  test('with a wrong answer is a 400 that says so, and can be answered', async () => {
    const ada = linkOf(await createMeetup(host), 'Ada');
    let page = await openLink(ada);
    for (const body of [{}, { accepted: '' }, { accepted: 'perhaps' }] as Record<string, string>[]) {
      page = await daybook.visitor().post(linkPath(ada), body);
      expect([page.status, page.words.includes('Something went wrong. Please try again.')]).toEqual([400, true]);
      expect(page.words).toContain('Book club');
    }
    expect((await page.submit('Accept')).status).toBe(200);
  });

  test('takes no answer when it is over', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
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
    const fresh = (await replaceLink(host, ada)).json as Invitation;
    await removeName(host, ben);
    for (const [dead, words] of [
      [ada, 'This link was replaced by Hanna Host. The new link shows your invitation'],
      [ben, "Sorry, we couldn't find your invitation."],
    ] as const) {
      const page = await openLink(dead);
      expect([page.status, page.words.includes(words), page.words.includes('Book club')]).toEqual([404, true, false]);
    }
    expect((await openLink(fresh)).status).toBe(200);
  });
});
