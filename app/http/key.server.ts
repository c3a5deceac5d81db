import { isCall } from './cross-site.server';

/** The key that a program sends with a call; null without one. One in an address is not looked at. */
export function keyOf({ url, headers }: Request): string | null {
  const sent = /^Bearer(?: +(.*))?$/i.exec(headers.get('Authorization') ?? '');
  // A blank one opens nothing, like any wrong one.
  return sent && isCall(new URL(url)) ? sent[1] || 'blank' : null;
}
