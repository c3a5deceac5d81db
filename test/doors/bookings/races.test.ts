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

const statusesOf = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort();
/** The same status many times. */
const times = (many: number, status: number) => Array(many).fill(status);

/** How much of a provider is open and booked; no rule of the book is broken, so none overlap. */
async function countsOf({ username }: Person) {
  expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  const counts = daybook.d1.prepare(
    `SELECT (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND state = 0) AS open,
       (SELECT count(*) FROM bookings WHERE provider_id = accounts.id AND status = 1) AS booked
     FROM accounts WHERE username = ?`,
  );
  return counts.bind(username).first();
}

describe('of fifty people who book one time at once', () => {
  let ana: Person;
  let slot: Row;
  let responses: ApiResponse[];
  beforeAll(async () => {
    ana = await newProvider();
    slot = await publishAsking(ana, idOf(await writeTemplate(ana, one({ questionText: 'Who?' }))));
    responses = await Promise.all(
      crowd.map((who) => bookWith(who, slot, [{ question: 'Who?', answer: who.username }])),
    );
  });
  const winnersRow = () => responses.find(({ status }) => status === 200)?.json as Row;

  test('one wins', async () => {
    expect(statusesOf(responses)).toEqual([200, ...times(49, 409)]);
    expect(await countsOf(ana)).toEqual({ open: 0, booked: 1 });
  });

  test('the others are told that it is taken', () => {
    const losers = responses.filter(({ status }) => status !== 200);

    expect(losers).toHaveLength(49);
    for (const loser of losers) expect(loser).toMatchObject(taken);
  });

  test('the provider reads the winner', async () => {
    expect((await look(ana, slot)).json).toEqual({ ...winnersRow(), link: null });
  });

  test('the answers are the winner’s', () => {
    const { formData, username } = winnersRow();

    expect(formData.map(({ answer }) => answer)).toEqual([username]);
  });
});

describe('one person many times at once', () => {
  test('books once', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);

    const responses = await several(few, () => book(maya, slot));

    expect(statusesOf(responses)).toEqual(times(few, 200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await countsOf(ana)).toEqual({ open: 0, booked: 1 });
  });

  test('cancels once, which publishes the time again once', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);

    const responses = await several(few, () => cancel(maya, slot));

    expect(statusesOf(responses)).toEqual(times(few, 200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await countsOf(ana)).toEqual({ open: 1, booked: 0 });
  });
});

describe('booking against the provider’s withdrawing', () => {
  /** Twenty rounds of both at once, each with its slot and the two answers. */
  async function twentyRounds() {
    const { ana, slots } = await twentySlots();
    const rounds = slots.map(async (slot) => {
      const [booked, withdrawn] = await Promise.all([book(maya, slot), cancel(ana, slot)]);
      return { slot, booked, withdrawn };
    });
    return { ana, rounds: await Promise.all(rounds) };
  }

  test('always ends withdrawn', async () => {
    const { ana, rounds } = await twentyRounds();

    for (const { withdrawn } of rounds) expect(withdrawn).toMatchObject({ status: 200, json: { status: 2 } });
    expect(await countsOf(ana)).toEqual({ open: 0, booked: 0 });
  });

  test('tells whoever came too late', async () => {
    const { rounds } = await twentyRounds();

    for (const { booked } of rounds) if (booked.status !== 200) expect(booked).toMatchObject(taken);
  });

  test('keeps the name of whoever had booked', async () => {
    const { ana, rounds } = await twentyRounds();

    for (const { slot, booked } of rounds) {
      const username = booked.status === 200 ? maya.username : null;
      expect((await look(ana, slot)).json).toMatchObject({ status: 2, username });
    }
  });
});

// `npm run races` has a thousand rounds.
test('moves, cancels and bookings at once leave everyone with what they were told', { timeout: 120_000 }, async () => {
  const host = await newProvider();
  const some = crowd.slice(0, 6);

  const counts = await race(daybook.d1, { host, crowd: some, rounds: 40, chance: new Chance(7) });

  expect(counts['0 200']).toBeGreaterThan(20);
  expect(counts['0 409']).toBeGreaterThan(10);
  expect(counts['-1 200']).toBeGreaterThan(10);
});

describe('publishing at once', () => {
  const createdBy = (responses: ApiResponse[]) =>
    responses.reduce((sum, { json }) => sum + (json as { created: number }).created, 0);

  test('the same makes it once', async () => {
    const ana = await newProvider();

    const responses = await several(few, () => create(ana, { end: '13:00', dates: [dayAhead(1), dayAhead(2)] }));

    expect(statusesOf(responses)).toEqual(times(few, 201));
    expect(createdBy(responses)).toBe(16);
    expect(await countsOf(ana)).toEqual({ open: 16, booked: 0 });
  });

  test('what overlaps makes slots that do not', async () => {
    const ana = await newProvider();

    const responses = await Promise.all([
      create(ana, { start: '09:00', end: '17:00' }, 'len=30'),
      create(ana, { start: '09:15', end: '16:55' }, 'len=20'),
      create(ana, { start: '08:50', end: '18:00' }, 'len=50'),
    ]);

    expect(statusesOf(responses)).toEqual(times(3, 201));
    expect(await countsOf(ana)).toEqual({ open: createdBy(responses), booked: 0 });
  });
});

describe('registering at once', () => {
  const register = (username: string, location: string) => {
    const account = { displayName: 'Twin', password, role: 'Provider' };
    return daybook.visitor().api('POST', '/api/Account/Register', { ...account, username, location });
  };

  test('under one name makes one account', async () => {
    const responses = await several(few, (index) => register(index % 2 ? 'TWIN' : 'twin', 'Twin Peaks'));

    expect(statusesOf(responses)).toEqual([201, ...times(few - 1, 409)]);
  });

  test('in one new city makes one city', async () => {
    const responses = await several(few, (index) => register(`from.oslo.${index}`, index % 2 ? 'Oslo' : 'OSLO'));

    expect(statusesOf(responses)).toEqual(times(few, 201));
    const cities = responses.map(({ json }) => (json as { location: string }).location);
    expect(new Set(cities).size).toBe(1);
  });
});
