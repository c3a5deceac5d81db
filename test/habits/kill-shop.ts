import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { D1 } from '../../app/local/d1';
import { type Person, password, registerProvider } from '../support/factories';
import { bringIn, invite, join, openShop } from '../support/shops';
import { gone, killingOf, untilEnough } from './kill';

const many = 3;
/** An owner whose shop others join and leave, one who closes theirs, those who join, and those who leave. */
const peopleOfRound = 2 + 2 * many;

/** What somebody does about a shop, and whether it was acknowledged. */
type Asked = { what: 'join' | 'leave' | 'close'; who: string; shop: string; isAcknowledged: boolean };

/** People join a shop and leave it, and another one is closed. */
export const killWithShops = killingOf(async (server, { rounds, chance }) => {
  const people: Person[] = [];
  while (people.length < rounds * peopleOfRound) people.push(await registerProvider(server));
  const all: Asked[] = [];
  return {
    people,
    async write(round, kill) {
      const [owner, closer, ...others] = people.slice(round * peopleOfRound, (round + 1) * peopleOfRound) as [
        Person,
        Person,
        ...Person[],
      ];
      const [joining, leaving] = [others.slice(0, many), others.slice(many)];
      const [{ username: shop }, { username: closing }] = [await openShop(owner), await openShop(closer)];
      await bringIn(owner, leaving);
      const links: string[] = [];
      for (const _ of joining) links.push((await invite(owner)).link);
      let done = 0;
      const ask = async ({ username: who }: Person, asked: Pick<Asked, 'what' | 'shop'>, sent: Promise<Sent>) => {
        const one: Asked = { ...asked, who, isAcknowledged: false };
        all.push(one);
        const { status } = await sent.catch(gone);
        ok([0, 201, 204].includes(status), `${one.what} is answered by ${status}`);
        one.isAcknowledged = status !== 0;
        if (one.isAcknowledged) done += 1;
      };
      const enough = chance.below(2 * many + 2);
      const busy = Promise.all([
        ...joining.map((who, place) => ask(who, { what: 'join', shop }, join(who, { link: links[place] as string }))),
        ...leaving.map((who) => ask(who, { what: 'leave', shop }, who.api('PUT', '/api/Shop/Leave'))),
        ask(closer, { what: 'close', shop: closing }, closer.api('DELETE', '/api/Shop/Close', { password })),
      ]);
      await untilEnough(() => done >= enough);
      await sleep(chance.below(20));
      kill();
      await busy;
    },
    async check({ d1 }) {
      const links = await usedLinks(d1);
      for (const asked of all) await checkAsked(d1, asked, links);
      const count = (what: Asked['what']) => all.filter((one) => one.what === what && one.isAcknowledged).length;
      return { joined: count('join'), left: count('leave'), closed: count('close') };
    },
  };
});

type Sent = { status: number };

/** Who used a link, and of which shop. */
async function usedLinks(d1: D1): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT who.username || ' ' || shop.username AS used FROM shop_invitations
         JOIN accounts AS who ON who.id = used_by JOIN accounts AS shop ON shop.id = shop_id`,
    )
    .all<{ used: string }>();
  return results.map(({ used }) => used);
}

/** Somebody is wholly in or wholly out, and as was acknowledged. A link is used by whoever is in, and a closed shop has left nothing. */
async function checkAsked(d1: D1, { what, who, shop, isAcknowledged }: Asked, links: string[]): Promise<void> {
  const row = await d1
    .prepare(
      `SELECT count(shop.id) AS shops, count(colleagues.account_id) AS members FROM (SELECT 1)
         LEFT JOIN accounts AS shop ON shop.username = ?2
         LEFT JOIN colleagues ON colleagues.shop_id = shop.id
           AND colleagues.account_id = (SELECT id FROM accounts WHERE username = ?1)`,
    )
    .bind(who, shop)
    .first<{ shops: number; members: number }>();
  const told = `${who}, who would ${what} ${shop}`;
  const isIn = row?.members === 1;
  if (isAcknowledged) deepStrictEqual(isIn, what === 'join', told);
  if (what === 'join') deepStrictEqual(links.includes(`${who} ${shop}`), isIn, `the link of ${told}`);
  if (what === 'close') deepStrictEqual(row?.shops, row?.members, told);
}
