import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { D1 } from '../../app/local/d1';
import { dayAhead, type Person, publish, registerCrowd, registerProvider, rowsOf } from '../support/factories';
import { createCard } from '../support/people';
import { bookSeries, weekdayOf } from '../support/series';
import { gone, killingOf, untilEnough } from './kill';

const weeks = 4;
const times = 6;
/** A series that was asked for: which of it its booker then canceled, and what of both was acknowledged. */
type Asked = { ids: string[]; from: number; isBooked: boolean; isEnded: boolean; isEndAsked: boolean };
type Standing = { card: string; isPublished: boolean };

/** Dates and hours that no other of 42 rounds has. */
function timesOf(round: number) {
  const later = 3 + (round % 7) + 7 * weeks * Math.floor(round / 42);
  const hour = 4 * (Math.floor(round / 7) % times);
  const at = (minutes: number) => `${String(hour + Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 || '00'}`;
  return { dates: Array.from({ length: weeks }, (_, week) => dayAhead(later + 7 * week)), at };
}

/** Sets a time each week for somebody new, who is told of nothing. */
async function setStanding(host: Person, name: string, from: string, start: string): Promise<string> {
  const { id: card } = await createCard(host, { name });
  const standing = { day: weekdayOf(from), start, every: 7, from, until: null };
  const { status, text } = await host.api('PUT', `/api/People/SetStanding?id=${card}`, [standing]);
  deepStrictEqual(status, 200, text);
  return card;
}

/** People book and cancel series, and a provider publishes the standing times of somebody. */
export const killWithSeries = killingOf(async (server, { chance }) => {
  const [host, crowd] = [await registerProvider(server), await registerCrowd(server, times)];
  const asked: Asked[] = [];
  const standing: Standing[] = [];
  return {
    people: [host, ...crowd],
    async write(round, kill) {
      const { dates, at } = timesOf(round);
      await publish(host, { start: at(0), end: at(180), dates });
      const query = new URLSearchParams({ provider: host.username, dates: dates.join(' ') });
      const pages = [0, 1].map((page) => host.api('GET', `/api/Appointment/GetPage?${query}&page=${page}`));
      const open = (await Promise.all(pages)).flatMap(rowsOf);
      const one: Standing = {
        card: await setStanding(host, `Regular ${round}`, dates[0] as string, at(180)),
        isPublished: false,
      };
      standing.push(one);
      let done = 0;
      const enough = chance.below(times + 1);
      const busy = crowd.map(async (who, place) => {
        const ids = open.filter(({ startTime }) => startTime === at(30 * place)).map(({ id }) => id);
        const series: Asked = { ids, from: chance.below(3), isBooked: false, isEnded: false, isEndAsked: false };
        asked.push(series);
        series.isBooked = (await bookSeries(who, ids).catch(gone)).status === 201;
        if (series.isBooked) done += 1;
        if (!series.isBooked || chance.is(0.3)) return;
        series.isEndAsked = true;
        const path = `/api/Appointment/Cancel?id=${ids[series.from]}&following=true`;
        series.isEnded = (await who.api('PUT', path).catch(gone)).status === 200;
      });
      const more = { start: at(180), end: at(210), dates };
      const published = host.api('POST', '/api/Appointment/CreateAppointment?len=30', more).catch(gone);
      await untilEnough(() => done >= enough);
      await sleep(chance.below(100));
      kill();
      one.isPublished = (await published).status === 201;
      await Promise.all(busy);
    },
    async check({ d1 }) {
      for (const series of asked) await checkSeries(d1, series);
      for (const one of standing) await checkStanding(d1, one);
      deepStrictEqual((await d1.prepare(untold).all()).results, [], 'told of a series other than once');
      const many = <One>(all: One[], is: (one: One) => boolean) => all.filter(is).length;
      return {
        booked: many(asked, ({ isBooked }) => isBooked),
        canceled: many(asked, ({ isEnded }) => isEnded),
        standing: many(standing, ({ isPublished }) => isPublished),
      };
    },
  };
});

/** The first write of a series, or the last, is in the provider's news. */
const untold = `SELECT DISTINCT told_with FROM bookings WHERE told_with IS NOT NULL AND code_hash IS NULL AND 1 <> (
  SELECT count(*) FROM messages WHERE account_id = provider_id
    AND id IN ('booked:' || told_with || ':' || provider_id, 'canceled:' || told_with || ':' || provider_id))`;

/** A series is booked whole or not at all, and canceled from one date on or not at all. */
async function checkSeries(d1: D1, { ids, from, isBooked, isEnded, isEndAsked }: Asked): Promise<void> {
  const { results } = await d1
    .prepare('SELECT id, status FROM bookings WHERE id IN (SELECT value FROM json_each(?))')
    .bind(JSON.stringify(ids))
    .all<{ id: string; status: number }>();
  const states = ids.map((id) => results.find((row) => row.id === id)?.status ?? 0).join('');
  const whole = '1'.repeat(ids.length);
  const ended = '1'.repeat(from) + '2'.repeat(ids.length - from);
  const none = '0'.repeat(ids.length);
  const may = isEnded ? [ended] : isEndAsked ? [whole, ended] : isBooked ? [whole] : [none, whole];
  ok(may.includes(states), `a series of ${ids.length} stands as ${states}, not as ${may.join(' or ')}`);
}

/** What is published is booked for whose standing time it is, all of it. */
async function checkStanding(d1: D1, { card, isPublished }: Standing): Promise<void> {
  const row = await d1
    .prepare(
      `SELECT count(*) AS slots, count(own.id) AS booked FROM standing_times AS standing
         CROSS JOIN slots ON slots.provider_id = standing.provider_id
           AND slots.local_date >= standing.from_date AND slots.local_date < date(standing.from_date, '+28 days')
           AND strftime('%w', slots.local_date) = standing.day || ''
           AND slots.starts_at = unixepoch(slots.local_date) * 1000 + standing.minute * 60000
         LEFT JOIN bookings AS own ON own.provider_id = slots.provider_id AND own.starts_at = slots.starts_at
           AND own.person_id = standing.person_id AND own.status = 1
       WHERE standing.person_id = ?`,
    )
    .bind(card)
    .first<{ slots: number; booked: number }>();
  ok(row && row.slots === row.booked, `${row?.booked} of ${row?.slots} published times are booked`);
  ok(row.slots === weeks || (!isPublished && row.slots === 0), `${row.slots} of ${weeks} are published`);
}
