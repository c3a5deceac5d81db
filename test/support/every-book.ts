import { makeRouteWorld, type RouteWorld } from './every-route';
import { dayAhead, type Person, registerProvider } from './factories';
import { bringIn, openShop } from './shops';
import type { Served } from './use-server';

export const shopRoles = [
  'an owner',
  'the desk',
  'a colleague',
  'an owner of another shop',
  'a client',
  'a stranger',
] as const;
export type ShopRole = (typeof shopRoles)[number];
export const mayAct = shopRoles.slice(0, 2);
export const mayNotAct = shopRoles.slice(2);

/** One of everything in the book of a colleague of a shop, and everybody who may or may not work in it. */
export type BookWorld = RouteWorld & { people: Record<ShopRole, Person>; elsewhere: Person };

/** @returns `elsewhere` works in the other shop */
export async function makeBookWorld(daybook: Served): Promise<BookWorld> {
  const world = await makeRouteWorld(daybook);
  const { provider, rival, consumer } = world;
  const newProvider = () => registerProvider(daybook, { displayName: 'Dora Desk' });
  const [owner, desk, colleague, elsewhere] = [
    await newProvider(),
    await newProvider(),
    await newProvider(),
    await newProvider(),
  ];
  await bringIn(provider, [owner], 'owner');
  await bringIn(provider, [desk], 'desk');
  await bringIn(provider, [colleague]);
  const set = `/api/Shop/SetColleague?username=${provider.username}`;
  const { status } = await owner.api('PUT', set, { role: 'colleague' });
  if (status !== 200) throw new Error(`The provider is an owner still: ${status}`);
  await openShop(rival);
  await bringIn(rival, [elsewhere]);
  const browser = daybook.visitor();
  const people = {
    ...{ 'an owner': owner, 'the desk': desk, 'a colleague': colleague },
    ...{ 'an owner of another shop': rival, 'a client': consumer },
    'a stranger': { username: '', displayName: 'Nobody', browser, api: browser.api.bind(browser) },
  };
  // Behind all days on which somebody waits.
  let days = 150;
  return { ...world, people, elsewhere, newDay: () => dayAhead(++days) };
}
