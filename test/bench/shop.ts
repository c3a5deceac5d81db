import { type Person, password } from '../support/factories';
import { bringIn, houseService, openShop } from '../support/shops';
import { visitor } from '../support/visit';
import { serving } from './served';
import { rowsOfShop } from './shop-rows';
import { withCopy } from './world-folder';
import { cityName, consumerName, providerId, worldOf } from './world-plan';

const many = 20;

/** Prints what the lists and the claim of a shop of twenty read and write in a large world. */
export async function measureShop(say: (line: string) => void): Promise<boolean> {
  const size = worldOf(100_000);
  await withCopy(size, 'shop', say, (dataDir) =>
    serving(dataDir, { vars: { TIMING: 'on' } }, async ({ d1, url }) => {
      const { results } = await d1
        .prepare(
          `SELECT username, display_name AS displayName FROM accounts WHERE role = 'Provider' AND id <> ?1
             AND time_zone = (SELECT time_zone FROM accounts WHERE id = ?1) LIMIT ?2`,
        )
        .bind(providerId(0), many)
        .all<Pick<Person, 'username' | 'displayName'>>();
      const enter = async (one: Pick<Person, 'username' | 'displayName'>): Promise<Person> => {
        const browser = visitor(url);
        await browser.api('POST', '/api/Account/Login', { username: one.username, password });
        return { ...one, browser, api: browser.api.bind(browser) };
      };
      const people: Person[] = [];
      for (const one of results) people.push(await enter(one));
      const [owner, ...others] = people;
      if (!owner) throw new Error('The world has no providers.');
      const location = cityName(0);
      const { username: shop } = await openShop(owner, { location });
      await bringIn(owner, others);
      const { id: service } = await houseService(owner, shop, people);
      const client = await enter({ username: consumerName(500), displayName: '' });
      say(`| a shop of ${many}, ${size.slots.toLocaleString('en')} slots | trips | rows read | rows written |`);
      say('|---|---|---|---|');
      for (const { what, trips, read, written } of await rowsOfShop(url, client, { shop, service, location }))
        say(`| ${what} | ${trips} | ${read} | ${written} |`);
    }),
  );
  return true;
}
