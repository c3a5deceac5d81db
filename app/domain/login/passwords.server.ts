import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

// A password is stored as HMAC-SHA-256 with a pepper from outside of the database, and then as scrypt with a salt.
// N=2^14, r=8, p=5 is the strongest of OWASP's equal settings that fits a Worker's memory and its limit on N·r·p.

export type Cost = { ln: number; r: number; p: number };

const current: Cost = { ln: 14, r: 8, p: 5 };

/** `outdated`: the hash was made at another cost, or with an older pepper. */
export type Verdict = { right: boolean; outdated: boolean };

/** Hashes and verifies. The version of hashing.server.ts has a line; the demo data uses one without. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, stored: string | null): Promise<Verdict>;
};

/** A short one-way stamp, which changes with the password. */
export const stampOf = (passwordHash: string): string =>
  createHmac('sha256', 'stamp').update(passwordHash).digest('base64url').slice(0, 16);

function derive(password: string, pepper: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const peppered = createHmac('sha256', pepper).update(password.normalize('NFC')).digest();
  const options = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(peppered, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** The peppers, comma-separated: the first hashes, all verify. */
const peppersOf = (secret: string): [string, ...string[]] => {
  const [first = '', ...older] = secret.split(',').map((pepper) => pepper.trim());
  return [first, ...older];
};

const nameOf = (pepper: string) => createHmac('sha256', pepper).update('pepper').digest('hex').slice(0, 8);

/** @param secret the peppers, comma-separated @returns `scrypt$pepper$ln,r,p$salt$hash`; salt and hash in base64 */
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

/** Compares in constant time. For an unknown name, which has no hash, it takes as long and returns false. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  secret: string,
  cost: Cost = current,
): Promise<Verdict> {
  const peppers = peppersOf(secret);
  const [, name = '', storedCost = '', salt = '', hash = ''] = (stored ?? '').split('$');
  const [ln = cost.ln, r = cost.r, p = cost.p] = stored ? storedCost.split(',').map(Number) : [];
  // A hash that doesn't name its pepper was made with the oldest, the last in the list.
  const pepper = stored ? peppers.find((candidate) => nameOf(candidate) === name) : peppers[0];
  const key = await derive(password, pepper ?? peppers.at(-1) ?? '', Buffer.from(salt, 'base64'), { ln, r, p });
  const expected = Buffer.from(hash, 'base64');
  const right = expected.length === key.length && timingSafeEqual(expected, key);
  const isOlder = ln !== cost.ln || r !== cost.r || p !== cost.p || name !== nameOf(peppers[0]);
  return { right, outdated: right && isOlder };
}
