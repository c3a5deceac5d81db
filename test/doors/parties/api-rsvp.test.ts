import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt } from '../../support/factories';
import { nothing } from '../../support/party-calls';
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
import { type Answer, multipleChoice, openEnded, singleChoice } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

describe('BookRsvp', () => {
  test('gives the invitation, with these four keys', async () => {
    const party = await createParty(host);
    const answer = await rsvp(maya, party);
    expect(answer.status).toBe(200);
    expect(answer.json).toStrictEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      meetupId: party.id,
      username: 'maya.l',
      accepted: true,
    });
    expect((await partyOf(host, party)).invitations).toStrictEqual([answer.json]);
  });

  test('keeps one invitation for each account: the latest answer counts', async () => {
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
      const answer = await rsvp(maya, party, query);
      expect(answer).toMatchObject({ status: 200, json: { ...first, accepted } });
      expect(await answersIn(host, party)).toEqual([['maya.l', accepted]]);
      expect(await goingTo(host, party)).toBe(going);
    }
  });

  test('counts everyone, and whom they bring', async () => {
    const party = await createParty(host, { plusOnes: 20 });
    await rsvp(maya, party, { guests: 20 });
    await rsvp(june, party);
    await rsvp(rival, party, { guests: 1 });
    expect(await goingTo(host, party)).toBe(24);
    expect(await partyOf(june, party)).toMatchObject({ going: 24 });
  });

  test('is not for the host', async () => {
    const party = await createParty(host);
    expect(refusal(await rsvp(host, party))).toBe(403);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test.each(['', '&accepted=', '&accepted=yes', '&accepted=TRUE', '&accepted=1', '&accepted=null'])(
    'with “%s” instead of true or false is a 400',
    async (accepted) => {
      const party = await createParty(host);
      expect(complaints(await maya.api('PUT', `/api/Party/BookRsvp?id=${party.id}${accepted}`))).toHaveLength(1);
      expect(await answersIn(host, party)).toEqual([]);
    },
  );

  test.each(['-1', '0.5', 'two', '21', '1e1'])('with %j guests is a 400', async (guests) => {
    const party = await createParty(host, { plusOnes: 20 });
    expect(complaints(await rsvp(maya, party, { guests }))).toHaveLength(1);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('with more guests than may be brought is a 400, and an earlier answer stays', async () => {
    const [none, two] = await Promise.all([createParty(host), createParty(host, { plusOnes: 2 })]);
    expect(complaints(await rsvp(maya, none, { guests: 1 }))).toHaveLength(1);
    expect((await rsvp(maya, none, { guests: 0 })).status).toBe(200);
    await rsvp(maya, two, { guests: 2 });
    expect(complaints(await rsvp(maya, two, { guests: 3 }))).toHaveLength(1);
    expect(await goingTo(host, two)).toBe(3);
  });

  test('with too many guests names what is missing among the answers too', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?', required: true }]);
    const party = await createParty(host, { plusOnes: 2, template });
    const wrong = complaints(await rsvp(maya, party, { guests: 3 }));
    expect(wrong).toEqual(['“Bringing?” needs an answer.', 'You can bring at most 2.']);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('sent again answers the same where the host allows fewer guests since', async () => {
    const asked = await publishQuestions(host, [{ questionText: 'Bringing?', required: true }]);
    const cake = [{ question: 'Bringing?', answer: 'Cake' }];
    for (const [template, answers] of [
      [null, undefined],
      [asked, cake],
    ] as const) {
      const party = await createParty(host, { plusOnes: 2, template });
      const before = await rsvp(maya, party, { guests: 2 }, answers);
      expect((await host.api('PUT', `/api/Party/EditParty/${party.id}`, { plusOnes: 1 })).status).toBe(200);
      const { status, json } = await rsvp(maya, party, { guests: 2 }, answers);
      expect({ status, json }).toEqual({ status: 200, json: before.json });
      expect(complaints(await rsvp(june, party, { guests: 2 }, answers))).toHaveLength(1);
      expect(await goingTo(host, party)).toBe(3);
    }
    const party = await createParty(host, { plusOnes: 2, template: asked });
    await rsvp(maya, party, { guests: 2 }, cake);
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { plusOnes: 1 });
    const other = [{ question: 'Bringing?', answer: 'Pie' }];
    expect(complaints(await rsvp(maya, party, { guests: 2 }, other))).toHaveLength(1);
  });

  test('without an id is a 400, of what is not there a 404', async () => {
    expect(complaints(await maya.api('PUT', '/api/Party/BookRsvp?accepted=true'))).toHaveLength(1);
    expect(refusal(await rsvp(maya, nothing))).toBe(404);
    expect(complaints(await rsvp(maya, nothing, { accepted: 'perhaps', guests: 'many' }))).toHaveLength(2);
  });

  test('of a meetup is a 404, for its host too', async () => {
    const meetup = await createMeetup(host);
    for (const who of [maya, host]) expect(refusal(await rsvp(who, meetup))).toBe(404);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  describe('of a party that is full', () => {
    test('is a 409 until somebody makes room', async () => {
      const party = await createParty(host, { capacity: 3, plusOnes: 3 });
      expect(refusal(await rsvp(maya, party, { guests: 3 }))).toBe(409);
      expect((await rsvp(maya, party, { guests: 1 })).status).toBe(200);
      expect(refusal(await rsvp(june, party, { guests: 1 }))).toBe(409);
      expect((await rsvp(june, party)).status).toBe(200);
      expect(refusal(await rsvp(rival, party))).toBe(409);
      expect(await answersIn(host, party)).toEqual(
        expect.arrayContaining([
          ['maya.l', true],
          [june.username, true],
        ]),
      );
      await rsvp(maya, party);
      expect((await rsvp(rival, party)).status).toBe(200);
      expect(await goingTo(host, party)).toBe(3);
    });

    test('leaves an earlier answer as it is, and may be repeated', async () => {
      const party = await createParty(host, { capacity: 2, plusOnes: 2 });
      await rsvp(maya, party, { guests: 1 });
      expect(refusal(await rsvp(maya, party, { guests: 2 }))).toBe(409);
      expect((await rsvp(maya, party, { guests: 1 })).status).toBe(200);
      expect(await goingTo(host, party)).toBe(2);
    });

    test('still takes a no, and a no may be too late to become a yes', async () => {
      const party = await createParty(host, { capacity: 1 });
      await rsvp(maya, party, { accepted: false });
      await rsvp(june, party);
      expect((await rsvp(rival, party, { accepted: false })).status).toBe(200);
      expect(refusal(await rsvp(maya, party))).toBe(409);
      expect(await answersIn(host, party)).toEqual(expect.arrayContaining([['maya.l', false]]));
    });

    test('is said before what is missing among the answers', async () => {
      const template = await publishQuestions(host, [{ questionText: 'Bringing?', required: true }]);
      const party = await createParty(host, { capacity: 1, template });
      await rsvp(maya, party, {}, [{ question: 'Bringing?', answer: 'Cake' }]);
      expect(refusal(await rsvp(june, party))).toBe(409);
    });
  });

  describe('of a party that takes no answers any more', () => {
    const ways: [string, (party: Party) => Promise<void>][] = [
      ['the last day to answer is past', (party) => closeAnswers(daybook.d1, party)],
      ['it is over', (party) => endParty(daybook.d1, party)],
    ];

    test.each(ways)('because %s, is a 409', async (_, close) => {
      const template = await publishQuestions(host, [{ questionText: 'Bringing?', required: true }]);
      const party = await createParty(host, { template });
      const answers = [{ question: 'Bringing?', answer: 'Cake' }];
      await rsvp(maya, party, {}, answers);
      await close(party);
      expect(refusal(await rsvp(june, party, {}, answers))).toBe(409);
      expect(refusal(await rsvp(june, party))).toBe(409);
      expect(refusal(await rsvp(june, party, { accepted: false }))).toBe(409);
      expect(refusal(await rsvp(maya, party, { accepted: false }))).toBe(409);
      expect(await answersIn(host, party)).toEqual([['maya.l', true]]);
    });

    test.each(ways)('because %s, repeats what was answered before', async (_, close) => {
      const party = await createParty(host, { plusOnes: 1 });
      const before = [await rsvp(maya, party, { guests: 1 }), await rsvp(june, party, { accepted: false })];
      await close(party);
      const after = [await rsvp(maya, party, { guests: 1 }), await rsvp(june, party, { accepted: false })];
      expect(after.map(({ status, json }) => ({ status, json }))).toEqual(
        before.map(({ json }) => ({ status: 200, json })),
      );
    });
  });

  test('of a party that has begun is still taken', async () => {
    const party = await createParty(host);
    await movePartyTo(daybook.d1, party, -30, 30);
    expect((await rsvp(maya, party)).status).toBe(200);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('is taken all of the last day in %s', async (timeZone) => {
    const ana = await newHost({ timeZone });
    const party = await createParty(ana, { rsvpBy: dayAhead(0, timeZone) });
    expect((await rsvp(maya, party)).status).toBe(200);
    const closes = await daybook.d1
      .prepare('SELECT rsvp_closes_at AS at FROM parties WHERE id = ?')
      .bind(party.id)
      .first<number>('at');
    const { hour, minute, date } = clockIn(timeZone, closes ?? 0);
    expect([hour, minute, date]).toEqual(['00', '00', dayAhead(1, timeZone)]);
  });
});

/** What clock and calendar of a zone show. */
function clockIn(timeZone: string, at: number) {
  const [hour, minute] = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
    .format(at)
    .split(':');
  const date = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return { hour, minute, date: date.format(at).replaceAll('/', '-') };
}

describe('the answers to the questions of a party', () => {
  let party: Party;
  const questions = [
    { questionText: 'Was möchten Sie ESSEN?', questionType: multipleChoice, options: ['Fish', 'Käse', 'Nuts'] },
    { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    { questionText: 'Anything else?', questionType: openEnded },
  ];
  const staying = { question: 'Staying?', answer: 'yes' };

  beforeAll(async () => {
    party = await createParty(host, { template: await publishQuestions(host, questions) });
  });

  /** What is kept of a guest's answers. */
  async function kept(answers: unknown): Promise<Answer[] | undefined> {
    expect((await rsvp(june, party, {}, answers)).status).toBe(200);
    const { formData } = await partyOf(host, party);
    await daybook.d1.prepare(`DELETE FROM invitations WHERE party_id = ?`).bind(party.id).run();
    expect(formData).toHaveLength(1);
    return formData[0];
  }

  test('are kept as a template wants them', async () => {
    const sent = [
      { question: 'Anything else?', answer: ' Vegan\r\nPLEASE | thanks ' },
      { question: 'was möchten sie essen?', answer: 'Fish|KÄSE' },
      { question: 'sTAYING?', answer: 'YES' },
    ];
    expect(await kept(sent)).toEqual([
      { question: 'Was möchten Sie ESSEN?', answer: 'fish|käse' },
      staying,
      { question: 'Anything else?', answer: 'Vegan\nPLEASE | thanks' },
    ]);
  });

  test.each<[string, unknown, number]>([
    ['nothing where an answer is required', [], 1],
    [
      'three faults',
      [
        { question: 'Dancing?', answer: 'Yes' },
        { question: 'Was möchten Sie ESSEN?', answer: 'Ham' },
      ],
      3,
    ],
    ['no list', staying, 1],
    ['an answer without its question', [staying, { answer: 'Yes' }], 1],
  ])('with %s are refused, and no answer is kept', async (_, sent, many) => {
    expect(complaints(await rsvp(june, party, {}, sent))).toHaveLength(many);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('left out where one is required are refused', async () => {
    expect(complaints(await rsvp(june, party))).toHaveLength(1);
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('are not needed for a no', async () => {
    expect(await rsvp(june, party, { accepted: false })).toMatchObject({ status: 200, json: { accepted: false } });
    expect((await partyOf(host, party)).formData).toEqual([]);
  });

  test('are replaced with the next yes, and are one list for each invitation that has some', async () => {
    const asked = await createParty(host, { template: party.template });
    const no = { question: 'Staying?', answer: 'no' };
    await rsvp(maya, asked, {}, [staying, { question: 'Anything else?', answer: 'Cake' }]);
    await rsvp(june, asked, {}, [staying]);
    await rsvp(rival, asked, { accepted: false });
    await rsvp(maya, asked, {}, [no]);
    const { formData } = await partyOf(host, asked);
    expect(formData).toHaveLength(2);
    expect(formData).toEqual(expect.arrayContaining([[staying], [no]]));
  });

  test('of who says no are kept from the host, and shown to the guest who says yes again', async () => {
    const asked = await createParty(host, { template: party.template, plusOnes: 1 });
    await rsvp(maya, asked, {}, [staying, { question: 'Anything else?', answer: 'No nuts' }]);
    await rsvp(june, asked, {}, [staying]);
    await rsvp(maya, asked, { accepted: false });
    expect((await partyOf(host, asked)).formData).toEqual([[staying]]);
    const edited = await host.api('PUT', `/api/Party/EditParty/${asked.id}`, { plusOnes: 2 });
    expect((edited.json as Party).formData).toEqual([[staying]]);
    for (const page of [`/view-party/${asked.id}`, `/view-party/${asked.id}/guests.csv`]) {
      const { text } = await host.browser.get(page);
      expect([text.includes(maya.displayName), text.includes('No nuts')]).toEqual([true, false]);
    }
    expect((await maya.browser.get(`/party/${asked.id}?step=questions`)).text).toContain('No nuts');
  });

  test('cannot be given where nothing is asked', async () => {
    const plain = await createParty(host);
    expect(complaints(await rsvp(maya, plain, {}, [staying]))).toHaveLength(1);
    expect((await rsvp(maya, plain, {}, [])).status).toBe(200);
  });

  test('are asked as they were when the party was published, edited or deleted since', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Singing?', required: true }]);
    const asked = await createParty(host, { template });
    const singing = [{ question: 'Singing?', answer: 'Loudly' }];
    const anew = [{ questionText: 'Dancing?', required: true }];
    const edited = await host.api('PUT', `/api/Checkin/EditTemplate?id=${template}&templateName=Guests`, anew);
    expect(edited.status).toBe(200);
    expect((await rsvp(maya, asked, {}, singing)).status).toBe(200);
    const current = (edited.json as { template: { id: string } }).template.id;
    expect((await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${current}`)).status).toBe(204);
    expect((await rsvp(june, asked, {}, singing)).status).toBe(200);
    expect((await partyOf(host, asked)).formData).toEqual([singing, singing]);
  });

  test('of no number of guests say how many this party allows', async () => {
    const three = await createParty(host, { plusOnes: 3 });
    const none = await createParty(host);
    for (const guests of ['-1', 'x', '1.5']) {
      expect(complaints(await rsvp(maya, three, { guests }))).toEqual([
        'Say how many you bring as a whole number from 0 to 3.',
      ]);
      expect(complaints(await rsvp(maya, none, { guests }))).toEqual([
        'This party is for invited guests only, without plus-ones.',
      ]);
      expect(complaints(await rsvp(maya, three, { guests, accepted: false }))).toHaveLength(1);
    }
    expect(complaints(await rsvp(maya, three, { guests: '4' }))).toEqual(['You can bring at most 3.']);
  });

  test('may be up to 512 KiB of JSON', async () => {
    const asked = await createParty(host, { template: party.template });
    const much = (many: number) => [
      ...Array.from({ length: many }, () => ({ question: 'Anything else?', answer: 'x'.repeat(2000) })),
      staying,
    ];
    expect((await rsvp(maya, asked, {}, much(200))).status).toBe(200);
    expect(refusal(await rsvp(maya, asked, {}, much(270)))).toBe(413);
    expect(refusal(await rsvp(maya, asked, {}, [staying], { 'content-type': 'text/plain' }))).toBe(415);
  });
});
