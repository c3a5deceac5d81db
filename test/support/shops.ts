import type { Person } from './factories';
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

/** A service of the house, as long as half an hour, that these people do. @returns its id */
export async function houseService(owner: Person, shop: string, people: Person[]): Promise<string> {
  const made = await owner.api('POST', `/api/Service/Create?of=${shop}`, { name: 'Cut', minutes: 30 });
  const { id } = made.json as { id: string };
  for (const { username } of people) {
    const { status, text } = await owner.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, {
      username,
      offered: true,
    });
    if (status !== 200) throw new Error(`${username} does not do it: ${status} ${text}`);
  }
  return id;
}
