import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { cancel, dayAhead, type Person, publish, type Row } from '../support/factories';
import { createService, type Service } from '../support/services';
import type { Chance } from './chance';
import { allDone, move, openOf, raceOf } from './races';

async function take(who: Person, { id }: { id: string }, query: string) {
  const response = await who.api('PUT', `/api/Appointment/Book?id=${id}&${query}`);
  ok([200, 409].includes(response.status), `${response.status} ${response.text}`);
  return response;
}
/** The crowd in any order. */
const shuffled = (crowd: Person[], chance: Chance) =>
  crowd
    .map((who) => ({ who, place: chance.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ who }) => who) as [Person, ...Person[]];

/**
 * One place of a class is left, and all want it: one gets it. In every third round they are more people than fit, and one of those who are
 * there leaves at the same time.
 */
export const raceForSeats = raceOf(async ({ d1, host, crowd, chance, count }) => {
  const seats = 4;
  const { id: serviceId } = await createService(host, { minutes: 60, seats });
  const [slot] = (await publish(host, { start: '14:00', end: '15:00', dates: [dayAhead(3)], serviceId })) as [Row];
  const places = d1
    .prepare(
      `SELECT taken, state, (SELECT sum(people) FROM bookings WHERE provider_id = slots.provider_id AND slot_id = slots.id AND status = 1) AS booked
       FROM slots WHERE id = ?`,
    )
    .bind(slot.id);
  const holds = async (taken: number) =>
    deepStrictEqual({ ...(await places.first()) }, { taken, state: taken === seats ? 1 : 0, booked: taken || null });
  return async (round) => {
    const [first, ...others] = shuffled(crowd, chance);
    const isMixed = round % 3 === 2;
    const there = await take(first, slot, `people=${seats - 1}`);
    strictEqual(there.status, 200, 'the class was not empty');
    const leave = () => cancel(first, there.json as Row);
    const people = others.map(() => (isMixed ? 1 + chance.below(seats) : 1));
    const [responses] = await Promise.all([
      Promise.all(others.map((who, place) => take(who, slot, `people=${people[place]}`))),
      isMixed && leave(),
    ]);
    const winners = others.filter((_, place) => responses[place]?.status === 200);
    const won = responses.filter(({ status }) => status === 200).map(({ json }) => json as Row);
    const came = won.reduce((sum, row) => sum + (row.people ?? 0), 0);
    if (!isMixed) deepStrictEqual([won.length, came], [1, 1], 'winners of the last place');
    const taken = came + (isMixed ? 0 : seats - 1);
    await holds(taken);
    ok(taken <= seats, `${taken} of ${seats} places taken`);
    count(`${won.length} won ${isMixed ? 'of many places' : 'the last place'}`);
    return async () => {
      await Promise.all([...winners.map((who, place) => cancel(who, won[place] as Row)), !isMixed && leave()]);
      await holds(0);
    };
  };
});

const half = 30 * 60_000;

/**
 * All want an hour and a half, an hour or half an hour that has the same half hour in it: one gets it, in one piece, and the rest of the
 * morning stays free. In every third round somebody moves what they have there onto a part of its own time meanwhile.
 */
export const raceOfLengths = raceOf(async ({ d1, host, crowd, chance, count }) => {
  const services: Service[] = [];
  for (const minutes of [30, 60, 90]) services.push(await createService(host, { minutes }));
  const date = dayAhead(4);
  const morning = await publish(host, { start: '09:00', end: '12:00', dates: [date] });
  const begin = Date.parse(morning[0]?.startsAt ?? '');
  /** Which half hours of the morning are taken. */
  const halves = async () => {
    const { results } = await d1
      .prepare(
        `SELECT state FROM slots WHERE starts_at BETWEEN ? AND ? AND provider_id = (
           SELECT id FROM accounts WHERE username = ?) ORDER BY starts_at`,
      )
      .bind(begin, begin + 5 * half, host.username)
      .all<{ state: number }>();
    return results.map(({ state }) => state).join('');
  };
  return async (round) => {
    const free = await openOf(host, date);
    strictEqual(free.length, 6, 'the morning is free');
    const [first, ...others] = shuffled(crowd, chance);
    const isMoved = round % 3 === 2;
    const held = isMoved ? await take(first, free[0] as Row, `service=${services[2]?.id}`) : undefined;
    const [moved, ...responses] = await Promise.all([
      held && move(first, held.json as Row, free[1] as Row),
      ...others.map((who) => {
        const place = chance.below(services.length);
        // The half hour at ten is in everything that they want; with a move, that at half past ten.
        const from = isMoved ? 3 : 2 - chance.below(place + 1);
        return take(who, free[from] as Row, `service=${services[place]?.id}`);
      }),
    ]);
    const won = others.flatMap((who, place) => {
      const { status, json } = responses[place] as (typeof responses)[number];
      return status === 200 ? [{ who, row: json as Row }] : [];
    });
    if (moved) ok([200, 404, 409].includes(moved.status), `${moved.status} ${moved.text}`);
    const hasMoved = moved?.status === 200;
    strictEqual(won.length + (hasMoved ? 1 : 0), 1, 'winners');
    count(won[0] ? `${won[0].row.service?.minutes} minutes won` : 'the move won');
    const live = [...won, ...(held ? [{ who: first, row: (hasMoved ? moved : held).json as Row }] : [])];
    const states = Array.from({ length: 6 }, (_, place) => {
      const at = begin + place * half;
      return live.some(({ row }) => Date.parse(row.startsAt) <= at && at < Date.parse(row.endsAt)) ? 1 : 0;
    });
    strictEqual(await halves(), states.join(''), 'what is taken of the morning');
    return async () => {
      allDone(await Promise.all(live.map(({ who, row }) => cancel(who, row))));
      strictEqual(await halves(), '000000', 'all of the morning is free again');
    };
  };
});
