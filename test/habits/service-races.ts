import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { cancel, dayAhead, type Person, publish, type Row, rowsOf } from '../support/factories';
import { createService, type Service } from '../support/services';
import type { Chance } from './chance';
import { checkRules, type Race } from './races';
import { type Counts, count } from './tool';

/* Races for the last places of a class, and for parts of the same free time. */

async function take(who: Person, { id }: { id: string }, query: string) {
  const answer = await who.api('PUT', `/api/Appointment/Book?id=${id}&${query}`);
  ok([200, 409].includes(answer.status), `${answer.status} ${answer.text}`);
  return answer;
}
const shuffled = <Item>(items: Item[], chance: Chance): Item[] =>
  items
    .map((item) => ({ item, place: chance.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

/**
 * In each round one place of a class is left, and all want it: one gets it. In every third round they are more people than fit, and one
 * of those who are there leaves at the same time.
 * @throws AssertionError with the round
 */
export async function raceForSeats(d1: D1, { host, crowd, rounds, chance }: Race): Promise<Counts> {
  const counts: Counts = {};
  const seats = 4;
  const { id: serviceId } = await createService(host, { minutes: 60, seats });
  const [slot] = (await publish(host, { start: '14:00', end: '15:00', dates: [dayAhead(3)], serviceId })) as [Row];
  const places = async () => {
    const row = await d1
      .prepare(
        `SELECT seats, taken, state, (SELECT sum(people) FROM bookings WHERE provider_id = slots.provider_id AND slot_id = slots.id AND status = 1) AS booked
         FROM slots WHERE id = ?`,
      )
      .bind(slot.id)
      .first<{ seats: number; taken: number; state: number; booked: number | null }>();
    return row ?? { seats: 0, taken: 0, state: 0, booked: 0 };
  };
  for (let round = 0; round < rounds; round++) {
    const [first, ...others] = shuffled(crowd, chance) as [Person, ...Person[]];
    const isMixed = round % 3 === 2;
    const there = await take(first, slot, `people=${seats - 1}`);
    strictEqual(there.status, 200, `round ${round}: the class was not empty`);
    const people = others.map(() => (isMixed ? 1 + chance.below(seats) : 1));
    const [answers] = await Promise.all([
      Promise.all(others.map((who, place) => take(who, slot, `people=${people[place]}`))),
      isMixed && cancel(first, there.json as Row),
    ]);
    const won = answers.filter(({ status }) => status === 200).map(({ json }) => json as Row);
    const now = await places();
    const came = won.reduce((sum, row) => sum + (row.people ?? 0), 0);
    if (!isMixed) deepStrictEqual([won.length, came], [1, 1], `round ${round}: winners of the last place`);
    const expected = came + (isMixed ? 0 : seats - 1);
    deepStrictEqual(now, { seats, taken: expected, state: expected === seats ? 1 : 0, booked: expected || null });
    ok(now.taken <= seats, `round ${round}: ${now.taken} of ${seats} places taken`);
    await checkRules(d1, round);
    count(counts, `${won.length} won ${isMixed ? 'of many places' : 'the last place'}`);
    const leaving = others.filter((_, place) => answers[place]?.status === 200);
    await Promise.all([
      ...leaving.map((who, place) => cancel(who, won[place] as Row)),
      !isMixed && cancel(first, there.json as Row),
    ]);
    deepStrictEqual(await places(), { seats, taken: 0, state: 0, booked: null }, `round ${round}: places came back`);
  }
  return counts;
}

const minute = 60_000;
const half = 30 * minute;

/**
 * In each round all want an hour and a half, an hour or half an hour that has the same half hour in it: one gets it, in one piece, and the
 * rest of the morning stays free. In every third round somebody moves what they have there onto a part of its own time meanwhile.
 * @throws AssertionError with the round
 */
export async function raceOfLengths(d1: D1, { host, crowd, rounds, chance }: Race): Promise<Counts> {
  const counts: Counts = {};
  const lengths = [30, 60, 90];
  const services: Service[] = [];
  for (const minutes of lengths) services.push(await createService(host, { minutes }));
  const dates = [dayAhead(4)];
  const morning = await publish(host, { start: '09:00', end: '12:00', dates });
  const begin = Date.parse(morning[0]?.startsAt ?? '');
  strictEqual(morning.length, 6);
  const open = async () =>
    rowsOf(await host.api('GET', `/api/Appointment/GetPage?provider=${host.username}&dates=${dates[0]}`));
  /** The half hours of the morning: how many slots there are, and which of them are taken. */
  const halves = async () => {
    const { results } = await d1
      .prepare(
        `SELECT starts_at, state FROM slots WHERE starts_at BETWEEN ? AND ? AND provider_id = (
           SELECT id FROM accounts WHERE username = ?) ORDER BY starts_at`,
      )
      .bind(begin, begin + 5 * half, host.username)
      .all<{ starts_at: number; state: number }>();
    return results.map(({ state }) => state).join('');
  };
  for (let round = 0; round < rounds; round++) {
    const free = await open();
    strictEqual(free.length, 6, `round ${round}: the morning is free`);
    const [first, ...others] = shuffled(crowd, chance) as [Person, ...Person[]];
    const isMoved = round % 3 === 2;
    // The half hour at ten is in everything that they want; with a move, that at half past ten.
    const wanted = isMoved ? 3 : 2;
    const choices = others.map(() => {
      const place = chance.below(lengths.length);
      const from = isMoved ? wanted : wanted - chance.below(place + 1);
      return { slot: free[from] as Row, service: services[place] as Service };
    });
    const held = isMoved ? await take(first, free[0] as Row, `service=${services[2]?.id}`) : undefined;
    const [moved, ...answers] = await Promise.all([
      held && first.api('PUT', `/api/Appointment/Move?id=${(held.json as Row).id}&to=${free[1]?.id}`),
      ...choices.map(({ slot, service }, place) => take(others[place] as Person, slot, `service=${service.id}`)),
    ]);
    const won = answers.flatMap((answer, place) =>
      answer.status === 200 ? [{ who: others[place] as Person, row: answer.json as Row }] : [],
    );
    if (moved) ok([200, 404, 409].includes(moved.status), `round ${round}: ${moved.status} ${moved.text}`);
    const hasMoved = moved?.status === 200;
    strictEqual(won.length + (hasMoved ? 1 : 0), 1, `round ${round}: winners`);
    const live = [...won.map(({ row }) => row), ...(moved ? [(hasMoved ? moved.json : held?.json) as Row] : [])];
    const states = Array.from({ length: 6 }, (_, place) => {
      const at = begin + place * half;
      return live.some(({ startsAt, endsAt }) => Date.parse(startsAt) <= at && at < Date.parse(endsAt)) ? 1 : 0;
    }).join('');
    strictEqual(await halves(), states, `round ${round}: what is taken of the morning`);
    await checkRules(d1, round);
    const minutes = (row: Row) => (Date.parse(row.endsAt) - Date.parse(row.startsAt)) / minute;
    count(counts, won[0] ? `${minutes(won[0].row)} minutes won` : 'the move won');
    const mine = moved && ((hasMoved ? moved.json : held?.json) as Row);
    const left = await Promise.all([
      ...won.map(({ who, row }) => cancel(who, row)),
      ...(mine ? [cancel(first, mine)] : []),
    ]);
    for (const { status, text } of left) strictEqual(status, 200, `round ${round}: ${text}`);
    strictEqual(await halves(), '000000', `round ${round}: all of the morning is free again`);
  }
  return counts;
}
