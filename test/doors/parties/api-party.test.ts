import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, password, peopleAt } from '../../support/factories';
import { all, create, edit, hosted, nothing, remove } from '../../support/party-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  goingTo,
  type Invitation,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../../support/party-factories';
import { singleChoice } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

const titlesOf = (parties: Party[]) => parties.map(({ title }) => title);

describe('a path', () => {
  test.each(['CreateParty/1', 'DeleteParty/1', 'BookRsvp/1', 'GetMy/1', 'EditParty', 'EditParty/1/2', 'Nothing'])(
    'there is no call %s',
    async (call) => {
      expect(refusal(await host.api('GET', `/api/Party/${call}`))).toBe(404);
    },
  );
});

describe('a party', () => {
  const year = Number(dayAhead(370).slice(-4));

  test('has these twenty keys at every call', async () => {
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const template = await publishQuestions(ana, [{ questionText: 'Bringing?' }]);
    const answer = await create(ana, {
      title: '  Winter ball ',
      description: 'Warm\r\nclothes',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      template,
      address: '5 Elm Street & Co',
      capacity: 40,
      rsvpBy: `01-10-${year}`,
      plusOnes: 2,
    });
    const row = {
      id: expect.stringMatching(/^[\w-]{22}$/),
      title: 'Winter ball',
      description: 'Warm\nclothes',
      provider: ana.username,
      providerName: 'Ana Dias',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      startsAt: `${year}-01-16T00:00:00.000Z`,
      endsAt: `${year}-01-16T04:30:00.000Z`,
      timeZone: 'America/New_York',
      template,
      invitations: [],
      formData: [],
      address: '5 Elm Street & Co',
      locationUrl: expect.stringMatching(/^https:\/\//),
      attendees: [],
      meetupId: null,
      going: 0,
      openTo: 'accounts',
    };
    expect(answer.status).toBe(201);
    expect(answer.json).toStrictEqual(row);
    const party = answer.json as Party;
    expect((await edit(ana, party, { title: 'Winter ball' })).json).toStrictEqual(party);
    expect(await hosted(ana)).toStrictEqual([party]);
    expect(await all(ana)).toStrictEqual([party]);
    expect((await readParty(daybook.visitor(), party)).json).toStrictEqual(party);
  });

  test('without what is optional has null there', async () => {
    expect(await createParty(host)).toMatchObject({
      description: null,
      template: null,
      address: null,
      locationUrl: null,
      meetupId: null,
    });
  });

  test('shows its host who answered, and what', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?' }, { questionText: 'Staying?' }]);
    const party = await createParty(host, { template });
    const answers = [{ question: 'Bringing?', answer: 'Cake' }];
    const yes = (await rsvp(maya, party, {}, answers)).json as Invitation;
    const no = (await rsvp(june, party, { accepted: false })).json as Invitation;
    const row = { ...party, invitations: [yes, no], formData: [answers], going: 1 };
    expect((await readParty(host, party)).json).toStrictEqual(row);
    expect((await hosted(host)).find(({ id }) => id === party.id)).toStrictEqual(row);
    expect((await all(host)).find(({ id }) => id === party.id)).toStrictEqual(row);
    expect((await edit(host, party, {})).json).toStrictEqual(row);
  });
});

describe('DeleteParty', () => {
  test('of another’s, of a meetup and of nothing is the same 404, and nothing is deleted', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    await rsvp(maya, party);
    const missing = await remove(host, nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await remove(rival, party), await remove(host, meetup)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect(await answersIn(host, party)).toEqual([['maya.l', true]]);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test('without an id is a 400', async () => {
    expect(complaints(await host.api('DELETE', '/api/Party/DeleteParty'))).toHaveLength(1);
    expect(complaints(await host.api('DELETE', '/api/Party/DeleteParty?id='))).toHaveLength(1);
  });
});

describe('GetMy and GetAll', () => {
  test('give parties by start: those one hosts, and also those one has answered', async () => {
    const [ana, rui, zoe] = (await Promise.all([newHost(), newHost(), newGuest()])) as [Person, Person, Person];
    const make = (who: Person, title: string, days: number, startTime = '18:00') =>
      createParty(who, { title, date: dayAhead(days), startTime });
    await make(ana, 'third', 12);
    await make(ana, 'first', 10, '17:00');
    await createMeetup(ana, { title: 'a meetup', date: dayAhead(11) });
    await make(rui, 'unanswered', 12);
    const [yes, no] = await Promise.all([make(rui, 'second', 11), make(rui, 'fourth', 13)]);
    for (const who of [ana, zoe]) {
      await rsvp(who, yes);
      await rsvp(who, no, { accepted: false });
    }
    expect(titlesOf(await hosted(ana))).toEqual(['first', 'third']);
    expect(titlesOf(await all(ana))).toEqual(['first', 'second', 'third', 'fourth']);
    expect(titlesOf(await all(zoe))).toEqual(['second', 'fourth']);
    expect(titlesOf(await hosted(rui))).toEqual(['second', 'unanswered', 'fourth']);
  });

  test('of somebody who has none are empty lists', async () => {
    const [ana, zoe] = (await Promise.all([newHost(), newGuest()])) as [Person, Person];
    expect([await hosted(ana), await all(ana), await all(zoe)]).toEqual([[], [], []]);
  });
});

describe('what a party tells', () => {
  let party: Party;
  beforeAll(async () => {
    party = await createParty(host, {
      plusOnes: 3,
      template: await publishQuestions(host, [{ questionText: 'Secret?' }]),
    });
    await rsvp(maya, party, { guests: 2 }, [{ question: 'Secret?', answer: 'Allergic to bees' }]);
    await rsvp(june, party, { accepted: false });
  });

  /** The party as everybody but its host reads it, the guests themselves included. */
  async function readings(): Promise<Party[]> {
    const loggedOut = await newGuest();
    await loggedOut.api('DELETE', '/api/Account/Logout');
    const readers = [daybook.visitor(), maya, june, rival, await newGuest(), loggedOut];
    const inList = (await all(maya)).filter(({ id }) => id === party.id);
    return [...(await Promise.all(readers.map((who) => partyOf(who, party)))), ...inList];
  }

  test('to anyone but its host is not who was invited, nor what they answered', async () => {
    const rows = await readings();
    expect(rows).toHaveLength(7);
    for (const row of rows) {
      expect(row).toStrictEqual({ ...party, going: 3 });
      for (const secret of ['maya.l', 'Maya Lindqvist', june.username, 'bees']) {
        expect(JSON.stringify(row)).not.toContain(secret);
      }
    }
  });

  test('to anyone but its host is not how many are coming, where that is hidden', async () => {
    await edit(host, party, { hideGoing: true });
    for (const { going } of await readings()) expect(going).toBeNull();
    expect(await goingTo(host, party)).toBe(3);
    expect((await hosted(host)).find(({ id }) => id === party.id)).toMatchObject({ going: 3 });
    await edit(host, party, { hideGoing: false });
  });

  test('to its host is nothing more once they are logged out', async () => {
    const ana = await newHost();
    const own = await createParty(ana);
    await rsvp(maya, own);
    const cookie = ana.browser.cookies.get('daybook') ?? '';
    expect((await partyOf(ana, own)).invitations).toHaveLength(1);
    await ana.api('DELETE', '/api/Account/Logout');
    ana.browser.cookies.set('daybook', cookie);
    expect((await readParty(ana, own)).json).toStrictEqual({ ...own, going: 1 });
    for (const call of ['GetMy', 'GetAll']) expect(refusal(await ana.api('GET', `/api/Party/${call}`))).toBe(401);
  });

  test('where it is hidden, is in no page that a guest may open, nor in the data behind it', async () => {
    const crowd = await createParty(host, { title: 'Hidden crowd', plusOnes: 20, capacity: 99, hideGoing: true });
    const guest = await newGuest();
    await rsvp(maya, crowd, { guests: 20 });
    await rsvp(june, crowd, { guests: 20 });
    await rsvp(rival, crowd, { guests: 20 });
    await rsvp(guest, crowd, { accepted: false });
    const pages = [
      '/invitations',
      `/?rsvp=${crowd.id}`,
      `/party/${crowd.id}`,
      `/invitations?_data=routes%2Fparties%2Fanswered`,
      `/?rsvp=${crowd.id}&_data=routes%2Fhome`,
      `/party/${crowd.id}?_data=routes%2Fletters%2Fparty`,
    ];
    const telling: string[] = [];
    for (const path of pages) {
      const { status, text } = await guest.browser.get(path);
      expect([path, status, text.includes('Hidden crowd')]).toEqual([path, 200, true]);
      if (/"(going|left)":\s*(63|36)|63 people|36 places|"invited"/.test(text)) telling.push(path);
    }
    expect(telling).toEqual([]);
  });

  test('where it is hidden, is not told by a refusal either', async () => {
    const party = await createParty(host, { capacity: 4, plusOnes: 20, hideGoing: true });
    await rsvp(maya, party, { guests: 1 });
    const refused = [await rsvp(june, party, { guests: 2 }), await rsvp(june, party, { guests: 20 })];
    expect(refused.map(refusal)).toEqual([409, 409]);
    expect(refused[0]?.json).toMatch(/^There is not enough room/);
    expect(refused[1]?.json).toBe(refused[0]?.json);
    expect(refused[0]?.json).not.toMatch(/\d|\b(one|two|places?)\b/);
    const letter = await june.browser.get(`/party/${party.id}`);
    const page = await letter.submit('RSVP', { guests: '2' });
    expect([page.status, page.words.includes(refused[0]?.json as string)]).toEqual([409, true]);
    expect((await rsvp(june, party, { guests: 1 })).status).toBe(200);
    expect((await rsvp(rival, party)).json).toBe('This party is full.');
  });
});

describe('on the screens', () => {
  test('a form that is sent twice has one effect', async () => {
    const ana = await newHost();
    const blank = await ana.browser.get('/create-party');
    const iso = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const typed = { title: 'Twice', date: iso };
    const pages = [await blank.submit('Create party', typed), await blank.submit('Create party', typed)];
    for (const page of pages)
      expect([page.status, page.words.includes('Twice is ready to be shared.')]).toEqual([200, true]);
    const [party, ...more] = await hosted(ana);
    expect(more).toEqual([]);
    expect(party).toMatchObject({ title: 'Twice', startTime: '19:00', endTime: '23:00' });

    const gone = await ana.browser.get('/create-party');
    await gone.submit('Create party', { title: 'Deleted', date: iso });
    await remove(ana, (await hosted(ana)).find(({ title }) => title === 'Deleted') as Party);
    const late = await gone.submit('Create party', { title: 'Deleted', date: iso });
    expect([late.status, new URL(late.url).pathname, late.words.includes('Deleted')]).toEqual([200, '/', false]);
    expect(titlesOf(await hosted(ana))).toEqual(['Twice']);

    const letter = await maya.browser.get(`/party/${party?.id}`);
    for (const _ of ['once', 'twice']) {
      expect((await letter.submit('RSVP')).words).toContain('You are going to Twice.');
    }
    expect((await partyOf(ana, party as Party)).invitations).toHaveLength(1);
  });

  test('a form with a past date says so beside whatever else is wrong', async () => {
    const page = await host.browser.get('/create-party');
    const refused = await page.submit('Create party', { title: ' ', date: '2020-01-01' });
    expect(refused.status).toBe(400);
    for (const message of ['Title is missing.', 'not in the past']) expect(refused.words).toContain(message);
  });

  test('a refusal keeps all that was typed and says why', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?' },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'] },
    ]);
    const party = await createParty(host, { capacity: 3, plusOnes: 3, template });
    const guest = await newGuest();
    const asked = await guest.browser.visit(`/party/${party.id}?step=questions`);
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

  test('who logs in on the letter comes straight back to it', async () => {
    const party = await createParty(host);
    const stranger = await daybook.visitor().visit(`/party/${party.id}`);
    const page = await stranger.submit('Log in', { username: 'maya.l', password });
    expect([page.status, page.path]).toEqual([200, `/party/${party.id}`]);
    expect((await page.submit('RSVP')).words).toContain('You are going to Garden party.');
  });
});
