import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { book, cancel, dayAhead, publish, registerCrowd, registerProvider } from '../support/factories';
import { add, passOffer, takeOffer, type Wish, wishesOf } from '../support/waitlist';
import { brokenRules } from './invariants';
import type { Killing } from './kill';
import { gone, serving, underKill } from './tool';

/* Kills a server while people cancel times that others wait for. */

/** What was acknowledged before a kill. */
type Acknowledged = { canceled: string[]; taken: { id: string; who: string }[]; waits: string[] };

const unheld = `SELECT w.id FROM wishes AS w CROSS JOIN fits AS f ON f.provider_id = w.provider_id AND f.wish_id = w.id
  WHERE w.state = 0 AND f.starts_at >= max(w.from_at, ?1) AND f.starts_at < w.until_at AND f.suits AND NOT f.was_offered
    AND ?1 BETWEEN f.opens_at AND f.closes_at`;
const untold = `SELECT id FROM bookings WHERE status = 0 AND 1 <> (SELECT count(*) FROM messages WHERE booking_id = bookings.id AND kind = 'offer')`;

/** @returns how many cancellations and taken offers were acknowledged @throws AssertionError for anything lost, or offered twice */
export async function killWhileWaiting({
  dataDir,
  rounds,
  chance,
  say,
}: Killing): Promise<{ kills: number; canceled: number; taken: number; holds: number }> {
  const folder = { dataDir, log: () => {} };
  const { host, bookers, waiters } = await serving(folder, async (server) => ({
    host: await registerProvider(server),
    bookers: await registerCrowd(server, 6),
    waiters: await registerCrowd(server, 4),
  }));
  const known: Acknowledged = { canceled: [], taken: [], waits: [] };

  for (let round = 0; round < rounds; round++) {
    await underKill(folder, [host, ...bookers, ...waiters], async (kill) => {
      const date = dayAhead(3 + round);
      const slots = await publish(host, { start: '09:00', end: '12:00', dates: [date] }, 'len=30');
      const bookerOf = slots.map((slot, place) => ({ slot, who: bookers[place] as (typeof bookers)[number] }));
      await Promise.all(bookerOf.map(({ slot, who }) => book(who, slot)));
      for (const who of waiters) {
        for (const { id } of await wishesOf(who)) await who.api('DELETE', `/api/Waitlist/Remove?id=${id}`);
        const added = await add(who, host, { from: date, to: date });
        deepStrictEqual(added.status, 201);
        known.waits.push((added.json as Wish).id);
      }
      let isOn = true;
      const leave = bookerOf.map(async ({ slot, who }) => {
        await sleep(chance.below(60));
        const { status } = await cancel(who, slot).catch(gone);
        if (status === 200) known.canceled.push(slot.id);
      });
      const answer = waiters.map(async (who) => {
        while (isOn) {
          const { json } = await who.api('GET', '/api/Waitlist/GetMy').catch(gone);
          const offer = ((json ?? []) as Wish[]).find((one) => one.offer)?.offer;
          if (!offer) {
            await sleep(5);
            continue;
          }
          const act = chance.is(0.6) ? takeOffer : passOffer;
          const given = await act(who.browser, offer).catch(gone);
          if (given.status === 200 && act === takeOffer)
            known.taken.push({ id: (given.json as { id: string }).id, who: who.username });
        }
      });
      await sleep(chance.below(250));
      isOn = false;
      kill();
      await Promise.all([...leave, ...answer]);
    });
    const { canceled, taken } = known;
    say?.(`${round + 1} kills, ${canceled.length} cancellations and ${taken.length} taken times acknowledged`);
  }

  return serving(folder, async ({ d1 }) => {
    deepStrictEqual(await brokenRules(d1), []);
    const { results } = await d1
      .prepare('SELECT bookings.id, status, username FROM bookings JOIN accounts ON accounts.id = booker_id')
      .all<{ id: string; status: number; username: string }>();
    const rows = new Map(results.map((row) => [row.id, row]));
    for (const id of known.canceled) deepStrictEqual([id, rows.get(id)?.status], [id, 2]);
    for (const { id, who } of known.taken) deepStrictEqual(rows.get(id), { id, status: 1, username: who });
    const { results: wishes } = await d1.prepare('SELECT id FROM wishes').all<{ id: string }>();
    const ids = new Set(wishes.map(({ id }) => id));
    ok(
      known.waits.every((id) => ids.has(id)),
      'a wish is lost',
    );
    deepStrictEqual((await d1.prepare(unheld).bind(Date.now()).all()).results, [], 'free while somebody waits');
    deepStrictEqual((await d1.prepare(untold).all()).results, [], 'held, and not told once');
    const holds = results.filter(({ status }) => status === 0).length;
    return { kills: rounds, canceled: known.canceled.length, taken: known.taken.length, holds };
  });
}
