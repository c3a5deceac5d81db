import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt, registerCrowd, several } from '../../support/factories';
import { all, edit, remove } from '../../support/party-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  goingTo,
  type Invitation,
  type Party,
  partyOf,
  publishQuestions,
  rsvp,
} from '../../support/party-factories';
import { deleteTemplate, multipleChoice, openEnded, singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

describe('BookRsvp', () => {
  test('keeps one invitation of four keys for each account: the latest answer counts, with all whom it brings', async () => {
    const party = await createParty(host, { plusOnes: 2 });
    const { status, json } = await rsvp(maya, party);
    const id = expect.stringMatching(/^[\w-]{22}$/);
    expect([status, json]).toStrictEqual([200, { id, meetupId: party.id, username: 'maya.l', accepted: true }]);
    for (const [query, accepted, going] of [
      [{ accepted: false }, false, 0],
      [{ guests: 2 }, true, 3],
      [{ guests: 2 }, true, 3],
      [{}, true, 1],
    ] as const) {
      const invitation = { ...(json as Invitation), accepted };
      expect(await rsvp(maya, party, query)).toMatchObject({ status: 200, json: invitation });
      expect(await partyOf(host, party)).toMatchObject({ invitations: [invitation], going });
    }
  });

  test('is refused to the host, for a meetup, without a yes or no, and with more guests than are allowed', async () => {
    const [party, meetup] = await Promise.all([createParty(host, { plusOnes: 3 }), createMeetup(host)]);
    expect([refusal(await rsvp(host, party)), refusal(await rsvp(maya, meetup))]).toEqual([403, 404]);
    for (const [query, fault] of [
      [{ accepted: '' }, expect.any(String)],
      [{ accepted: '1' }, expect.any(String)],
      [{ guests: '-1' }, 'Say how many you bring as a whole number from 0 to 3.'],
      [{ guests: '1e1' }, 'Say how many you bring as a whole number from 0 to 3.'],
      [{ guests: 4 }, 'You can bring at most 3.'],
    ] as const) {
      expect([query, complaints(await rsvp(maya, party, query))]).toEqual([query, [fault]]);
    }
    expect([await answersIn(host, party), await partyOf(host, meetup)]).toStrictEqual([[], meetup]);
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
  const also = (answer: string) => ({ question: 'Anything else?', answer });

  beforeAll(async () => {
    template = await publishQuestions(host, [
      { questionText: 'Was möchten Sie ESSEN?', questionType: multipleChoice, options: ['Fish', 'Käse', 'Nuts'] },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
      { questionText: 'Anything else?', questionType: openEnded },
    ]);
  });

  test('are refused where they are wrong, missing or not asked for, and no answer is kept', async () => {
    const [party, plain] = await Promise.all([createParty(host, { template }), createParty(host)]);
    const food = { question: 'Was möchten Sie ESSEN?', answer: 'Ham' };
    for (const [asked, sent, many] of [
      [party, undefined, 1],
      [party, [{ question: 'Dancing?', answer: 'Yes' }, food], 3],
      [party, staying, 1],
      [plain, [staying], 1],
    ] as const) {
      expect(complaints(await rsvp(june, asked, {}, sent))).toHaveLength(many);
    }
    expect([await answersIn(host, party), await answersIn(host, plain)]).toEqual([[], []]);
  });

  test('are kept as a template wants them, replaced with the next yes, and hidden from the host with a no', async () => {
    const party = await createParty(host, { template });
    const food = { question: 'Was möchten Sie ESSEN?', answer: 'fish|käse' };
    const typed = { question: 'was möchten sie essen?', answer: 'Fish|KÄSE' };
    await rsvp(maya, party, {}, [staying, also('Cake')]);
    await rsvp(june, party, {}, [staying]);
    await rsvp(maya, party, {}, [also(' Vegan\r\nPLEASE | thanks '), typed, { question: 'sTAYING?', answer: 'YES' }]);
    const kept = [food, staying, also('Vegan\nPLEASE | thanks')];
    const { formData } = await partyOf(host, party);
    expect(formData.sort((one, other) => one.length - other.length)).toEqual([[staying], kept]);
    await rsvp(maya, party, { accepted: false });
    expect((await partyOf(host, party)).formData).toEqual([[staying]]);
    for (const page of [`/view-party/${party.id}`, `/view-party/${party.id}/guests.csv`]) {
      const { text } = await host.browser.get(page);
      expect([text.includes(maya.displayName), text.includes('Vegan')]).toEqual([true, false]);
    }
    // The guest finds them again.
    expect((await maya.browser.get(`/party/${party.id}?step=questions`)).text).toContain('Vegan');
  });

  test('are asked as they were when the party was published, edited or deleted since', async () => {
    const before = await publishQuestions(host, [{ questionText: 'Singing?', required: true }]);
    const party = await createParty(host, { template: before });
    const singing = [{ question: 'Singing?', answer: 'Loudly' }];
    const anew = [{ questionText: 'Dancing?', required: true }];
    const edited = await host.api('PUT', `/api/Checkin/EditTemplate?id=${before}&templateName=Guests`, anew);
    await rsvp(maya, party, {}, singing);
    await deleteTemplate(host, (edited.json as { template: { id: string } }).template.id);
    await rsvp(june, party, {}, singing);
    expect((await partyOf(host, party)).formData).toEqual([singing, singing]);
  });
});

describe('what a party tells', () => {
  test('to anyone but its host is not who was invited, what they answered, nor how many are coming where that is hidden', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Secret?' }]);
    const party = await createParty(host, { plusOnes: 3, template });
    await rsvp(maya, party, { guests: 2 }, [{ question: 'Secret?', answer: 'Allergic to bees' }]);
    await rsvp(june, party, { accepted: false });
    const read = async () => {
      const inList = (await all(maya)).find(({ id }) => id === party.id) as Party;
      return [inList, ...(await Promise.all([daybook.visitor(), maya, june, rival].map((who) => partyOf(who, party))))];
    };
    const rows = await read();
    expect(rows).toStrictEqual(Array(5).fill({ ...party, going: 3 }));
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`maya\\.l|Maya Lindqvist|${june.username}|bees`));
    await edit(host, party, { hideGoing: true });
    expect((await read()).map(({ going }) => going)).toEqual(Array(5).fill(null));
    expect(await goingTo(host, party)).toBe(3);
  });

  test('where it is hidden, is in no page that a guest may open, nor in the data behind it, nor in a refusal', async () => {
    const crowd = await createParty(host, { title: 'Hidden crowd', plusOnes: 20, capacity: 70, hideGoing: true });
    const guest = await newGuest();
    for (const who of [maya, june, rival]) await rsvp(who, crowd, { guests: 20 });
    await rsvp(guest, crowd, { accepted: false });
    for (const path of [
      '/invitations',
      '/invitations?_data=routes%2Fparties%2Fanswered',
      `/?rsvp=${crowd.id}&_data=routes%2Fhome`,
      `/party/${crowd.id}`,
      `/party/${crowd.id}?_data=routes%2Fletters%2Fparty`,
    ]) {
      const { status, text } = await guest.browser.get(path);
      expect([path, status, text.includes('Hidden crowd')]).toEqual([path, 200, true]);
      expect([path, text]).toEqual([
        path,
        expect.not.stringMatching(/"(going|left)":\s*(63|7)|63 people|7 places|"invited"/),
      ]);
    }
    const words = 'There is not enough room for all of you.';
    for (const guests of [7, 20]) {
      expect(await rsvp(guest, crowd, { guests })).toMatchObject({ status: 409, json: words });
    }
    const page = await (await guest.browser.get(`/party/${crowd.id}`)).submit('RSVP', { guests: '7' });
    expect([page.status, page.words.includes(words)]).toEqual([409, true]);
    expect((await rsvp(guest, crowd, { guests: 6 })).status).toBe(200);
    expect((await rsvp(await newGuest(), crowd)).json).toBe('This party is full.');
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
const statusesOf = (answers: ApiResponse[]) => [...new Set(answers.map(({ status }) => status))].sort();

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

test('of guests at once, each three times and some with others, as many come as there is room for, and the rest are told', async () => {
  const party = await createParty(host, { capacity: room, plusOnes: 5 });
  const bringing = (index: number) => [0, 3, 1, 0, 5, 2][index % 6] ?? 0;
  const stop = watch(party);
  const thrice = await Promise.all(
    crowd.map((guest, index) => several(3, () => rsvp(guest, party, { guests: bringing(index) }))),
  );
  expect(await stop()).toBeLessThanOrEqual(room);
  const answers = thrice.map(([first, ...repeats]) => {
    for (const { status, text } of repeats) {
      const said = status === 200 ? first?.text : expect.stringMatching(/This party is full|There is not enough room/);
      expect([status, text]).toEqual([first?.status, said]);
    }
    return first as ApiResponse;
  });
  expect(statusesOf(answers)).toEqual([200, 409]);
  const isIn = (index: number) => answers[index]?.status === 200;
  const winners = crowd.filter((_, index) => isIn(index)).map(({ username }) => username);
  // As many come alone as there is room for, so the last place is filled too.
  expect(await bookOf(party)).toEqual({ going: room, people: room, capacity: room, invitations: winners.length });
  expect((await answersIn(host, party)).sort()).toEqual(winners.map((name) => [name, true]).sort());
  expect(crowd.reduce((sum, _, index) => sum + (isIn(index) ? 1 + bringing(index) : 0), 0)).toBe(room);
});

describe('while minds are changed', () => {
  test('and the host changes the room: the count is right, and never above the room of the moment', async () => {
    const party = await createParty(host, { capacity: room, plusOnes: 3 });
    const stop = watch(party);
    const answering = crowd.map(async (guest, index) => [
      await rsvp(guest, party, { accepted: index % 3 !== 0, guests: index % 3 === 0 ? 0 : index % 4 }),
      await rsvp(guest, party, { accepted: index % 4 !== 1, guests: index % 4 === 1 ? 0 : index % 2 }),
      await rsvp(guest, party, { accepted: index % 5 !== 2 }),
    ]);
    const rooms = [8, 5, 9, 3, 1, 10, 6, 2, 7, 4, 10, 8];
    const edits: ApiResponse[] = [];
    for (const capacity of rooms) edits.push(await edit(host, party, { capacity }));
    const answers = (await Promise.all(answering)).flat();
    expect(await stop()).toBeLessThanOrEqual(room);
    expect(statusesOf(answers)).toEqual([200, 409]);
    for (const { status } of edits) expect([200, 400]).toContain(status);
    const { going, people, capacity } = await bookOf(party);
    expect(going).toBe(people);
    expect(going).toBeLessThanOrEqual(capacity);
    // Of the edits that were taken, the last one counts.
    const taken = rooms.filter((_, index) => edits[index]?.status === 200);
    expect(capacity).toBe(taken.at(-1) ?? room);
  });

  test('and the host deletes the party: nobody can answer it any more', async () => {
    const party = await createParty(host, { capacity: room });
    const [deleted, ...answers] = await Promise.all([
      remove(host, party),
      ...crowd.slice(0, 20).map((guest) => rsvp(guest, party)),
    ]);
    expect(deleted.status).toBe(204);
    for (const status of statusesOf(answers)) expect([200, 404, 409]).toContain(status);
    const late = await several(2, (index) => rsvp(crowd[index] as Person, party));
    expect(late.map(({ status }) => status)).toEqual([404, 404]);
  });
});

test('of edits at once each one stays', async () => {
  const changes = [{ date: dayAhead(40) }, { startTime: '11:05' }, { endTime: '23:35' }, { title: 'Renamed' }];
  for (let round = 0; round < 5; round++) {
    const party = await createParty(host);
    const answers = await Promise.all(changes.map((change) => edit(host, party, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await partyOf(host, party)).toMatchObject(Object.assign({}, ...changes));
  }
});
