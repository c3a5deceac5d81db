import { createHash } from 'node:crypto';

/** 132 bits in base64url. */
const length = 22;

/**
 * Hashes the mailbox of an address, which is as `addressAsSent` gives it. Mail, wishes and refusals are counted by this
 * hash. Letter case and what follows a `+` make no difference; else one mailbox would have any number of addresses.
 */
export function hashOfAddress(email: string): string {
  const [, name = '', domain = ''] = /^([^+]*)(?:\+.*)?@(.*)$/s.exec(email.toLowerCase()) ?? [];
  return createHash('sha256').update(`address\n${name}@${domain}`).digest('base64url').slice(0, length);
}

export const storedAddress = (email: string | null) => ({
  email,
  emailHash: email === null ? null : hashOfAddress(email),
});
