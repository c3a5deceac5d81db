import { isCall } from './cross-site.server';

/** The key that a program sends with a call; null without one. One in an address is not looked at. */
export function keyOf({ url, headers }: Request): string | null {
  const [, key] = /^Bearer +(\S+)$/i.exec(headers.get('Authorization') ?? '') ?? [];
  return key && isCall(new URL(url)) ? key : null;
}
