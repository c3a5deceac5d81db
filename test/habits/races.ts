import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { book, cancel, dayAhead, type Person, publish, rowsOf } from '../support/factories';
import type { ApiResponse } from '../support/visit';
import type { Chance } from './chance';
import { brokenRules } from './invariants';
import { type Counts, count } from './tool';

/** People who want the same of one host, or of the colleagues of a shop, for so many rounds. */
type Race = { host: Person; colleagues?: Person[]; crowd: Person[]; rounds: number; chance: Chance };
type Racers = Omit<Race, 'rounds'> & { d1: D1; count: (what: string) => void };
/** What all do at once, and what must hold then; it may give what makes all free again. */
type Round = (round: number) => Promise<(() => Promise<unknown>) | undefined>;

/**
 * Runs a race, and checks the book after each round.
 * @returns counts of what came of it
 * @throws Error with the round, because of an AssertionError
 */
export const raceOf =
  (setUp: (racers: Racers) => Promise<Round>) =>
  async (d1: D1, { rounds, ...race }: Race): Promise<Counts> => {
    const counts: Counts = {};
    const run = await setUp({ ...race, d1, count: (what) => count(counts, what) });
    for (let round = 0; round < rounds; round++) {
      try {
        const tidy = await run(round);
        deepStrictEqual(await brokenRules(d1, { texts: false }), []);
        await tidy?.();
      } catch (error) {
        throw new Error(`round ${round}`, { cause: error });
      }
    }
    return counts;
  };

type Id = { id: string };
/** What a host has free, on all days or on one. */
export const openOf = async (host: Person, date = '') =>
  rowsOf(await host.api('GET', `/api/Appointment/GetPage?provider=${host.username}${date && `&dates=${date}`}`));
export const move = (who: Person, { id }: Id, to: Id) => who.api('PUT', `/api/Appointment/Move?id=${id}&to=${to.id}`);

export function allDone(responses: ApiResponse[]): void {
  for (const { status, text } of responses) strictEqual(status, 200, text);
}

/** The number of booked appointments that each person has with a host, by the database. */
export async function bookedWith(d1: D1, host: Person, crowd: Person[]): Promise<Record<string, number>> {
  const { results } = await d1
    .prepare(
      `SELECT booker.username, count(*) AS many FROM bookings JOIN accounts AS host ON host.id = provider_id
       JOIN accounts AS booker ON booker.id = booker_id
       WHERE host.username = ? AND status = 1 GROUP BY booker.id`,
    )
    .bind(host.username)
    .all<{ username: string; many: number }>();
  const held = new Map(results.map(({ username, many }) => [username, many]));
  return Object.fromEntries(crowd.map(({ username }) => [username, held.get(username) ?? 0]));
}

/**
 * People book, move and cancel, and the host moves them. Everyone has what they were told of. The counts are of answers: a booking is +1, a
 * cancellation -1, a move 0.
 */
export const race = raceOf(async ({ d1, host, crowd, chance, count }) => {
  // Twice as many slots as they can hold.
  const slots = { start: '09:00', end: '11:00', dates: [dayAhead(2)] };
  await publish(host, slots, 'len=5');
  return async () => {
    const [expected, open] = [await bookedWith(d1, host, crowd), await openOf(host)];
    const booked = crowd.map(async (who) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked')));
    const all = await Promise.all(booked);
    const acts = crowd.flatMap((who, place) => {
      // All want the same three.
      const [to, other] = [chance.of(open.slice(0, 3)), chance.of(open)];
      const [row, second] = (all[place] ?? []).filter(({ provider }) => provider === host.username);
      const note = (by: number) => (response: ApiResponse) => {
        count(`${by} ${response.status}`);
        ok([200, 409].includes(response.status), response.text);
        if (response.status === 200) expected[who.username] = (expected[who.username] ?? 0) + by;
      };
      if (!row || !second) return [book(who, to).then(note(1))];
      const moved = () => move(who, row, to).then(note(0));
      const ways = [
        () => [cancel(who, row).then(note(-1))],
        () => [move(host, row, to).then(note(0))],
        () => [moved(), move(host, row, other).then(note(0))],
        () => [moved(), cancel(who, second).then(note(-1))],
        () => [moved()],
      ];
      return chance.of(ways)();
    });
    await Promise.all(acts);
    deepStrictEqual(await bookedWith(d1, host, crowd), expected);
    // The host's moves use slots up.
    return async () => open.length < 6 && publish(host, slots, 'len=5');
  };
});
