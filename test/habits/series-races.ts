import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { book, dayAhead, localDate, type Person, publish, type Row, rowsOf } from '../support/factories';
import { createCard } from '../support/people';
import { bookSeries, publishWeeks, weekdayOf } from '../support/series';
import { allDone, bookedWith, openOf, raceOf } from './races';

const weeks = 4;

const end = (who: Person, { id }: { id: string }, query = '') =>
  who.api('PUT', `/api/Appointment/Cancel?id=${id}${query}`);
const following = '&following=true';
/** How often a host has been told of a booking or a cancellation. */
const told = async (d1: D1, { username }: Person) => {
  const news = `SELECT count(*) AS many FROM messages JOIN accounts ON accounts.id = account_id
    WHERE username = ? AND kind IN ('booked', 'canceled')`;
  return (await d1.prepare(news).bind(username).first<number>('many')) ?? 0;
};

/**
 * All want series that cross, or one time of them: each gets exactly what was asked, or nothing, and the host is told once of each. In every
 * second round somebody meanwhile cancels their series from its second date on, and keeps the first.
 */
export const raceOfSeries = raceOf(async ({ d1, host, crowd, chance, count }) => {
  await publishWeeks(host, weeks, { start: '09:00', end: '10:00' });
  const [first, ...others] = crowd as [Person, ...Person[]];
  return async (round) => {
    const open = await openOf(host);
    strictEqual(open.length, 2 * weeks, 'all is free');
    const at = (time: string) => open.filter(({ startTime }) => startTime === time).map(({ id }) => id);
    const [early, late] = [at('09:00'), at('09:30')];
    const isLeaving = round % 2 === 1;
    const held = isLeaving ? rowsOf(await bookSeries(first, early)) : [];
    strictEqual(held.length, isLeaving ? weeks : 0);
    const before = await told(d1, host);
    const wanted = (isLeaving ? others : crowd).map((who) => {
      const from = chance.below(weeks);
      const ids = Array.from({ length: chance.of([1, 2, weeks]) }, (_, place) => {
        return (isLeaving || chance.is(0.5) ? late : early)[(from + place) % weeks] as string;
      });
      return { who, ids };
    });
    const [left, ...responses] = await Promise.all([
      held[1] && end(first, held[1], following),
      ...wanted.map(({ who, ids: [id = '', ...more] }) =>
        more.length === 0 ? book(who, { id }) : bookSeries(who, [id, ...more]),
      ),
    ]);
    allDone(left ? [left] : []);
    const won = wanted.flatMap(({ who, ids }, place) => {
      const { status, text, json } = responses[place] as (typeof responses)[number];
      count(`${ids.length === 1 ? 'one' : 'series'} ${status}`);
      ok([200, 201, 409].includes(status), `${status} ${text}`);
      if (status === 409) return [];
      const rows = [json as Row | Row[]].flat();
      deepStrictEqual(rows.map(({ id }) => id).sort(), [...ids].sort(), 'exactly what was asked');
      return [{ who, rows }];
    });
    ok(won.length > 0, 'somebody gets something');
    const ids = won.flatMap(({ rows }) => rows.map(({ id }) => id));
    strictEqual(new Set(ids).size, ids.length, 'nothing is booked twice');
    const expected = Object.fromEntries(crowd.map(({ username }) => [username, 0]));
    if (isLeaving) expected[first.username] = 1;
    for (const { who, rows } of won) expected[who.username] = (expected[who.username] ?? 0) + rows.length;
    deepStrictEqual(await bookedWith(d1, host, crowd), expected);
    strictEqual(await told(d1, host), before + won.length + (isLeaving ? 1 : 0), 'told once');
    const byStart = (one: Row, other: Row) => (one.startsAt < other.startsAt ? -1 : 1);
    return async () => {
      const ends = won.map(({ who, rows }) => end(who, rows.sort(byStart)[0] as Row, following));
      allDone(await Promise.all([...ends, ...held.slice(0, 1).map((row) => end(first, row))]));
    };
  };
});

/**
 * The host keeps a time for somebody, publishes one more week of it, and others book it: each date has one booking, and what others have is
 * what the host is told can't be kept.
 */
export const raceForStanding = raceOf(async ({ d1, host, crowd, chance, count }) => {
  const dates = Array.from({ length: weeks + 1 }, (_, week) => dayAhead(3 + 7 * week));
  const [from = '', added = ''] = [dates[0], dates.at(-1)];
  const time = { start: '14:00', end: '14:30' };
  return async (round) => {
    const { id: card } = await createCard(host, { name: `Regular ${round}` });
    await publish(host, { ...time, dates: dates.slice(0, weeks) });
    const open = await openOf(host);
    const standing = { day: weekdayOf(from), start: time.start, every: 7, from };
    const [set, , ...responses] = await Promise.all([
      host.api('PUT', `/api/People/SetStanding?id=${card}`, [standing]),
      publish(host, { ...time, dates: [added] }),
      ...crowd.map((who) => book(who, chance.of(open))),
    ]);
    allDone([set]);
    const theirs = responses.filter(({ status }) => status === 200).map(({ json }) => (json as Row).date);
    const { results } = await d1
      .prepare(
        `SELECT local_date AS date, person_id = ?1 AS booked FROM bookings JOIN accounts ON accounts.id = provider_id
         WHERE username = ?2 AND status = 1 ORDER BY local_date`,
      )
      .bind(card, host.username)
      .all<{ date: string; booked: 0 | 1 }>();
    const days = dates.map((date) => localDate({ date }));
    deepStrictEqual(
      results.map(({ date }) => date),
      days,
      'each date has one booking',
    );
    const lost = dates.filter((_, place) => !results[place]?.booked).sort();
    deepStrictEqual(theirs.sort(), lost);
    const [now] = (await host.api('GET', `/api/People/GetStanding?id=${card}`)).json as [{ missed: Row[] }];
    deepStrictEqual(now.missed.map(({ date }) => date).sort(), lost, 'told of the others');
    count(`${lost.length} of ${dates.length} were others'`);
    return async () => {
      await host.api('PUT', `/api/People/SetStanding?id=${card}`, []);
      const booked = rowsOf(await host.api('GET', '/api/Appointment/GetBooked'));
      allDone(await Promise.all(booked.map((row) => end(host, row))));
    };
  };
});
