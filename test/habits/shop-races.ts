import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { D1 } from '../../app/local/d1';
import { book, cancel, dayAhead, isoAhead, type Person, publish, type Row, several } from '../support/factories';
import { everyDay } from '../support/plain-hours';
import { bookAnyone, bringIn, houseService, leave, openShop, setTakes } from '../support/shops';
import type { ApiResponse } from '../support/visit';
import { allDone, move, openOf, raceOf } from './races';

const date = dayAhead(3);
const minute = 60_000;

/** Publishes an hour and a half of each day for six days, but for the one day if that is closed. */
const setHours = (who: Person, isClosed: boolean) =>
  who.api('PUT', '/api/Appointment/SetHours', {
    hours: everyDay('09:00', '10:30'),
    len: 30,
    ahead: 6,
    except: isClosed ? [{ date, hours: [] }] : [],
  });

type Upset = { act: () => Promise<ApiResponse>; undo: () => Promise<unknown> };
type Wish = { shop: string; startsAt: string; minutes: number };

/** How many of those who take appointments in the shop are free then. */
async function countFree(d1: D1, { shop, startsAt, minutes }: Wish): Promise<number> {
  const start = Date.parse(startsAt);
  const free = `SELECT count(*) AS many FROM colleagues JOIN accounts AS shop ON shop.id = shop_id
    WHERE shop.username = ?1 AND takes AND (
      SELECT count(*) FROM slots WHERE provider_id = account_id AND state = 0 AND starts_at >= ?2 AND starts_at < ?3) = ?4`;
  const query = d1.prepare(free).bind(shop, start, start + minutes * minute, minutes / 30);
  return (await query.first<number>('many')) ?? 0;
}

/** With whom each of the crowd has appointments, by the database. */
async function heldBy(d1: D1, crowd: Person[]): Promise<Record<string, { with: string; id: string }[]>> {
  const { results } = await d1
    .prepare(
      `SELECT booker.username AS who, host.username AS provider, bookings.id FROM bookings JOIN accounts AS host ON host.id = provider_id
       JOIN accounts AS booker ON booker.id = booker_id WHERE status = 1 AND local_date = ?`,
    )
    .bind(isoAhead(3))
    .all<{ who: string; provider: string; id: string }>();
  const of = (username: string) => results.filter(({ who }) => who === username);
  return Object.fromEntries(
    crowd.map(({ username }) => [username, of(username).map(({ provider, id }) => ({ with: provider, id }))]),
  );
}

/** The ids of the live bookings of these people. */
async function standingWith(d1: D1, people: Person[]): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT bookings.id FROM bookings JOIN accounts ON accounts.id = provider_id
       WHERE status = 1 AND username IN (SELECT value FROM json_each(?)) ORDER BY bookings.id`,
    )
    .bind(JSON.stringify(people.map(({ username }) => username)))
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/**
 * Three colleagues have the same morning, and all want one of two times: with anyone, which some send twice, or with one whom
 * they name. Nobody gets two appointments, nobody is booked twice, and nobody who would have taken anyone is refused while
 * somebody is free.
 * @param lengths of the services in minutes, of which each wants one; none for the times as they are
 * @param meanwhile what one of the colleagues does, and what makes it as before
 */
const raceInShop = (lengths: number[], meanwhile: Record<string, (owner: Person, who: Person) => Upset | undefined>) =>
  raceOf(async ({ d1, host, colleagues = [], crowd, chance, count }) => {
    const people = [host, ...colleagues];
    const { username: shop } = await openShop(host);
    await bringIn(host, colleagues);
    allDone(await Promise.all(people.map((who) => setHours(who, false))));
    const services: { id: string; minutes: number }[] = [];
    for (const minutes of lengths) services.push(await houseService(host, shop, people, { minutes }));
    return async () => {
      const open = await Promise.all(people.map((who) => openOf(who, date)));
      for (const { length } of open) strictEqual(length, 3, 'the morning is free');
      const wishes = crowd.map((who) => {
        const place = chance.below(2);
        const service = services.length > 0 ? chance.of(services) : undefined;
        const query: Record<string, string> = service ? { service: service.id } : {};
        const { startsAt } = chance.of(open)[place] as Row;
        const named = chance.is(0.3) ? chance.of(open)[place] : undefined;
        const once = () =>
          named
            ? who.api('PUT', `/api/Appointment/Book?${new URLSearchParams({ id: named.id, ...query })}`)
            : bookAnyone(who, shop, startsAt, query);
        const times = chance.is(0.2) ? 2 : 1;
        return { who, named, times, once, shop, startsAt, minutes: service?.minutes ?? 30 };
      });
      const what = chance.of(Object.keys(meanwhile));
      const upset = meanwhile[what]?.(host, chance.of(colleagues));
      const [done, responses] = await Promise.all([
        upset?.act(),
        Promise.all(wishes.map(({ times, once }) => several(times, once))),
      ]);
      if (done) ok(done.status < 300, `${done.status} ${done.text}`);
      const won: { who: Person; row: Row }[] = [];
      for (const [place, wish] of wishes.entries()) {
        const [first, second] = responses[place] ?? [];
        const status = first?.status ?? 0;
        count(`${wish.named ? 'named' : 'anyone'} ${status}, ${what}`);
        ok((wish.named ? [200, 404, 409] : [200, 409]).includes(status), `${status} ${first?.text}`);
        if (second) strictEqual(second.status, status, 'sent twice');
        if (status === 200) {
          const row = first?.json as Row;
          if (second) strictEqual((second.json as Row).id, row.id, 'sent twice');
          strictEqual(row.asked, wish.named ? undefined : 'anyone');
          won.push({ who: wish.who, row });
        } else if (!wish.named) strictEqual(await countFree(d1, wish), 0, 'refused though somebody is free');
      }
      ok(won.length > 0, 'somebody gets something');
      deepStrictEqual(await standingWith(d1, people), won.map(({ row }) => row.id).sort(), 'exactly what was told');
      return async () => {
        allDone(await Promise.all(won.map(({ who, row }) => cancel(who, row))));
        await upset?.undo();
      };
    };
  });

const switchOff = (owner: Person, who: Person) => ({
  act: () => setTakes(owner, who, false),
  undo: () => setTakes(owner, who, true),
});

/** All want half an hour, while one of the colleagues leaves, is switched off, or closes the day. */
export const raceForAnyone = raceInShop([], {
  'nobody else acts': () => undefined,
  'one is switched off': switchOff,
  'one leaves': (owner, who) => ({ act: () => leave(who), undo: () => bringIn(owner, [who]) }),
  'one closes the day': (_, who) => ({ act: () => setHours(who, true), undo: () => setHours(who, false) }),
});

/** All want half an hour or an hour, which are two of the same half hours, while one of the colleagues is switched off. */
export const raceForAnyoneOfLengths = raceInShop([30, 60], {
  'nobody else acts': () => undefined,
  'one is switched off': switchOff,
});

/**
 * A colleague has a morning that is booked by the crowd. The owner hands all of it over to the other, while each client cancels,
 * moves within the book or does nothing. The hand-over is whole, or names what can't go, and each has what they were told.
 */
export const raceOfHandOver = raceOf(async ({ d1, host: owner, colleagues = [], crowd, chance, count }) => {
  const [ana, ben] = colleagues as [Person, Person];
  await openShop(owner);
  await bringIn(owner, colleagues);
  return async () => {
    // A time that was handed over is not offered again by itself.
    for (const who of [ana, ben]) await publish(who, { start: '09:00', end: '15:00', dates: [date] });
    const free = await openOf(ana, date);
    const booked = await Promise.all(crowd.map((who, place) => book(who, free[place] as Row)));
    allDone(booked);
    const rows = booked.map(({ json }) => json as Row);
    const acts = crowd.map(() => chance.of(['wait', 'wait', 'wait', 'cancel', 'move'] as const));
    const [handed, responses] = await Promise.all([
      owner.api('POST', '/api/Shop/HandOver', { moves: rows.map(({ id }) => ({ id, to: ben.username })) }),
      Promise.all(
        crowd.map((who, place) => {
          if (acts[place] === 'cancel') return cancel(who, rows[place] as Row);
          return acts[place] === 'move' ? move(who, rows[place] as Row, free[crowd.length + place] as Row) : undefined;
        }),
      ),
    ]);
    count(`hand-over ${handed.status}`);
    ok([200, 409].includes(handed.status), handed.text);
    const isHanded = handed.status === 200;
    const held = await heldBy(d1, crowd);
    const firstToAct = crowd.find((_, place) => responses[place]?.status === 200);
    if (!isHanded) ok(firstToAct, 'refused though nobody did anything');
    if (!isHanded)
      ok(
        crowd.some(({ displayName }) => handed.text.includes(displayName)),
        `names nobody: ${handed.text}`,
      );
    for (const [place, { username }] of crowd.entries()) {
      const [act, status = 0] = [acts[place], responses[place]?.status];
      count(`${act} ${status}, ${isHanded ? 'handed over' : 'refused'}`);
      ok([0, 200, 409].includes(status), `${act} ${status} ${responses[place]?.text}`);
      const isGone = act === 'cancel' && status === 200;
      const isMovedAfter = act === 'move' && status === 200;
      const whom = isHanded && !isMovedAfter ? ben : ana;
      deepStrictEqual(
        held[username]?.map((one) => one.with),
        isGone ? [] : [whom.username],
        `${act} ${status} while the hand-over was ${handed.status}`,
      );
    }
    return async () => {
      for (const who of crowd) for (const one of held[who.username] ?? []) allDone([await cancel(who, one)]);
    };
  };
});
