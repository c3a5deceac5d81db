import type { Person } from './factories';

let opened = 0;

/** Opens a shop for its first person, whom the others join in their order. @returns its username */
export async function openShop([owner, ...others]: [Person, ...Person[]], details: object = {}): Promise<string> {
  opened += 1;
  const shop = { username: `shop-${opened}`, displayName: `Shop ${opened}`, location: 'Lisbon', ...details };
  const response = await owner.api('POST', '/api/Shop/Open', shop);
  if (response.status !== 201) throw new Error(`No shop was opened: ${response.status} ${response.text}`);
  for (const other of others) await joinShop(owner, other);
  return shop.username;
}

/** Lets somebody join the owner's shop by a link. */
export async function joinShop(owner: Person, other: Person, role = 'colleague'): Promise<void> {
  const invitation = await owner.api('POST', '/api/Shop/Invite', { role });
  const { link } = invitation.json as { link: string };
  const key = link.split('/').at(-1);
  const joined = await other.api('POST', '/api/Shop/Join', { key });
  if (joined.status !== 201) throw new Error(`Nobody joined: ${joined.status} ${joined.text}`);
}
