import { deepStrictEqual, ok } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { book, cancel, dayAhead, type Person, publish, type Row, rowsOf } from '../support/factories';
import type { ApiResponse } from '../support/visit';
import type { Chance } from './chance';
import { brokenRules } from './invariants';
import { type Counts, count } from './tool';

type Id = { id: string };
const move = (who: Person, { id }: Id, to: Id) => who.api('PUT', `/api/Appointment/Move?id=${id}&to=${to.id}`);

/** The number of booked appointments that each person has with a host, by the database. */
export async function heldWith(d1: D1, host: Person, crowd: Person[]): Promise<Record<string, number>> {
  const { results } = await d1
    .prepare(
      `SELECT booker.username, count(*) AS many FROM bookings JOIN accounts AS host ON host.id = provider_id
       JOIN accounts AS booker ON booker.id = booker_id
       WHERE host.username = ? AND status = 1 GROUP BY booker.id`,
    )
    .bind(host.username)
    .all<{ username: string; many: number }>();
  return Object.fromEntries(
    crowd.map(({ username }) => [username, results.find((row) => row.username === username)?.many ?? 0]),
  );
}

/** People who want the same of one host, for so many rounds. */
export type Race = { host: Person; crowd: Person[]; rounds: number; chance: Chance };

/** Checks that no rule is broken after a round. */
export const checkRules = async (d1: D1, round: number) =>
  deepStrictEqual(await brokenRules(d1, { texts: false }), [], `round ${round}`);

/**
 * Runs rounds in which people book, move and cancel with one host at once, and the host moves them. After each, everyone has the
 * appointments they were told of, and the book breaks no rule.
 * @returns counts of answers by request and status: a booking is +1, a cancellation -1, a move 0
 * @throws AssertionError with the round
 */
export async function race(d1: D1, { host, crowd, rounds, chance }: Race): Promise<Counts> {
  const counts: Counts = {};
  const readOpen = async () =>
    rowsOf(await (crowd[0] as Person).api('GET', `/api/Appointment/GetPage?provider=${host.username}`));
  // Twice as many slots as they can hold.
  const slots = { start: '09:00', end: '11:00', dates: [dayAhead(2)] };
  await publish(host, slots, 'len=5');
  let before = await heldWith(d1, host, crowd);
  for (let round = 0; round < rounds; round++) {
    const [open, ...booked] = await Promise.all([
      readOpen(),
      ...crowd.map(async (who) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked'))),
    ]);
    ok(open.length > 0, `round ${round}: nothing is open`);
    const changes = new Map(crowd.map(({ username }) => [username, 0]));
    const asked = crowd.flatMap((who, place) => {
      // All want the same three.
      const to = open[chance.below(Math.min(3, open.length))] as Row;
      const mine = (booked[place] ?? []).filter(({ provider }) => provider === host.username);
      const [row] = mine;
      const note = (by: number) => (answer: ApiResponse) => {
        count(counts, `${by} ${answer.status}`);
        ok([200, 409].includes(answer.status), `round ${round}: ${answer.status} ${answer.text}`);
        if (answer.status === 200) changes.set(who.username, (changes.get(who.username) ?? 0) + by);
      };
      if (!row || mine.length < 2) return [book(who, to).then(note(1))];
      const act = chance.below(5);
      if (act === 0) return [cancel(who, row).then(note(-1))];
      if (act === 1) return [move(host, row, to).then(note(0))];
      const other = open[chance.below(open.length)] as Row;
      if (act === 2) return [move(who, row, to).then(note(0)), move(host, row, other).then(note(0))];
      if (act === 3 && mine[1]) return [move(who, row, to).then(note(0)), cancel(who, mine[1]).then(note(-1))];
      return [move(who, row, to).then(note(0))];
    });
    await Promise.all(asked);
    const wanted = crowd.map(({ username }) => [username, (before[username] ?? 0) + (changes.get(username) ?? 0)]);
    before = await heldWith(d1, host, crowd);
    deepStrictEqual(before, Object.fromEntries(wanted), `round ${round}`);
    await checkRules(d1, round);
    // The host's moves use slots up.
    if (open.length < 6) await publish(host, slots, 'len=5');
  }
  return counts;
}
