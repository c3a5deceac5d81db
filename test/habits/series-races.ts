import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { book, dayAhead, type Person, publish, type Row, rowsOf } from '../support/factories';
import { createCard } from '../support/people';
import { bookSeries, publishWeeks, weekdayOf } from '../support/series';
import { checkRules, heldWith, type Race } from './races';
import { type Counts, count } from './tool';

/* Races of series with each other, with single bookings and with cancellations, and of standing times with whoever books then. */

const weeks = 4;

const end = (who: Person, { id }: { id: string }, query: string) =>
  who.api('PUT', `/api/Appointment/Cancel?id=${id}&${query}`);
const openOf = async (host: Person) =>
  rowsOf(await host.api('GET', `/api/Appointment/GetPage?provider=${host.username}`));
const told = (d1: D1, host: Person) =>
  d1
    .prepare(
      `SELECT count(*) AS many FROM messages JOIN accounts ON accounts.id = account_id
       WHERE username = ? AND kind IN ('booked', 'canceled')`,
    )
    .bind(host.username)
    .first<number>('many');

/**
 * In each round all want series that cross, or one time of them: each gets exactly what was asked, or nothing, and the host is told once of
 * each. In every second round somebody meanwhile cancels their series from its second date on, and keeps the first.
 * @throws AssertionError with the round
 */
export async function raceOfSeries(d1: D1, { host, crowd, rounds, chance }: Race): Promise<Counts> {
  const counts: Counts = {};
  await publishWeeks(host, weeks, { start: '09:00', end: '10:00' });
  for (let round = 0; round < rounds; round++) {
    const open = await openOf(host);
    strictEqual(open.length, 2 * weeks, `round ${round}: all is free`);
    const at = (time: string) => open.filter(({ startTime }) => startTime === time);
    const [early, late] = [at('09:00'), at('09:30')];
    const [first, ...others] = crowd as [Person, ...Person[]];
    const isLeaving = round % 2 === 1;
    const all = early.map(({ id }) => id);
    const held = isLeaving ? rowsOf(await bookSeries(first, all)) : [];
    strictEqual(held.length, isLeaving ? weeks : 0, `round ${round}`);
    const before = await told(d1, host);
    const wanted = [...(isLeaving ? [] : [first]), ...others].map((who) => {
      const from = chance.below(weeks);
      const ids = Array.from({ length: chance.of([1, 2, weeks]) }, (_, place) => {
        const week = (from + place) % weeks;
        return ((isLeaving || chance.is(0.5) ? late : early)[week] as Row).id;
      });
      return { who, ids };
    });
    const [left, ...answers] = await Promise.all([
      held[1] && end(first, held[1], 'following=true'),
      ...wanted.map(({ who, ids }) => (ids.length === 1 ? book(who, { id: ids[0] as string }) : bookSeries(who, ids))),
    ]);
    if (left) strictEqual(left.status, 200, `round ${round}: ${left.text}`);
    const won = answers.flatMap((answer, place) => {
      const { who, ids } = wanted[place] as (typeof wanted)[number];
      ok([200, 201, 409].includes(answer.status), `round ${round}: ${answer.status} ${answer.text}`);
      count(counts, `${ids.length === 1 ? 'one' : 'series'} ${answer.status}`);
      if (answer.status === 409) return [];
      const rows = ids.length === 1 ? [answer.json as Row] : rowsOf(answer);
      deepStrictEqual(rows.map(({ id }) => id).sort(), [...ids].sort(), `round ${round}: exactly what was asked`);
      return [{ who, rows }];
    });
    ok(won.length > 0, `round ${round}: somebody gets something`);
    const ids = won.flatMap(({ rows }) => rows.map(({ id }) => id));
    strictEqual(new Set(ids).size, ids.length, `round ${round}: nothing is booked twice`);
    const own = (who: Person) =>
      won.filter((one) => one.who === who).reduce((sum, { rows }) => sum + rows.length, 0) +
      (who === first && isLeaving ? 1 : 0);
    const expected = Object.fromEntries(crowd.map((who) => [who.username, own(who)]));
    deepStrictEqual(await heldWith(d1, host, crowd), expected, `round ${round}`);
    strictEqual(await told(d1, host), (before ?? 0) + won.length + (isLeaving ? 1 : 0), `round ${round}: told once`);
    await checkRules(d1, round);
    const ended = await Promise.all([
      ...won.map(({ who, rows }) => end(who, byStart(rows), 'following=true')),
      ...held.slice(0, 1).map((row) => end(first, row, '')),
    ]);
    for (const { status, text } of ended) strictEqual(status, 200, `round ${round}: ${text}`);
  }
  return counts;
}

const byStart = (rows: Row[]) => [...rows].sort((one, other) => (one.startsAt < other.startsAt ? -1 : 1))[0] as Row;

/**
 * In each round the host keeps a time for somebody, publishes one more week of it, and others book it, all at once: each date has one
 * booking, and what others have is what the host is told can't be kept.
 * @throws AssertionError with the round
 */
export async function raceForStanding(d1: D1, { host, crowd, rounds, chance }: Race): Promise<Counts> {
  const counts: Counts = {};
  const dates = Array.from({ length: weeks + 1 }, (_, week) => dayAhead(3 + 7 * week));
  const [from = '', added = ''] = [dates[0], dates.at(-1)];
  for (let round = 0; round < rounds; round++) {
    const { id: card } = await createCard(host, { name: `Regular ${round}` });
    await publish(host, { start: '14:00', end: '14:30', dates: dates.slice(0, weeks) });
    const open = (await openOf(host)).filter(({ startTime }) => startTime === '14:00');
    const standing = { day: weekdayOf(from), start: '14:00', every: 7, from };
    const [set, more, ...answers] = await Promise.all([
      host.api('PUT', `/api/People/SetStanding?id=${card}`, [standing]),
      publish(host, { start: '14:00', end: '14:30', dates: [added] }),
      ...crowd.map((who) => book(who, chance.of(open))),
    ]);
    strictEqual(set.status, 200, `round ${round}: ${set.text}`);
    ok(more, `round ${round}: a week more is published`);
    const theirs = answers.filter(({ status }) => status === 200).map(({ json }) => (json as Row).date);
    const { results } = await d1
      .prepare(
        `SELECT local_date AS date, person_id = ?1 AS kept FROM bookings JOIN accounts ON accounts.id = provider_id
         WHERE username = ?2 AND status = 1 ORDER BY local_date`,
      )
      .bind(card, host.username)
      .all<{ date: string; kept: 0 | 1 }>();
    const wire = (date: string) => `${date.slice(5)}-${date.slice(0, 4)}`;
    const kept = results.map(({ date }) => wire(date));
    deepStrictEqual(kept, dates, `round ${round}: each date has one booking`);
    const lost = results.filter(({ kept }) => !kept).map(({ date }) => wire(date));
    deepStrictEqual([...theirs].sort(), [...lost].sort(), `round ${round}`);
    const now = (await host.api('GET', `/api/People/GetStanding?id=${card}`)).json as { unkept: { date: string }[] }[];
    const unkept = now[0]?.unkept.map(({ date }) => date);
    deepStrictEqual(unkept?.sort(), [...lost].sort(), `round ${round}: told of the others`);
    await checkRules(d1, round);
    count(counts, `${lost.length} of ${dates.length} were others'`);
    await host.api('PUT', `/api/People/SetStanding?id=${card}`, []);
    const booked = rowsOf(await host.api('GET', '/api/Appointment/GetBooked'));
    for (const { status, text } of await Promise.all(booked.map((row) => end(host, row, ''))))
      strictEqual(status, 200, `round ${round}: ${text}`);
  }
  return counts;
}
