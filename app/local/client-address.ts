import { BlockList, isIP, isIPv6 } from 'node:net';
import { Refusal } from './refusal';

/** Proxies that name the client, in the header that they write. */
export type TrustedProxy = { addresses: string; header?: string | undefined };

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

// An IPv4 address written as IPv6 is the same machine.
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Reads a list of addresses and networks. @throws Refusal for anything else */
function listOf(addresses: string): BlockList {
  const list = new BlockList();
  for (const entry of addresses.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', bits, more] = entry.split('/');
    const most = isIPv6(address) ? 128 : 32;
    const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more === undefined;
    if (!isIP(address) || (bits !== undefined && !isNetwork)) {
      throw new Refusal(
        `TRUST_PROXY must be the addresses of your proxies, such as 127.0.0.1 or 10.0.0.0/8, not "${entry}".`,
      );
    }
    if (isNetwork) list.addSubnet(address, Number(bits), family(address));
    else list.addAddress(address, family(address));
  }
  return list;
}

/**
 * Makes a function that finds the client of a request. From a list of addresses it takes the last one that is not a
 * trusted proxy, because the sender may have written the beginning of the list.
 * @throws Refusal for wrong settings
 */
export function clientAddress(trusted?: TrustedProxy) {
  const proxies = listOf(trusted?.addresses ?? '');
  const header = (trusted?.header || 'X-Forwarded-For').toLowerCase();
  if (!/^[a-z0-9-]+$/.test(header)) throw new Refusal('TRUST_PROXY_HEADER must be the name of a header.');
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, family(address));

  return (
    sender: string,
    headers: Record<string, string | string[] | undefined>,
  ): { client: string; isHttps: boolean } => {
    const from = plain(sender);
    if (!isProxy(from)) return { client: from, isHttps: false };
    const addressesInHeader = [headers[header] ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((part) => plain(part.trim()));
    const client = addressesInHeader.filter((address) => isIP(address) !== 0).findLast((address) => !isProxy(address));
    const [scheme] = [headers['x-forwarded-proto'] ?? ''].flat();
    return { client: client ?? from, isHttps: scheme?.split(',').at(-1)?.trim() === 'https' };
  };
}
