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

/** Short and one-way: says of a stored password whether it has changed since. */
export const stampOf = (passwordHash: string): string =>
  createHmac('sha256', 'stamp').update(passwordHash).digest('base64url').slice(0, 16);

function derive(password: string, pepper: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const peppered = createHmac('sha256', pepper).update(password.normalize('NFC')).digest();
  const options = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(peppered, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** The peppers of a secret, comma-separated: the first hashes, those after it were used before. */
const peppersOf = (secret: string): [string, ...string[]] => {
  const [first = '', ...older] = secret.split(',').map((one) => one.trim());
  return [first, ...older];
};

/** Names a pepper in a hash, and gives nothing of it away. */
const nameOf = (pepper: string) => createHmac('sha256', pepper).update('pepper').digest('hex').slice(0, 8);

/**
 * @param secret one pepper, or several: see peppersOf
 * @returns `scrypt$pepper$ln,r,p$salt$hash`: the pepper by its name, salt and hash in base64
 */
export async function hashPassword(password: string, secret: string, cost: Cost = current): Promise<string> {
  const [pepper] = peppersOf(secret);
  const salt = randomBytes(16);
  const key = await derive(password, pepper, salt, cost);
  return [
    'scrypt',
    nameOf(pepper),
    `${cost.ln},${cost.r},${cost.p}`,
    salt.toString('base64'),
    key.toString('base64'),
  ].join('$');
}

/**
 * Compares in constant time. Without a stored hash (an unknown name) it takes as long and returns false. `outdated`
 * asks for a new hash, because the cost or the pepper has changed since.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  secret: string,
  cost: Cost = current,
): Promise<Verdict> {
  const peppers = peppersOf(secret);
  const [, name = '', storedCost = '', salt = '', hash = ''] = (stored ?? '').split('$');
  const [ln = cost.ln, r = cost.r, p = cost.p] = stored ? storedCost.split(',').map(Number) : [];
  // A hash that names none was made with the first there was, which stands last.
  const pepper = stored ? peppers.find((one) => nameOf(one) === name) : peppers[0];
  const key = await derive(password, pepper ?? peppers.at(-1) ?? '', Buffer.from(salt, 'base64'), { ln, r, p });
  const expected = Buffer.from(hash, 'base64');
  const right = expected.length === key.length && timingSafeEqual(expected, key);
  const isOlder = ln !== cost.ln || r !== cost.r || p !== cost.p || name !== nameOf(peppers[0]);
  return { right, outdated: right && isOlder };
}
