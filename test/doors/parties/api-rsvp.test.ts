import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt } from '../../support/factories';
import { all, edit, hosted, nothing } from '../../support/party-calls';
import {
  answersIn,
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  goingTo,
  type Invitation,
  movePartyTo,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../../support/party-factories';
import { multipleChoice, openEnded, singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

const bringing = [{ questionText: 'Bringing?', required: true }];
const cake = [{ question: 'Bringing?', answer: 'Cake' }];

describe('BookRsvp', () => {
  test('gives the invitation, with these four keys', async () => {
    const party = await createParty(host);
    const answer = await rsvp(maya, party);
    const id = expect.stringMatching(/^[\w-]{22}$/);
    expect(answer.status).toBe(200);
    expect(answer.json).toStrictEqual({ id, meetupId: party.id, username: 'maya.l', accepted: true });
    expect((await partyOf(host, party)).invitations).toStrictEqual([answer.json]);
  });

  test('keeps one invitation for each account: the latest answer counts, with all whom it brings', async () => {
    const party = await createParty(host, { plusOnes: 2 });
    const first = (await rsvp(maya, party)).json as Invitation;
    for (const [query, accepted, going] of [
      [{ accepted: false }, false, 0],
      [{ guests: 2 }, true, 3],
      [{ guests: 2 }, true, 3],
      [{ guests: 1 }, true, 2],
      [{}, true, 1],
      [{ accepted: false }, false, 0],
      [{ accepted: false }, false, 0],
    ] as const) {
      expect(await rsvp(maya, party, query)).toMatchObject({ status: 200, json: { ...first, accepted } });
      expect(await answersIn(host, party)).toEqual([['maya.l', accepted]]);
      expect(await goingTo(host, party)).toBe(going);
    }
  });

  test('is not for the host; of what is not there, or of a meetup, it is a 404', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    expect(refusal(await rsvp(host, party))).toBe(403);
    expect(await answersIn(host, party)).toEqual([]);
    expect(refusal(await rsvp(maya, nothing))).toBe(404);
    for (const who of [maya, host]) expect(refusal(await rsvp(who, meetup))).toBe(404);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test('wants true or false, and names what else is wrong beside it', async () => {
    const party = await createParty(host);
    for (const accepted of ['', '&accepted=', '&accepted=yes', '&accepted=TRUE', '&accepted=1', '&accepted=null']) {
      expect(complaints(await maya.api('PUT', `/api/Party/BookRsvp?id=${party.id}${accepted}`))).toHaveLength(1);
    }
    expect(complaints(await rsvp(maya, nothing, { accepted: 'perhaps', guests: 'many' }))).toHaveLength(2);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('says how many guests this party allows, and leaves an earlier answer as it is', async () => {
    const [three, none] = await Promise.all([createParty(host, { plusOnes: 3 }), createParty(host)]);
    await rsvp(maya, three, { guests: 2 });
    const without = 'This party is for invited guests only, without plus-ones.';
    for (const guests of ['-1', 'x', '1.5', '1e1']) {
      const inWords = 'Say how many you bring as a whole number from 0 to 3.';
      expect(complaints(await rsvp(maya, three, { guests }))).toEqual([inWords]);
      expect(complaints(await rsvp(maya, none, { guests }))).toEqual([without]);
      expect(complaints(await rsvp(maya, three, { guests, accepted: false }))).toHaveLength(1);
    }
    expect(complaints(await rsvp(maya, three, { guests: 4 }))).toEqual(['You can bring at most 3.']);
    expect(complaints(await rsvp(maya, none, { guests: 1 }))).toEqual([without]);
    expect([await goingTo(host, three), await goingTo(host, none)]).toEqual([3, 0]);
  });

  test('sent again answers the same where the host allows fewer guests since', async () => {
    const asked = await publishQuestions(host, bringing);
    for (const [template, answers] of [
      [null, undefined],
      [asked, cake],
    ] as const) {
      const party = await createParty(host, { plusOnes: 2, template });
      const before = await rsvp(maya, party, { guests: 2 }, answers);
      expect((await edit(host, party, { plusOnes: 1 })).status).toBe(200);
      expect(await rsvp(maya, party, { guests: 2 }, answers)).toMatchObject({ status: 200, text: before.text });
      expect(complaints(await rsvp(june, party, { guests: 2 }, answers))).toHaveLength(1);
      expect(await goingTo(host, party)).toBe(3);
      if (template === null) continue;
      const other = [{ question: 'Bringing?', answer: 'Pie' }];
      expect(complaints(await rsvp(maya, party, { guests: 2 }, other))).toHaveLength(1);
    }
  });

  test('of a party that is full is a 409 until somebody makes room, said before what is missing', async () => {
    const template = await publishQuestions(host, bringing);
    const party = await createParty(host, { capacity: 3, plusOnes: 3, template });
    expect(refusal(await rsvp(maya, party, { guests: 3 }, cake))).toBe(409);
    expect((await rsvp(maya, party, { guests: 1 }, cake)).status).toBe(200);
    expect((await rsvp(june, party, {}, cake)).status).toBe(200);
    for (const answers of [undefined, cake]) expect(refusal(await rsvp(rival, party, {}, answers))).toBe(409);
    await rsvp(maya, party, {}, cake);
    expect((await rsvp(rival, party, {}, cake)).status).toBe(200);
    expect(await goingTo(host, party)).toBe(3);
  });

  test.each<[string, (party: Party) => Promise<void>]>([
    ['the last day to answer is past', (party) => closeAnswers(daybook.d1, party)],
    ['it is over', (party) => endParty(daybook.d1, party)],
  ])('once %s is a 409, and repeats what was answered before', async (_, close) => {
    const template = await publishQuestions(host, bringing);
    const party = await createParty(host, { plusOnes: 1, template });
    const yes = () => rsvp(maya, party, { guests: 1 }, cake);
    const no = () => rsvp(june, party, { accepted: false });
    const [said, declined] = [await yes(), await no()];
    await close(party);
    for (const answer of [
      await rsvp(rival, party, {}, cake),
      await rsvp(rival, party),
      await rsvp(rival, party, { accepted: false }),
      await rsvp(june, party, {}, cake),
      await rsvp(maya, party, { accepted: false }),
    ]) {
      expect(refusal(answer)).toBe(409);
    }
    expect(await yes()).toMatchObject({ status: 200, text: said.text });
    expect(await no()).toMatchObject({ status: 200, text: declined.text });
    expect(await answersIn(host, party)).toEqual([
      ['maya.l', true],
      [june.username, false],
    ]);
  });

  test('is taken once the party has begun', async () => {
    const party = await createParty(host);
    await movePartyTo(daybook.d1, party, -30, 30);
    expect((await rsvp(maya, party)).status).toBe(200);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('is taken all of the last day in %s', async (timeZone) => {
    const midnight = { date: dayAhead(1, timeZone), startTime: '00:00', rsvpBy: dayAhead(0, timeZone) };
    const party = await createParty(await newHost({ timeZone }), midnight);
    expect((await rsvp(maya, party)).status).toBe(200);
    const closes = daybook.d1.prepare('SELECT rsvp_closes_at AS at FROM parties WHERE id = ?').bind(party.id);
    expect(await closes.first('at')).toBe(Date.parse(party.startsAt));
  });
});

describe('the answers to the questions of a party', () => {
  let template: string;
  const questions = [
    { questionText: 'Was möchten Sie ESSEN?', questionType: multipleChoice, options: ['Fish', 'Käse', 'Nuts'] },
    { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    { questionText: 'Anything else?', questionType: openEnded },
  ];
  const staying = { question: 'Staying?', answer: 'yes' };
  const also = (answer: string) => ({ question: 'Anything else?', answer });

  beforeAll(async () => {
    template = await publishQuestions(host, questions);
  });

  test('are refused where they are wrong, missing or not asked for, and no answer is kept', async () => {
    const [party, plain] = await Promise.all([createParty(host, { template }), createParty(host)]);
    const food = { question: 'Was möchten Sie ESSEN?', answer: 'Ham' };
    for (const [sent, many] of [
      [undefined, 1],
      [[], 1],
      [[{ question: 'Dancing?', answer: 'Yes' }, food], 3],
      [staying, 1],
      [[staying, { answer: 'Yes' }], 1],
    ] as const) {
      expect(complaints(await rsvp(june, party, {}, sent))).toHaveLength(many);
    }
    expect(complaints(await rsvp(june, plain, {}, [staying]))).toHaveLength(1);
    expect([await answersIn(host, party), await answersIn(host, plain)]).toEqual([[], []]);
    expect((await rsvp(june, plain, {}, [])).status).toBe(200);
  });

  test('are kept as a template wants them, replaced with the next yes, and are one list for each invitation', async () => {
    const party = await createParty(host, { template });
    const food = { question: 'Was möchten Sie ESSEN?', answer: 'fish|käse' };
    const typed = { question: 'was möchten sie essen?', answer: 'Fish|KÄSE' };
    await rsvp(maya, party, {}, [staying, also('Cake')]);
    await rsvp(june, party, {}, [staying]);
    await rsvp(rival, party, { accepted: false });
    await rsvp(maya, party, {}, [also(' Vegan\r\nPLEASE | thanks '), typed, { question: 'sTAYING?', answer: 'YES' }]);
    const { formData } = await partyOf(host, party);
    expect(formData).toHaveLength(2);
    expect(formData).toEqual(expect.arrayContaining([[staying], [food, staying, also('Vegan\nPLEASE | thanks')]]));
  });

  test('of who says no are kept from the host, and shown to the guest who says yes again', async () => {
    const party = await createParty(host, { template, plusOnes: 1 });
    await rsvp(maya, party, {}, [staying, also('No nuts')]);
    await rsvp(june, party, {}, [staying]);
    await rsvp(maya, party, { accepted: false });
    expect((await partyOf(host, party)).formData).toEqual([[staying]]);
    expect((await edit(host, party, { plusOnes: 2 })).json).toMatchObject({ formData: [[staying]] });
    for (const page of [`/view-party/${party.id}`, `/view-party/${party.id}/guests.csv`]) {
      const { text } = await host.browser.get(page);
      expect([text.includes(maya.displayName), text.includes('No nuts')]).toEqual([true, false]);
    }
    expect((await maya.browser.get(`/party/${party.id}?step=questions`)).text).toContain('No nuts');
  });

  test('are asked as they were when the party was published, edited or deleted since', async () => {
    const before = await publishQuestions(host, [{ questionText: 'Singing?', required: true }]);
    const party = await createParty(host, { template: before });
    const singing = [{ question: 'Singing?', answer: 'Loudly' }];
    const anew = [{ questionText: 'Dancing?', required: true }];
    const edited = await host.api('PUT', `/api/Checkin/EditTemplate?id=${before}&templateName=Guests`, anew);
    expect(edited.status).toBe(200);
    expect((await rsvp(maya, party, {}, singing)).status).toBe(200);
    const current = (edited.json as { template: { id: string } }).template.id;
    expect((await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${current}`)).status).toBe(204);
    expect((await rsvp(june, party, {}, singing)).status).toBe(200);
    expect((await partyOf(host, party)).formData).toEqual([singing, singing]);
  });

  test('may be up to 512 KiB of JSON', async () => {
    const party = await createParty(host, { template });
    const much = (many: number) => [...Array.from({ length: many }, () => also('x'.repeat(2000))), staying];
    expect((await rsvp(maya, party, {}, much(200))).status).toBe(200);
    expect(refusal(await rsvp(maya, party, {}, much(270)))).toBe(413);
    expect(refusal(await rsvp(maya, party, {}, [staying], { 'content-type': 'text/plain' }))).toBe(415);
  });
});

describe('what a party tells', () => {
  let party: Party;
  beforeAll(async () => {
    const template = await publishQuestions(host, [{ questionText: 'Secret?' }]);
    party = await createParty(host, { plusOnes: 3, template });
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
    expect(rows).toStrictEqual(Array(7).fill({ ...party, going: 3 }));
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`maya\\.l|Maya Lindqvist|${june.username}|bees`));
  });

  test('to anyone but its host is not how many are coming, where that is hidden', async () => {
    await edit(host, party, { hideGoing: true });
    expect((await readings()).map(({ going }) => going)).toEqual(Array(7).fill(null));
    expect(await goingTo(host, party)).toBe(3);
    expect((await hosted(host)).find(({ id }) => id === party.id)).toMatchObject({ going: 3 });
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
    for (const who of [maya, june, rival]) await rsvp(who, crowd, { guests: 20 });
    await rsvp(guest, crowd, { accepted: false });
    const telling: string[] = [];
    for (const path of [
      '/invitations',
      `/?rsvp=${crowd.id}`,
      `/party/${crowd.id}`,
      `/invitations?_data=routes%2Fparties%2Fanswered`,
      `/?rsvp=${crowd.id}&_data=routes%2Fhome`,
      `/party/${crowd.id}?_data=routes%2Fletters%2Fparty`,
    ]) {
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
    const words = 'There is not enough room for all of you.';
    expect(refused.map(({ status, json }) => [status, json])).toEqual(Array(2).fill([409, words]));
    const letter = await june.browser.get(`/party/${party.id}`);
    const page = await letter.submit('RSVP', { guests: '2' });
    expect([page.status, page.words.includes(words)]).toEqual([409, true]);
    expect((await rsvp(june, party, { guests: 1 })).status).toBe(200);
    expect((await rsvp(rival, party)).json).toBe('This party is full.');
  });
});
