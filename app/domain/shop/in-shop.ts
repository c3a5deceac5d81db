import { providerWords } from '../profile/former';
import { withCommas } from '../words/joined';
import type { Words } from '../words/words';

/** The shop under whose name somebody is booked. */
export type ShopInShort = { username: string; displayName: string };

/**
 * Names a provider, and the shop in which they were booked: 'Ana, Salão Sol'.
 * @param isFirst the words begin a sentence or stand alone
 */
export function providerInShop(
  { providerName, shop }: { providerName: string; shop: Pick<ShopInShort, 'displayName'> | null },
  isFirst = false,
): Words {
  const provider = providerWords(providerName, isFirst);
  return shop ? withCommas([provider, shop.displayName]) : provider;
}
