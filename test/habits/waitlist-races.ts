import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { D1 } from '../../app/local/d1';
import { book, cancel, dayAhead, type Person, publish, type Row } from '../support/factories';
import { add, passOffer, takeOffer, wishesOf } from '../support/waitlist';
import type { Chance } from './chance';
import { openOf, raceOf } from './races';

/* People who wait, in races for the same time. After each one has it. */

type Six = [Person, Person, Person, Person, Person, Person];
type Round = { d1: D1; host: Person; crowd: Six; date: string; chance: Chance; count: (what: string) => void };

const offersTo = async (who: Person) => (await wishesOf(who)).flatMap(({ offer }) => offer ?? []);

/** Times of the round's day, each booked by one of the crowd in turn. */
async function bookedTimes({ host, crowd, date }: Round, start: string, end: string): Promise<Row[]> {
  const slots = await publish(host, { start, end, dates: [date] }, 'len=30');
  return Promise.all(slots.map(async (slot, place) => (await book(crowd[place] as Person, slot)).json as Row));
}

const startsOn = async ({ host, date }: Round) => (await openOf(host, date)).map(({ startTime }) => startTime);

async function wait(who: Person, host: Person, wish: object): Promise<void> {
  deepStrictEqual((await add(who, host, wish)).status, 201);
}

/** Whoever is offered a time takes it at the moment at which its hold ends; another write ends overdue holds meanwhile. */
async function takeAgainstTheEnd(round: Round): Promise<void> {
  const { d1, host, crowd, date, chance, count } = round;
  const [booker, first, second, other] = crowd;
  const [row] = await bookedTimes(round, '09:00', '09:30');
  await publish(host, { start: '15:00', end: '15:30', dates: [date] });
  const morning = { from: date, to: date, before: '12:00' };
  for (const who of [first, second]) await wait(who, host, morning);
  await cancel(booker, row as Row);
  const [offer] = await offersTo(first);
  ok(offer);
  const end = Date.now() + 10 + chance.below(150);
  await d1.batch(
    ['bookings SET held_until = ? WHERE status = 0', 'wishes SET held_until = ? WHERE state = 1'].map((change) =>
      d1.prepare(`UPDATE ${change}`).bind(end),
    ),
  );
  // A wish that a free time fits is refused, and ends holds all the same.
  const endHolds = () => add(other, host, { from: date, to: date, after: '14:00' });
  const [taken] = await Promise.all([
    sleep(chance.below(40)).then(() => takeOffer(first.browser, offer)),
    sleep(chance.below(160)).then(endHolds),
  ]);
  await sleep(Math.max(0, end + 1 - Date.now()));
  await endHolds();
  const [passedOn] = await offersTo(second);
  count(`take against the end: ${taken.status}`);
  deepStrictEqual([taken.status, passedOn === undefined], taken.status === 200 ? [200, true] : [409, false]);
  if (passedOn) deepStrictEqual((await takeOffer(second.browser, passedOn)).status, 200);
  deepStrictEqual(await startsOn(round), ['15:00']);
}

/** A cancellation and a wish for its time: the wish is offered it, or is refused because it is free. */
async function cancelAgainstWish(round: Round): Promise<void> {
  const { host, crowd, date, chance, count } = round;
  const [booker, first] = crowd;
  const [row] = await bookedTimes(round, '09:00', '09:30');
  const [, added] = await Promise.all([
    sleep(chance.below(25)).then(() => cancel(booker, row as Row)),
    add(first, host, { from: date, to: date }),
  ]);
  const [offer] = await offersTo(first);
  count(`cancel against a wish: ${added.status}`);
  deepStrictEqual([added.status, offer === undefined], added.status === 201 ? [201, false] : [409, true]);
  deepStrictEqual(await startsOn(round), offer ? [] : ['09:00']);
}

/** Two cancellations at once, and one wish that both times suit: one is held, the other is free. */
async function twoCancellations(round: Round): Promise<void> {
  const { host, crowd, date, chance, count } = round;
  const rows = await bookedTimes(round, '09:00', '10:00');
  const [one, two, waiter] = crowd;
  await wait(waiter, host, { from: date, to: date });
  await Promise.all([
    sleep(chance.below(5)).then(() => cancel(one, rows[0] as Row)),
    sleep(chance.below(5)).then(() => cancel(two, rows[1] as Row)),
  ]);
  const [held, ...others] = await offersTo(waiter);
  ok(held && others.length === 0);
  count(`two cancellations: ${held.startsAt.slice(11, 16)} held`);
  deepStrictEqual((await startsOn(round)).length, 1);
  const responses = await Promise.all([
    takeOffer(waiter.browser, held),
    (chance.is(0.5) ? passOffer : takeOffer)(waiter.browser, held),
  ]);
  const won = responses.filter(({ status }) => status === 200).length;
  ok(won >= 1, JSON.stringify(responses.map(({ status }) => status)));
}

/** Five in a row who all want an earlier time. The first leaves, each takes as soon as something is offered, twice at once. */
async function chainOfFive(round: Round): Promise<void> {
  const { d1, host, crowd, date, chance, count } = round;
  const rows = await bookedTimes(round, '09:00', '11:30');
  const five = crowd.slice(0, 5);
  const waiting = [1, 2, 3, 4].sort(() => chance.next() - 0.5);
  for (const place of waiting) {
    await wait(five[place] as Person, host, { insteadOf: rows[place]?.id, from: date, to: date });
  }
  await cancel(five[0] as Person, rows[0] as Row);
  for (let moves = 0; ; moves++) {
    const each = five.map(async (who) => (await offersTo(who)).map((offer) => ({ who, offer })));
    const offers = (await Promise.all(each)).flat();
    ok(offers.length <= 1 && moves <= 4, `${offers.length} offers after ${moves} moves`);
    const [next] = offers;
    if (!next) {
      count(`chain of five: ${moves} moved`);
      break;
    }
    const taken = await Promise.all([0, 1].map(() => takeOffer(next.who.browser, next.offer)));
    for (const { status } of taken) deepStrictEqual(status, 200);
  }
  const { results } = await d1
    .prepare(
      `SELECT username FROM bookings JOIN accounts ON accounts.id = booker_id
       WHERE status < 2 AND provider_id = (SELECT id FROM accounts WHERE username = ?) AND starts_at >= ?`,
    )
    .bind(host.username, Date.parse(rows[0]?.startsAt ?? ''))
    .all<{ username: string }>();
  const names = (all: { username: string }[]) => all.map(({ username }) => username).sort();
  deepStrictEqual(names(results), names(five.slice(1)));
  deepStrictEqual((await startsOn(round)).length, 1);
}

/** Each round has one of each, on days of their own. */
export const raceForOffers = raceOf(async ({ crowd, ...racers }) => async (round) => {
  const kinds = [takeAgainstTheEnd, cancelAgainstWish, twoCancellations, chainOfFive];
  for (const [place, run] of kinds.entries()) {
    await run({ ...racers, crowd: crowd as Six, date: dayAhead(3 + kinds.length * round + place) });
    for (const who of crowd) {
      for (const { id } of await wishesOf(who)) await who.api('DELETE', `/api/Waitlist/Remove?id=${id}`);
    }
  }
  return undefined;
});
