import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setHouseRules } from '../../../app/domain/bookings/house-rules.server';
import { getRules, setRules } from '../../../app/domain/bookings/own-rules.server';
import { DomainError } from '../../../app/domain/errors';
import { linksBy } from '../../../app/domain/links.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { type HouseRules, houseRules } from '../../../app/domain/shop/house-rules';
import { invite, join as joinShop, leaveShop } from '../../../app/domain/shop/joining.server';
import { getShop, openShop } from '../../../app/domain/shop/shops.server';
import type { Db } from '../../../db/client';
import { join, newBook, once, start, stored } from '../../support/history';

const links = linksBy('a secret of this test');

/** An owner with a shop, and two who may join it. */
async function newShop() {
  const { db, host } = await newBook();
  const [ana, ben] = await Promise.all(
    ['ana', 'ben'].map((username) =>
      join(db, { username, displayName: username, timeZone: 'UTC', role: 'Provider', location: 'Lisbon' }),
    ),
  );
  const shop = { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null };
  await openShop(db, host, shop, once(start));
  return { db, owner: host, others: { ana, ben } as Record<Name, Actor> };
}

async function joinIt(db: Db, owner: Actor, who: Actor): Promise<void> {
  const { key } = await invite(db, links, owner, { role: 'colleague' }, once(start));
  await joinShop(db, who, key, start);
}

type Name = 'ana' | 'ben';
type Change = Partial<HouseRules>;

const values: { [Rule in keyof HouseRules]: HouseRules[Rule][] } = {
  openTo: ['anyone', 'accounts'],
  askEmail: ['no', 'required'],
  askPhone: ['no', 'optional'],
  notice: [0, 60],
  cancelUntil: [0, 1440],
  horizonDays: [null, 30],
  perPerson: [null, 2],
  perDay: [null, 8],
  keepAnswersDays: [null, 90],
  waitlist: ['on', 'off'],
  reminders: [[], [60], [2880, 60]],
};

const changeOf = (isHouse: boolean) =>
  fc.record(
    Object.fromEntries(
      houseRules.map((rule) => [rule, fc.constantFrom(...values[rule], ...(isHouse ? [null] : []))]),
    ) as { [Rule in keyof HouseRules]: fc.Arbitrary<HouseRules[Rule]> },
    { requiredKeys: [] },
  );
const who = fc.constantFrom<Name>('ana', 'ben');
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('house' as const), change: changeOf(true) }),
    fc.record({ does: fc.constant('own' as const), who, change: changeOf(false) }),
    fc.record({ does: fc.constant('join' as const), who }),
    fc.record({ does: fc.constant('leave' as const), who }),
  ),
  { minLength: 1, maxLength: 12 },
);

const among = (rules: object): Change =>
  Object.fromEntries(Object.entries(rules).filter(([rule]) => houseRules.includes(rule as keyof HouseRules)));
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

test('what the house sets holds for its people, and everybody’s own comes back, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      const { db, owner, others } = await newShop();
      let house: Change = {};
      const own: Record<Name, Change> = { ana: among(await getRules(db, others.ana, start)), ben: {} };
      own.ben = { ...own.ana };
      const isIn: Record<Name, boolean> = { ana: false, ben: false };

      for (const act of acts) {
        if (act.does === 'house') {
          await setHouseRules(db, owner, act.change, start);
          house = Object.fromEntries(Object.entries({ ...house, ...act.change }).filter(([, value]) => value !== null));
        } else if (act.does === 'own') {
          const isRefused =
            isIn[act.who] &&
            Object.entries(act.change).some(
              ([rule, value]) => rule in house && !isSame(value, house[rule as keyof Change]),
            );
          const done = await setRules(db, others[act.who], act.change as object, start).catch(
            (error: unknown) => error,
          );
          expect(done instanceof DomainError && done.code).toBe(isRefused && 'conflict');
          const theirs = Object.entries(act.change).filter(([rule]) => !(isIn[act.who] && rule in house));
          if (!isRefused) own[act.who] = { ...own[act.who], ...Object.fromEntries(theirs) };
        } else if (act.does === 'join' && !isIn[act.who]) {
          await joinIt(db, owner, others[act.who]);
          isIn[act.who] = true;
        } else if (act.does === 'leave' && isIn[act.who]) {
          await leaveShop(db, others[act.who], {}, start);
          isIn[act.who] = false;
        }

        for (const name of ['ana', 'ben'] as const)
          expect(among(await getRules(db, others[name], start))).toEqual({ ...own[name], ...(isIn[name] && house) });
        expect(Object.entries((await getShop(db, owner)).rules).filter(([, value]) => value !== null)).toEqual(
          houseRules.filter((rule) => rule in house).map((rule) => [rule, house[rule]]),
        );
        const kept = await stored<{ own_rules: string }>('SELECT own_rules FROM colleagues');
        for (const { own_rules } of kept)
          expect(Object.keys(JSON.parse(own_rules)).sort()).toEqual(Object.keys(house).sort());
      }
    }),
    { numRuns: 25 },
  );
});
