import { createHash } from 'node:crypto';

/** 132 bits in base64url. */
const length = 22;

/**
 * Hashes an e-mail address, to count or refuse its mail. Letter case and what follows a `+` make no difference,
 * else somebody could make any number of addresses out of one mailbox.
 */
export function hashOfAddress(email: string): string {
  const [, name = '', domain = ''] = /^([^+]*)(?:\+.*)?@(.*)$/s.exec(email.normalize('NFC').toLowerCase()) ?? [];
  return createHash('sha256').update(`address\n${name}@${domain}`).digest('base64url').slice(0, length);
}

/** The columns of an address: with its hash, or both null. */
export const storedAddress = (email: string | null) => ({
  email,
  emailHash: email === null ? null : hashOfAddress(email),
});
