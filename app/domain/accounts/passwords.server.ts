import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/*
 * We store passwords as HMAC-SHA-256 with a pepper that the database never sees, then scrypt with a salt. N=2^14, r=8,
 * p=5 is the strongest of OWASP's equal settings that fits a Worker's memory and its limit on N·r·p.
 */

export type Cost = { ln: number; r: number; p: number };

const current: Cost = { ln: 14, r: 8, p: 5 };

/** Whether a password is right, and whether what is stored of it was made at another cost. */
export type Verdict = { right: boolean; outdated: boolean };

/** The work a login does. Where it is done, and how many wait for it, is in hashing.server.ts; the seed does it itself. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, stored: string | null): Promise<Verdict>;
};

function derive(password: string, pepper: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const peppered = createHmac('sha256', pepper).update(password.normalize('NFC')).digest();
  const options = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(peppered, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** @returns `scrypt$1$ln,r,p$salt$hash`, salt and hash in base64 */
export async function hashPassword(password: string, pepper: string, cost: Cost = current): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, pepper, salt, cost);
  return ['scrypt', '1', `${cost.ln},${cost.r},${cost.p}`, salt.toString('base64'), key.toString('base64')].join('$');
}

/**
 * Compares in constant time. Without a stored hash (an unknown name) it takes as long and returns false. `outdated`
 * asks for a new hash, because the cost has changed since.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  pepper: string,
  cost: Cost = current,
): Promise<Verdict> {
  const [, , storedCost = '', salt = '', hash = ''] = (stored ?? '').split('$');
  const [ln = cost.ln, r = cost.r, p = cost.p] = stored ? storedCost.split(',').map(Number) : [];
  const key = await derive(password, pepper, Buffer.from(salt, 'base64'), { ln, r, p });
  const expected = Buffer.from(hash, 'base64');
  const right = expected.length === key.length && timingSafeEqual(expected, key);
  return { right, outdated: right && (ln !== cost.ln || r !== cost.r || p !== cost.p) };
}
