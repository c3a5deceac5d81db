import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../app/local/server';
import { book, cancel, dayAhead, publish, registerCrowd, registerProvider } from '../support/factories';
import { run } from '../support/process';
import { visitor } from '../support/visit';
import type { Chance } from './chance';
import { brokenRules } from './invariants';
import { gone } from './kill';

/* Kills a server while people cancel times that others wait for. */

type Wish = { offer: { link: string } | null };
/** What was acknowledged before a kill. */
type Acknowledged = { canceled: string[]; taken: { id: string; who: string }[]; waits: string[] };

/** No answer. */
function none(error: NodeJS.ErrnoException): [] {
  gone(error);
  return [];
}

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
}: {
  dataDir: string;
  rounds: number;
  chance: Chance;
  say?: (line: string) => void;
}): Promise<{ kills: number; canceled: number; taken: number; holds: number }> {
  const vars = { RATE_LIMIT: 'off' };
  const serve = () => startServer({ dataDir, vars, passwordCost: { ln: 4, r: 8, p: 1 }, log: () => {} });
  const first = await serve();
  const door = { visitor: () => visitor(first.url) };
  const host = await registerProvider(door);
  const [bookers, waiters] = [await registerCrowd(door, 6), await registerCrowd(door, 4)];
  await first.stop();
  const known: Acknowledged = { canceled: [], taken: [], waits: [] };

  for (let round = 0; round < rounds; round++) {
    const running = run('start', { ...vars, PORT: '0', DATA_DIR: dataDir, SEED: 'off' });
    try {
      const [, url = ''] = /open at (http:\S+)/.exec(await running.shows(/open at http:\S+\n/)) ?? [];
      for (const { browser } of [host, ...bookers, ...waiters]) Object.assign(browser, { url });
      const date = dayAhead(3 + round);
      const slots = await publish(host, { start: '09:00', end: '12:00', dates: [date] }, 'len=30');
      await Promise.all(slots.map((slot, place) => book(bookers[place] as (typeof bookers)[number], slot)));
      for (const who of waiters) {
        for (const { id } of (await who.api('GET', '/api/Waitlist/GetMy')).json as { id: string }[])
          await who.api('DELETE', `/api/Waitlist/Remove?id=${id}`);
        const wish = { provider: host.username, from: date, to: date };
        const added = await who.api('POST', '/api/Waitlist/Add', wish);
        deepStrictEqual(added.status, 201);
        known.waits.push((added.json as { id: string }).id);
      }
      let isOn = true;
      const leave = slots.map(async (slot, place) => {
        await sleep(chance.below(60));
        const status = await cancel(bookers[place] as (typeof bookers)[number], slot).then(
          (answer) => answer.status,
          gone,
        );
        if (status === 200) known.canceled.push(slot.id);
      });
      const answer = waiters.map(async (who) => {
        while (isOn) {
          const wishes = await who.api('GET', '/api/Waitlist/GetMy').then(({ json }) => json as Wish[], none);
          const offer = wishes.find((one) => one.offer)?.offer;
          if (!offer) {
            await sleep(5);
            continue;
          }
          const act = chance.is(0.6) ? 'TakeOffer' : 'PassOffer';
          const path = `/api/Public/${act}?key=${offer.link.split('/').at(-1)}`;
          const given = await who.api('PUT', path).catch(none);
          if ('status' in given && given.status === 200 && act === 'TakeOffer')
            known.taken.push({ id: (given.json as { id: string }).id, who: who.username });
        }
      });
      await sleep(chance.below(250));
      isOn = false;
      running.child.kill('SIGKILL');
      await Promise.all([...leave, ...answer, running.ended]);
    } finally {
      running.child.kill('SIGKILL');
    }
    say?.(
      `${round + 1} kills, ${known.canceled.length} cancellations and ${known.taken.length} taken times acknowledged`,
    );
  }

  const { d1, stop } = await serve();
  try {
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
  } finally {
    await stop();
  }
}
