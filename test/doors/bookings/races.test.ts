import { beforeAll, describe, expect, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { brokenRules } from '../../habits/invariants';
import { race } from '../../habits/races';
import { create } from '../../support/appointment-calls';
import { taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  registerCrowd,
  several,
} from '../../support/factories';
import { bookWith, idOf, one, publishAsking, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

/** How many take part in a race where a few are enough. */
const few = 5;
let crowd: Person[];
let maya: Person;
beforeAll(async () => {
  crowd = await registerCrowd(daybook, 50);
  maya = crowd[0] as Person;
}, 60_000);

/** Twenty open slots of a new provider: enough for each order of events to come about. */
async function twentySlots(): Promise<{ ana: Person; slots: Row[] }> {
  const ana = await newProvider();
  return { ana, slots: await publish(ana, { end: '10:40' }, 'len=5') };
}

const statuses = (answers: ApiResponse[]) => answers.map(({ status }) => status).sort();
const all = (status: number, many: number) => Array(many).fill(status);

/** How much of a provider is open and booked; no rule of the book is broken, so none overlap. */
async function bookOf({ username }: Person) {
  expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  const counts = daybook.d1.prepare(
    `SELECT (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND state = 0) AS open,
       (SELECT count(*) FROM bookings WHERE provider_id = accounts.id AND status = 1) AS booked
     FROM accounts WHERE username = ?`,
  );
  return counts.bind(username).first();
}

describe('booking', () => {
  test('of fifty people at once one wins, and the others are told', async () => {
    const ana = await newProvider();
    const slot = await publishAsking(ana, idOf(await writeTemplate(ana, one({ questionText: 'Who?' }))));
    const answers = await Promise.all(
      crowd.map((who) => bookWith(who, slot, [{ question: 'Who?', answer: who.username }])),
    );
    expect(statuses(answers)).toEqual([200, ...all(409, 49)]);
    for (const answer of answers) if (answer.status === 409) expect(answer).toMatchObject(taken);
    const winner = answers.find(({ status }) => status === 200)?.json as Row;
    expect((await look(ana, slot)).json).toEqual({ ...winner, link: null });
    expect(winner.formData.map(({ answer }) => answer)).toEqual([winner.username]);
    expect(await bookOf(ana)).toEqual({ open: 0, booked: 1 });
  });

  test('by one person many times at once is one booking, and its cancelling publishes the time again once', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    for (const call of [book, cancel]) {
      const answers = await several(few, () => call(maya, slot));
      expect(statuses(answers)).toEqual(all(200, few));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect(await bookOf(ana)).toEqual({ open: 1, booked: 0 });
  });

  test('against the provider’s withdrawing always ends withdrawn, whoever came first', async () => {
    const { ana, slots } = await twentySlots();
    const rounds = slots.map((slot) => Promise.all([slot, book(maya, slot), cancel(ana, slot)] as const));
    for (const [slot, booked, withdrawn] of await Promise.all(rounds)) {
      expect(withdrawn).toMatchObject({ status: 200, json: { status: 2 } });
      if (booked.status !== 200) expect(booked).toMatchObject(taken);
      const username = booked.status === 200 ? maya.username : null;
      expect((await look(ana, slot)).json).toMatchObject({ status: 2, username });
    }
    expect(await bookOf(ana)).toEqual({ open: 0, booked: 0 });
  });
});

// `npm run races` has a thousand rounds.
test('moves, cancels and bookings at once leave everyone with what they were told, and break no rule', {
  timeout: 120_000,
}, async () => {
  const host = await newProvider();
  const some = crowd.slice(0, 6);
  const counts = await race(daybook.d1, { host, crowd: some, rounds: 40, chance: new Chance(7) });
  expect(counts['0 200']).toBeGreaterThan(20);
  expect(counts['0 409']).toBeGreaterThan(10);
  expect(counts['-1 200']).toBeGreaterThan(10);
});

test('publishing the same, or what overlaps, at once makes slots that do not, and no call fails', async () => {
  const [ana, other] = await Promise.all([newProvider(), newProvider()]);
  const same = await several(few, () => create(ana, { end: '13:00', dates: [dayAhead(1), dayAhead(2)] }));
  const overlapping = await Promise.all([
    create(other, { start: '09:00', end: '17:00' }, 'len=30'),
    create(other, { start: '09:15', end: '16:55' }, 'len=20'),
    create(other, { start: '08:50', end: '18:00' }, 'len=50'),
  ]);
  expect(statuses([...same, ...overlapping])).toEqual(all(201, few + 3));
  const created = (answers: ApiResponse[]) =>
    answers.reduce((sum, { json }) => sum + (json as { created: number }).created, 0);
  expect(created(same)).toBe(16);
  expect(await bookOf(ana)).toEqual({ open: 16, booked: 0 });
  expect(await bookOf(other)).toEqual({ open: created(overlapping), booked: 0 });
});

test('registering one name, and in one new city, many times at once makes one account and one city', async () => {
  const account = { displayName: 'Twin', password, role: 'Provider' };
  const register = (username: string, location: string) =>
    daybook.visitor().api('POST', '/api/Account/Register', { ...account, username, location });
  const sameName = await several(few, (index) => register(index % 2 ? 'TWIN' : 'twin', 'Twin Peaks'));
  expect(statuses(sameName)).toEqual([201, ...all(409, few - 1)]);
  const sameCity = await several(few, (index) => register(`from.oslo.${index}`, index % 2 ? 'Oslo' : 'OSLO'));
  expect(statuses(sameCity)).toEqual(all(201, few));
  expect(new Set(sameCity.map(({ json }) => (json as { location: string }).location)).size).toBe(1);
});
