import { BlockList, isIP, isIPv6 } from 'node:net';
import { Refusal } from './refusal';

/** Proxies that name the client, in the header that they write. */
export type TrustedProxy = { addresses: string; header?: string | undefined };

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Reads an address that stands alone or before a port; undefined for anything else. Each has one spelling, because
 * limits count spellings: an IPv4 address in IPv6 is the same machine, and no zone or port makes another client.
 */
function readAddress(text: string): string | undefined {
  const [, v6, v4] = /^\[([^\]]+)\](?::\d*)?$|^([\d.]+)(?::\d*)?$/.exec(text.trim()) ?? [];
  const address = (v6 ?? v4 ?? text.trim()).replace(/%.*/, '');
  if (!isIPv6(address)) return isIP(address) ? address : undefined;
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, ...halves] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(spelled) ?? [];
  if (halves.length === 0) return spelled;
  return halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.');
}

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
 * Makes a function that finds the client of a request. It reads the list of addresses from its end, where each proxy adds
 * who asked it, because the sender may have written the beginning. The client is the first that is not a trusted proxy.
 * What can't be read ends the search: then the client is the last proxy that was found.
 * @throws Refusal for wrong settings
 */
export function clientAddress(trusted?: TrustedProxy) {
  const proxies = listOf(trusted?.addresses ?? '');
  const header = (trusted?.header || 'X-Forwarded-For').toLowerCase();
  if (!/^[a-z0-9-]+$/.test(header)) throw new Refusal('TRUST_PROXY_HEADER must be the name of a header.');
  const isProxy = (address: string) => proxies.check(address, family(address));

  return (
    sender: string,
    headers: Record<string, string | string[] | undefined>,
  ): { client: string; isHttps: boolean } => {
    let client = readAddress(sender) ?? 'unknown';
    if (!isIP(client) || !isProxy(client)) return { client, isHttps: false };
    for (const entry of [headers[header] ?? []].flat().join(',').split(',').reverse()) {
      const address = readAddress(entry);
      if (address) client = address;
      if (!address || !isProxy(address)) break;
    }
    const [scheme] = [headers['x-forwarded-proto'] ?? ''].flat();
    return { client, isHttps: scheme?.split(',').at(-1)?.trim() === 'https' };
  };
}
