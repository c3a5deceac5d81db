import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { book, cancel, dayAhead, publish, registerCrowd, registerProvider } from '../support/factories';
import { add, passOffer, takeOffer, type Wish, wishesOf } from '../support/waitlist';
import { gone, killingOf, untilEnough } from './kill';

const unheld = `SELECT w.id FROM wishes AS w CROSS JOIN fits AS f ON f.provider_id = w.provider_id AND f.wish_id = w.id
  WHERE w.state = 0 AND f.starts_at >= max(w.from_at, ?1) AND f.starts_at < w.until_at AND f.suits AND NOT f.was_offered
    AND ?1 <= f.closes_at`;
const untold = `SELECT id FROM bookings WHERE status = 0 AND 1 <> (SELECT count(*) FROM messages WHERE booking_id = bookings.id AND kind = 'offer')`;

/** People cancel times that others wait for, take and pass on. */
export const killWhileWaiting = killingOf(async (server, { chance }) => {
  const host = await registerProvider(server);
  const [bookers, waiters] = [await registerCrowd(server, 6), await registerCrowd(server, 4)];
  // What was acknowledged before a kill.
  const [canceled, waits]: [string[], string[]] = [[], []];
  const taken: { id: string; username: string }[] = [];
  return {
    people: [host, ...bookers, ...waiters],
    async write(round, kill) {
      const date = dayAhead(3 + round);
      const slots = await publish(host, { start: '09:00', end: '12:00', dates: [date] }, 'len=30');
      const booked = slots.map((slot, place) => ({ slot, who: bookers[place] as (typeof bookers)[number] }));
      await Promise.all(booked.map(({ slot, who }) => book(who, slot)));
      for (const who of waiters) {
        for (const { id } of await wishesOf(who)) await who.api('DELETE', `/api/Waitlist/Remove?id=${id}`);
        const added = await add(who, host, { from: date, to: date });
        deepStrictEqual(added.status, 201);
        waits.push((added.json as Wish).id);
      }
      const enough = canceled.length + chance.below(booked.length + 1);
      let isOn = true;
      const leave = booked.map(async ({ slot, who }) => {
        await sleep(chance.below(60));
        if ((await cancel(who, slot).catch(gone)).status === 200) canceled.push(slot.id);
      });
      const decisions = waiters.map(async (who) => {
        while (isOn) {
          const { json } = await who.api('GET', '/api/Waitlist/GetMy').catch(gone);
          const offer = ((json ?? []) as Wish[]).find((one) => one.offer)?.offer;
          if (!offer) {
            await sleep(5);
            continue;
          }
          const act = chance.is(0.6) ? takeOffer : passOffer;
          const given = await act(who.browser, offer).catch(gone);
          if (given.status !== 200 || act !== takeOffer) continue;
          taken.push({ id: (given.json as { id: string }).id, username: who.username });
        }
      });
      await untilEnough(() => canceled.length >= enough);
      await sleep(chance.below(150));
      isOn = false;
      kill();
      await Promise.all([...leave, ...decisions]);
    },
    async check({ d1 }) {
      const { results } = await d1
        .prepare('SELECT bookings.id, status, username FROM bookings JOIN accounts ON accounts.id = booker_id')
        .all<{ id: string; status: number; username: string }>();
      const rows = new Map(results.map((row) => [row.id, row]));
      for (const id of canceled) deepStrictEqual([id, rows.get(id)?.status], [id, 2]);
      for (const one of taken) deepStrictEqual(rows.get(one.id), { ...one, status: 1 });
      const wishes = await d1.prepare('SELECT id FROM wishes').all<{ id: string }>();
      const kept = new Set(wishes.results.map(({ id }) => id));
      deepStrictEqual(
        waits.filter((id) => !kept.has(id)),
        [],
        'a wish is lost',
      );
      deepStrictEqual((await d1.prepare(unheld).bind(Date.now()).all()).results, [], 'free while somebody waits');
      deepStrictEqual((await d1.prepare(untold).all()).results, [], 'held, and not told once');
      const holds = results.filter(({ status }) => status === 0).length;
      return { canceled: canceled.length, taken: taken.length, holds };
    },
  };
});
