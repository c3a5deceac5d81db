import { type Person, publish, type Row, several } from './factories';
import { type Service, serviceDraft } from './services';
import type { ApiResponse } from './visit';

/** A shop as the API gives it. */
export type Shop = {
  username: string;
  displayName: string;
  people: { username: string; displayName: string; role: string; takes: boolean; joinedAt: string }[];
};
type Invitation = { id: string; role: string; email: string | null; madeAt: string; until: string; link: string };

let shops = 0;
/** The input of Open: each time under a new name. */
export const shopDraft = (details: object = {}) => {
  shops += 1;
  return { username: `shop-${shops}`, displayName: `Shop ${shops}`, location: 'Lisbon', ...details };
};

/** Opens a shop of this provider. */
export async function openShop(owner: Person, details: object = {}): Promise<Shop> {
  const response = await owner.api('POST', '/api/Shop/Open', shopDraft(details));
  if (response.status !== 201) throw new Error(`No shop was opened: ${response.status} ${response.text}`);
  return response.json as Shop;
}

/** Makes an invitation to the owner's shop. */
export async function invite(owner: Person, details: object = {}): Promise<Invitation> {
  const response = await owner.api('POST', '/api/Shop/Invite', { role: 'colleague', ...details });
  if (response.status !== 201) throw new Error(`Nobody was invited: ${response.status} ${response.text}`);
  return response.json as Invitation;
}

/** The path of an invitation ends in its key. */
export const join = (who: Person, { link }: Pick<Invitation, 'link'>): Promise<ApiResponse> =>
  who.api('POST', '/api/Shop/Join', { key: link.split('/').at(-1) });

/** Lets these people join the shop of the owner. */
export async function bringIn(owner: Person, people: Person[], role = 'colleague'): Promise<void> {
  for (const who of people) {
    const { status, text } = await join(who, await invite(owner, { role }));
    if (status !== 201) throw new Error(`${who.username} did not join: ${status} ${text}`);
  }
}

export const shopOf = (who: Person) => who.api('GET', '/api/Shop/Get');
export const peopleOf = async (who: Person) => ((await shopOf(who)).json as Shop).people;
/** Who belongs to the shop, in the order of its page. */
export const namesIn = async (who: Person) => (await peopleOf(who)).map(({ username }) => username);
/** Who is what in the shop. */
export const rolesIn = async (who: Person) =>
  Object.fromEntries((await peopleOf(who)).map(({ username, role }) => [username, role]));

/** Opens a shop of the first, in which the others work, and publishes the same times of each. */
export async function shopWith(people: [Person, ...Person[]], times: object) {
  const [owner, ...others] = people;
  const { username: shop } = await openShop(owner);
  await bringIn(owner, others);
  const slots = await several(people.length, (place) => publish(people[place] as Person, times));
  return { people, shop, slots, startsAt: slots[0]?.[0]?.startsAt ?? '' };
}

/** A service of the house, which these people do: for their own price, if one is given. */
export async function houseService(
  owner: Person,
  shop: string,
  people: Person[],
  details: object = {},
): Promise<Service> {
  const made = await owner.api('POST', `/api/Service/Create?of=${shop}`, serviceDraft(details));
  if (made.status !== 201) throw new Error(`No service was created: ${made.status} ${made.text}`);
  const service = made.json as Service;
  for (const who of people) await offer(owner, shop, service, who);
  return service;
}

/** Says that somebody does a service of the house, and how. */
export async function offer(owner: Person, shop: string, { id }: { id: string }, who: Person, how: object = {}) {
  const body = { username: who.username, offered: true, ...how };
  const { status, text } = await owner.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, body);
  if (status !== 200) throw new Error(`${who.username} does not do it: ${status} ${text}`);
}

/** Books with whoever is free in the shop. */
export const bookAnyone = (
  who: Pick<Person, 'api'>,
  shop: string,
  startsAt: string,
  more: Record<string, string> = {},
) => who.api('PUT', `/api/Appointment/BookAnyone?${new URLSearchParams({ shop, startsAt, ...more })}`);

/** Of those who have got a time, the names of whom they got it with. */
export const providersOf = (responses: ApiResponse[]) =>
  responses.flatMap(({ status, json }) => (status === 200 ? [(json as Row).provider] : [])).sort();

export const setTakes = (owner: Person, { username }: Person, takes: boolean) =>
  owner.api('PUT', `/api/Shop/SetColleague?username=${username}`, { takes });
export const leave = (who: Person) => who.api('PUT', '/api/Shop/Leave');
