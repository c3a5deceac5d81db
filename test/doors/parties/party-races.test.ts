import { beforeAll, describe, expect, test } from 'vitest';
import { dayAhead, type Person, registerCrowd, several } from '../../support/factories';
import { edit, remove } from '../../support/party-calls';
import { answersIn, createParty, type Party, partyOf, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();

const room = 10;
const { host } = useWorld(daybook, { host: {} });
let crowd: Person[];
beforeAll(async () => {
  crowd = await registerCrowd(daybook, 30);
}, 120_000);

/** A party as it is in the book: how many it counts, how many there are by its invitations, how many may come. */
type Counts = { going: number; people: number; capacity: number; invitations: number };
const bookOf = async ({ id }: Party) =>
  (await daybook.d1
    .prepare(
      `SELECT going, capacity, count(invitations.id) AS invitations,
         coalesce(sum(CASE WHEN accepted = 1 THEN 1 + invitations.plus_ones ELSE 0 END), 0) AS people
       FROM parties LEFT JOIN invitations ON party_id = parties.id WHERE parties.id = ?`,
    )
    .bind(id)
    .first()) as Counts;

/** How many answers have each status; none of them is our fault. */
function statusesOf(answers: ApiResponse[]): Record<number, number> {
  const many: Record<number, number> = {};
  for (const { status, text } of answers) {
    expect([status < 500, text]).toEqual([true, text]);
    many[status] = (many[status] ?? 0) + 1;
  }
  return many;
}

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
      expect(status).toBe(first?.status);
      if (status === 200) expect(text).toBe(first?.text);
      else expect(text).toMatch(/This party is full|There is not enough room/);
    }
    return first as ApiResponse;
  });
  expect(Object.keys(statusesOf(answers))).toEqual(['200', '409']);
  const isIn = (index: number) => answers[index]?.status === 200;
  const winners = crowd.filter((_, index) => isIn(index)).map(({ username }) => username);
  // As many come alone as there is room for, so the last place is filled too.
  expect(await bookOf(party)).toEqual({ going: room, people: room, capacity: room, invitations: winners.length });
  expect((await answersIn(host, party)).sort()).toEqual(winners.map((name) => [name, true]).sort());
  expect(crowd.reduce((sum, _, index) => sum + (isIn(index) ? 1 + bringing(index) : 0), 0)).toBe(room);
});

describe('while minds are changed', () => {
  test('to bring more: the room is never exceeded, and a refused one keeps their place', async () => {
    const party = await createParty(host, { capacity: room, plusOnes: 20 });
    const guests = crowd.slice(0, 5);
    for (const guest of guests) await rsvp(guest, party);
    const wishes = guests.flatMap((guest) => [1, 2, 4, 6].map((more) => [guest, more] as const));
    const answers = await Promise.all(wishes.map(([guest, more]) => rsvp(guest, party, { guests: more })));
    statusesOf(answers);
    const { going, people, invitations } = await bookOf(party);
    expect([going, invitations]).toEqual([people, 5]);
    expect(going).toBeLessThanOrEqual(room);
    expect(going).toBeGreaterThan(5);
    for (const { accepted } of (await partyOf(host, party)).invitations) expect(accepted).toBe(true);
  });

  test('and the host changes the room: the count is right, and never above the room of the moment', async () => {
    const party = await createParty(host, { capacity: room, plusOnes: 3 });
    const stop = watch(party);
    const answering = crowd.map(async (guest, index) => [
      await rsvp(guest, party, { accepted: index % 3 !== 0, guests: index % 3 === 0 ? 0 : index % 4 }),
      await rsvp(guest, party, { accepted: index % 4 !== 1, guests: index % 4 === 1 ? 0 : index % 2 }),
      await rsvp(guest, party, { accepted: index % 5 !== 2 }),
    ]);
    const rooms = [8, 5, 9, 3, 1, 10, 6, 2, 7, 4, 10, 8];
    const editing = (async () => {
      const answers: ApiResponse[] = [];
      for (const capacity of rooms) answers.push(await edit(host, party, { capacity }));
      return answers;
    })();
    const [answers, edits] = [(await Promise.all(answering)).flat(), await editing];
    expect(await stop()).toBeLessThanOrEqual(room);
    expect(statusesOf(answers)).toEqual({ 200: expect.any(Number), 409: expect.any(Number) });
    for (const { status } of edits) expect([200, 400]).toContain(status);
    const { going, people, capacity } = await bookOf(party);
    expect(going).toBe(people);
    expect(going).toBeLessThanOrEqual(capacity);
    // Of the edits that were taken, the last one counts.
    const taken = rooms.filter((_, index) => edits[index]?.status === 200);
    expect(capacity).toBe(taken.at(-1) ?? room);
  });

  test('and the host makes room for all: nobody is refused for want of room that there is', async () => {
    for (let round = 0; round < 5; round++) {
      const party = await createParty(host, { capacity: 1, plusOnes: 3 });
      const [, ...answers] = await Promise.all([
        edit(host, party, { capacity: 50 }),
        ...crowd.slice(0, 6).map((guest) => rsvp(guest, party, { guests: 3 })),
      ]);
      const refused = answers.filter(({ status }) => status !== 200).map(({ json }) => json);
      for (const words of refused) expect(words).toBe('There is not enough room: one place is left.');
    }
  });

  test('and the host deletes the party: nobody can answer it any more', async () => {
    const party = await createParty(host, { capacity: room });
    const [deleted, ...answers] = await Promise.all([
      remove(host, party),
      ...crowd.slice(0, 20).map((guest) => rsvp(guest, party)),
    ]);
    expect(deleted.status).toBe(204);
    for (const status of Object.keys(statusesOf(answers))) expect(['200', '404', '409']).toContain(status);
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
