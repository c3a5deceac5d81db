// Checks addresses that somebody typed: those that we will fetch, and those that browsers will open. The refused ranges
// come from IANA's special-purpose registries.

/** The first address of a range, and the number of its leading bits. */
const notPublic: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const numberOf = (address: string) => address.split('.').reduce((all, part) => all * 256 + Number(part), 0);

const isPublicIpv4 = (address: string) =>
  !notPublic.some(([first, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(numberOf(address) / size) === numberOf(first) / size;
  });

/** Public addresses are in 2000::/3, without the examples and those that contain an IPv4 address (6to4, Teredo). */
const isPublicIpv6 = (address: string) =>
  /^[23]/.test(address) &&
  /^[\da-f]{4}:/.test(address) &&
  !/^2002:/.test(address) &&
  !/^2001:(:|[01]?[\da-f]{0,2}:|db8:)/.test(address) &&
  !/^3fff:/.test(address);

/** Names that only this machine or its own network resolves. */
const ownNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa|onion|test|invalid)$/;

const isLoopback = (host: string) => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(host);

/** Reads an address without a user: what stands before an @ looks like a host, and may be a password. */
function addressWithoutUser(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username || url.password ? undefined : url;
}

/** True for an address of http or https that a browser may open. */
export const isWebAddress = (text: string): boolean =>
  // Without the slashes, browsers on https would take `https:name` for a page of ours.
  /^https?:\/\//i.test(text) && addressWithoutUser(text) !== undefined;

export type OutsideOptions = {
  /** True for a local server, which may fetch from its own machine and without https. */
  allowsLoopback?: boolean;
};

/** Reads an address; undefined unless it is a public https address. */
export function outsideAddress(text: string, { allowsLoopback = false }: OutsideOptions = {}): URL | undefined {
  const url = addressWithoutUser(text.trim());
  if (!url) return undefined;
  const host = url.hostname.replace(/\.+$/, '');
  url.hash = '';
  if (isLoopback(host)) return allowsLoopback && /^https?:$/.test(url.protocol) ? url : undefined;
  if (url.protocol !== 'https:') return undefined;
  if (host.startsWith('[')) return isPublicIpv6(host.slice(1, -1)) ? url : undefined;
  if (/^\d+(\.\d+){3}$/.test(host)) return isPublicIpv4(host) ? url : undefined;
  return host.includes('.') && !ownNames.test(host) ? url : undefined;
}

/** As outsideAddress, for a calendar: `webcal:` means https. */
export const calendarAddress = (text: string, options?: OutsideOptions): URL | undefined =>
  outsideAddress(text.trim().replace(/^webcals?:/i, 'https:'), options);
