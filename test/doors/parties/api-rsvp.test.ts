import { beforeAll, describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, password, peopleAt, registerCrowd, several } from '../../support/factories';
import { all, edit, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  goingTo,
  type Invitation,
  type Party,
  partyOf,
  publishQuestions,
  rsvp,
  rsvpsIn,
} from '../../support/party-factories';
import {
  deleteTemplate,
  editTemplate,
  idOf,
  multipleChoice,
  openEnded,
  singleChoice,
  templateIn,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

describe('the host of whoever', () => {
  const toldTo = async (who: Person) =>
    (await newsOf(who)).filter(({ kind }) => kind === 'rsvps').map(({ text }) => text);

  test('changes their mind hears of one person, and of two who reply', async () => {
    const own = await newHost();
    const party = await createParty(own, { title: 'Tea' });
    for (const accepted of [true, false, true]) await rsvp(maya, party, { accepted });

    expect(await toldTo(own)).toEqual(['One person has answered Tea.']);

    await rsvp(june, party);

    expect(await toldTo(own)).toEqual(['2 people have answered Tea.']);
  });

  test('deletes their account sees “Former guest” in the list, on the page and in the file', async () => {
    const own = await newHost();
    const [party, leaver] = [await createParty(own), await newGuest()];
    await rsvp(leaver, party);
    await leaver.api('DELETE', '/api/Account/Delete', { password });

    expect((await partyOf(own, party)).invitations).toMatchObject([{ username: 'Former guest', accepted: false }]);
    expect((await own.browser.get(`/view-party/${party.id}`)).words).toContain('Former guest');
    expect((await own.browser.get(`/view-party/${party.id}/guests.csv`)).text).toContain('Former guest');
  });
});

describe('BookRsvp', () => {
  test('answers with an invitation of four keys', async () => {
    const party = await createParty(host);

    const { status, json } = await rsvp(maya, party);

    expect(status).toBe(200);
    expect(json).toStrictEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      meetupId: party.id,
      username: 'maya.l',
      accepted: true,
    });
  });

  test.each<[string, query: Parameters<typeof rsvp>[2], accepted: boolean, going: number]>([
    ['a no', { accepted: false }, false, 0],
    ['a yes with two more', { guests: 2 }, true, 3],
    ['a yes alone', {}, true, 1],
  ])(
    'keeps one invitation for each account, of which the latest RSVP counts: %s',
    async (_, query, accepted, going) => {
      const party = await createParty(host, { plusOnes: 2 });
      const first = (await rsvp(maya, party, { guests: 1 })).json as Invitation;

      const response = await rsvp(maya, party, query);

      expect(response).toMatchObject({ status: 200, json: { ...first, accepted } });
      expect(await partyOf(host, party)).toMatchObject({ invitations: [{ ...first, accepted }], going });
    },
  );

  test('counts the same RSVP once, however often it is sent', async () => {
    const party = await createParty(host, { plusOnes: 2 });

    for (const _ of [1, 2]) await rsvp(maya, party, { guests: 2 });

    expect(await goingTo(host, party)).toBe(3);
  });

  test('is refused to the host', async () => {
    const party = await createParty(host);

    expect(refusal(await rsvp(host, party))).toBe(403);
    expect(await rsvpsIn(host, party)).toEqual([]);
  });

  test('is refused for a meetup', async () => {
    const meetup = await createMeetup(host);

    expect(refusal(await rsvp(maya, meetup))).toBe(404);
    expect(await partyOf(host, meetup)).toStrictEqual(meetup);
  });

  test.each<[string, query: Parameters<typeof rsvp>[2], fault: unknown]>([
    ['without a yes or no', { accepted: '' }, expect.any(String)],
    ['with another word than yes or no', { accepted: '1' }, expect.any(String)],
    ['with a negative number of guests', { guests: '-1' }, 'Say how many you bring as a whole number from 0 to 3.'],
    ['with a number in another form', { guests: '1e1' }, 'Say how many you bring as a whole number from 0 to 3.'],
    ['with more guests than are allowed', { guests: 4 }, 'You can bring at most 3.'],
  ])('is refused %s', async (_, query, fault) => {
    const party = await createParty(host, { plusOnes: 3 });

    expect(complaints(await rsvp(maya, party, query))).toEqual([fault]);
    expect(await rsvpsIn(host, party)).toEqual([]);
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
  const staying = { question: 'Staying?', answer: 'yes' };
  const anythingElse = (answer: string) => ({ question: 'Anything else?', answer });

  beforeAll(async () => {
    template = await publishQuestions(host, [
      { questionText: 'Was möchten Sie ESSEN?', questionType: multipleChoice, options: ['Fish', 'Käse', 'Nuts'] },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
      { questionText: 'Anything else?', questionType: openEnded },
    ]);
  });

  test.each<[string, sent: unknown, faults: number]>([
    ['missing', undefined, 1],
    [
      'wrong, missing and not asked for',
      [
        { question: 'Dancing?', answer: 'Yes' },
        { question: 'Was möchten Sie ESSEN?', answer: 'Ham' },
      ],
      3,
    ],
    ['no list', staying, 1],
  ])('are refused where they are %s', async (_, sent, faults) => {
    const party = await createParty(host, { template });

    expect(complaints(await rsvp(june, party, {}, sent))).toHaveLength(faults);
    expect(await rsvpsIn(host, party)).toEqual([]);
  });

  test('are refused where the party asks nothing', async () => {
    const plain = await createParty(host);

    expect(complaints(await rsvp(june, plain, {}, [staying]))).toHaveLength(1);
    expect(await rsvpsIn(host, plain)).toEqual([]);
  });

  test('are kept in the order and the spelling of the questions', async () => {
    const party = await createParty(host, { template });
    const food = { question: 'was möchten sie essen?', answer: 'Fish|KÄSE' };

    const sent = [anythingElse(' Vegan\r\nPLEASE | thanks '), food, { question: 'sTAYING?', answer: 'YES' }];
    await rsvp(maya, party, {}, sent);

    expect((await partyOf(host, party)).formData).toEqual([
      [{ question: 'Was möchten Sie ESSEN?', answer: 'fish|käse' }, staying, anythingElse('Vegan\nPLEASE | thanks')],
    ]);
  });

  test('are replaced with the next yes', async () => {
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [staying, anythingElse('Cake')]);

    await rsvp(maya, party, {}, [staying]);

    expect((await partyOf(host, party)).formData).toEqual([[staying]]);
  });

  test('of others stay where one guest changes theirs', async () => {
    const party = await createParty(host, { template });
    await rsvp(june, party, {}, [staying]);
    await rsvp(maya, party, {}, [staying, anythingElse('Cake')]);

    await rsvp(maya, party, {}, [staying, anythingElse('Tea')]);

    const { formData } = await partyOf(host, party);
    expect(formData).toHaveLength(2);
    expect(formData).toContainEqual([staying]);
    expect(formData).toContainEqual([staying, anythingElse('Tea')]);
  });

  test('are hidden from the host with a no', async () => {
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [staying, anythingElse('Vegan')]);
    await rsvp(june, party, {}, [staying]);

    await rsvp(maya, party, { accepted: false });

    expect((await partyOf(host, party)).formData).toEqual([[staying]]);
    for (const path of [`/view-party/${party.id}`, `/view-party/${party.id}/guests.csv`]) {
      const { text } = await host.browser.get(path);
      expect(text).toContain(maya.displayName);
      expect(text).not.toContain('Vegan');
    }
  });

  test('stand on the letter again for a guest who said no', async () => {
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [staying, anythingElse('Vegan')]);

    await rsvp(maya, party, { accepted: false });

    expect((await maya.browser.get(`/party/${party.id}?step=questions`)).text).toContain('Vegan');
  });

  test('are asked as they were when the party was published, edited or deleted since', async () => {
    const before = await publishQuestions(host, [{ questionText: 'Singing?', required: true }]);
    const party = await createParty(host, { template: before });
    const singing = [{ question: 'Singing?', answer: 'Loudly' }];

    const edited = await editTemplate(host, before, [{ questionText: 'Dancing?', required: true }], 'Guests');
    await rsvp(maya, party, {}, singing);
    await deleteTemplate(host, idOf(templateIn(edited)));
    await rsvp(june, party, {}, singing);

    expect((await partyOf(host, party)).formData).toEqual([singing, singing]);
  });
});

describe('anyone but the host', () => {
  /** The party as its guests and strangers read it: in their list, then at its link. */
  async function readByGuests(party: Party): Promise<Party[]> {
    const inList = (await all(maya)).find(({ id }) => id === party.id) as Party;
    const readers = [daybook.visitor(), maya, june, rival];
    return [inList, ...(await Promise.all(readers.map((reader) => partyOf(reader, party))))];
  }

  test('reads how many are coming, not who was invited or what they answered', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Secret?' }]);
    const party = await createParty(host, { plusOnes: 3, template });
    await rsvp(maya, party, { guests: 2 }, [{ question: 'Secret?', answer: 'Allergic to bees' }]);
    await rsvp(june, party, { accepted: false });

    const read = await readByGuests(party);

    expect(read).toStrictEqual(Array(5).fill({ ...party, going: 3 }));
    expect(JSON.stringify(read)).not.toMatch(new RegExp(`maya\\.l|Maya Lindqvist|${june.username}|bees`));
  });

  test('reads no number of guests where the host hides it', async () => {
    const party = await createParty(host, { plusOnes: 3 });
    await rsvp(maya, party, { guests: 2 });

    await edit(host, party, { hideGoing: true });

    expect((await readByGuests(party)).map(({ going }) => going)).toEqual(Array(5).fill(null));
    expect(await goingTo(host, party)).toBe(3);
  });
});

describe('a hidden number of guests', () => {
  let party: Party;
  let guest: Person;
  const notEnough = 'There is not enough room for all of you.';

  /** Sixty-three are coming, and seven places are left. */
  beforeAll(async () => {
    party = await createParty(host, { title: 'Hidden crowd', plusOnes: 20, capacity: 70, hideGoing: true });
    guest = await newGuest();
    for (const who of [maya, june, rival]) await rsvp(who, party, { guests: 20 });
    await rsvp(guest, party, { accepted: false });
  });

  test('is in no page that a guest may open, nor in the data behind it', async () => {
    for (const path of [
      '/invitations',
      '/invitations?_data=routes%2Fparties%2Finvitations',
      `/?rsvp=${party.id}&_data=routes%2Fhome`,
      `/party/${party.id}`,
      `/party/${party.id}?_data=routes%2Fletters%2Fparty`,
    ]) {
      const { status, text } = await guest.browser.get(path);
      expect(status, path).toBe(200);
      expect(text, path).toContain('Hidden crowd');
      expect(text, path).not.toMatch(/"(going|left)":\s*(63|7)|63 people|7 places|"invited"/);
    }
  });

  test.each([7, 20])('is not in the refusal of a call for %i more', async (guests) => {
    expect(await rsvp(guest, party, { guests })).toMatchObject({ status: 409, json: notEnough });
  });

  test('is not in the refusal on the letter', async () => {
    const page = await (await guest.browser.get(`/party/${party.id}`)).submit('RSVP', { guests: '7' });

    expect(page.status).toBe(409);
    expect(page.words).toContain(notEnough);
  });

  test('is still counted, until the party is full', async () => {
    expect((await rsvp(guest, party, { guests: 6 })).status).toBe(200);
    expect((await rsvp(await newGuest(), party)).json).toBe('This party is full.');
  });
});

/* Many who answer at once. */

const room = 10;
let crowd: Person[];
beforeAll(async () => {
  crowd = await registerCrowd(daybook, 30);
}, 120_000);

/** A party as it is in the book: how many it counts, how many there are by its invitations, how many may come. */
const bookOf = async ({ id }: Party) =>
  (await daybook.d1
    .prepare(
      `SELECT going, capacity, count(invitations.id) AS invitations,
         coalesce(sum(CASE WHEN accepted = 1 THEN 1 + invitations.plus_ones ELSE 0 END), 0) AS people
       FROM parties LEFT JOIN invitations ON party_id = parties.id WHERE parties.id = ?`,
    )
    .bind(id)
    .first()) as { going: number; people: number; capacity: number; invitations: number };
const statusesOf = (responses: ApiResponse[]) => [...new Set(responses.map(({ status }) => status))].sort();

/** Looks at how many are coming, as guests do, until told to stop; gives the most it ever saw. */
function watch(party: Party): () => Promise<number> {
  let isOn = true;
  const looking = (async () => {
    let most = 0;
    while (isOn) most = Math.max(most, (await partyOf(daybook.visitor(), party)).going ?? Number.NaN);
    return most;
  })();
  return () => {
    isOn = false;
    return looking;
  };
}

describe('of guests who answer at once, each three times and some with others,', () => {
  const bringing = (index: number) => [0, 3, 1, 0, 5, 2][index % 6] ?? 0;
  let party: Party;
  let mostSeen: number;
  let responses: ApiResponse[][];
  beforeAll(async () => {
    party = await createParty(host, { capacity: room, plusOnes: 5 });
    const stop = watch(party);
    responses = await Promise.all(
      crowd.map((guest, index) => several(3, () => rsvp(guest, party, { guests: bringing(index) }))),
    );
    mostSeen = await stop();
  });
  const isIn = (index: number) => responses[index]?.[0]?.status === 200;

  test('no more than there is room for are ever seen', () => {
    expect(mostSeen).toBeLessThanOrEqual(room);
  });

  test('each is told the same three times', () => {
    for (const [first, ...repeats] of responses) {
      for (const { status, text } of repeats) {
        expect(status).toBe(first?.status);
        if (status === 200) expect(text).toBe(first?.text);
      }
    }
  });

  test('those who don’t get in are told why', () => {
    const refusals = responses.flat().filter(({ status }) => status !== 200);

    expect(statusesOf(refusals)).toEqual([409]);
    for (const { text } of refusals) expect(text).toMatch(/This party is full|There is not enough room/);
  });

  test('as many come as there is room for', async () => {
    // Enough come alone to fill the last place too.
    const { going, people } = await bookOf(party);
    expect(going).toBe(room);
    expect(people).toBe(room);
    expect(crowd.reduce((sum, _, index) => sum + (isIn(index) ? 1 + bringing(index) : 0), 0)).toBe(room);
  });

  test('those who get in are the invited ones', async () => {
    const winners = crowd.filter((_, index) => isIn(index)).map(({ username }) => username);

    expect((await bookOf(party)).invitations).toBe(winners.length);
    expect((await rsvpsIn(host, party)).sort()).toEqual(winners.map((name) => [name, true]).sort());
  });
});

describe('while guests change their minds and the host changes the room,', () => {
  const rooms = [8, 5, 9, 3, 1, 10, 6, 2, 7, 4, 10, 8];
  const edits: ApiResponse[] = [];
  let party: Party;
  let mostSeen: number;
  let responses: ApiResponse[];
  beforeAll(async () => {
    party = await createParty(host, { capacity: room, plusOnes: 3 });
    const stop = watch(party);
    const sent = crowd.map(async (guest, index) => [
      await rsvp(guest, party, { accepted: index % 3 !== 0, guests: index % 3 === 0 ? 0 : index % 4 }),
      await rsvp(guest, party, { accepted: index % 4 !== 1, guests: index % 4 === 1 ? 0 : index % 2 }),
      await rsvp(guest, party, { accepted: index % 5 !== 2 }),
    ]);
    for (const capacity of rooms) edits.push(await edit(host, party, { capacity }));
    responses = (await Promise.all(sent)).flat();
    mostSeen = await stop();
  });

  test('each RSVP is taken, or refused for want of room', () => {
    expect(statusesOf(responses)).toEqual([200, 409]);
  });

  test('each edit is taken, or refused for those who come', () => {
    for (const { status } of edits) expect([200, 400]).toContain(status);
  });

  test('no more than the most room are ever seen', () => {
    expect(mostSeen).toBeLessThanOrEqual(room);
  });

  test('the count is that of the answers, within the room', async () => {
    const { going, people, capacity } = await bookOf(party);

    expect(going).toBe(people);
    expect(going).toBeLessThanOrEqual(capacity);
  });

  test('the last edit that was taken counts', async () => {
    const taken = rooms.filter((_, index) => edits[index]?.status === 200);

    expect((await bookOf(party)).capacity).toBe(taken.at(-1) ?? room);
  });
});

test('a party that is deleted while guests answer takes no RSVP afterwards', async () => {
  const party = await createParty(host, { capacity: room });

  const [deleted, ...responses] = await Promise.all([
    remove(host, party),
    ...crowd.slice(0, 20).map((guest) => rsvp(guest, party)),
  ]);

  expect(deleted.status).toBe(204);
  for (const status of statusesOf(responses)) expect([200, 404, 409]).toContain(status);
  const late = await several(2, (index) => rsvp(crowd[index] as Person, party));
  expect(statusesOf(late)).toEqual([404]);
});

test('of edits at once each one stays', async () => {
  const changes = [{ date: dayAhead(40) }, { startTime: '11:05' }, { endTime: '23:35' }, { title: 'Renamed' }];
  for (let round = 0; round < 5; round++) {
    const party = await createParty(host);

    const responses = await Promise.all(changes.map((change) => edit(host, party, change)));

    expect(statusesOf(responses)).toEqual([200]);
    expect(await partyOf(host, party)).toMatchObject(Object.assign({}, ...changes));
  }
});
