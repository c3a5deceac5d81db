import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, recoveryCodes } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import type { Links } from '../links.server';
import type { Instant } from '../time/clock';
import { type Actor, credentials } from './accounts';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

/* Codes that were written down before something was lost. The book holds only what is left of them by a secret. */

/** What making codes takes. */
export const ownPassword = z.object({ password: credentials.shape.password });

/** Codes are compared without the spaces and hyphens that people write, in capitals. */
const plainCode = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** What the book holds of a code. */
export const hashOfRecoveryCode = (links: Links, code: string): string =>
  links.hashOfCode(`recovery ${plainCode(code)}`);

/** A code of ten letters; the same for the same account, key and place, so that a call can be repeated. */
function codeAt(links: Links, accountId: string, key: string, place: number): string {
  const text = links.codeOf(`recovery ${accountId} ${key} ${place}`);
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/**
 * Makes ten recovery codes, each good once, in place of those before. They are shown now and never again; sent again with
 * the same key it makes the same ones.
 * @throws DomainError invalid (the password), unauthenticated, too_many
 */
export async function makeRecoveryCodes(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  password: string,
  { now, key, origin }: { now: Instant; key: string; origin: Origin },
): Promise<string[]> {
  const tries = triesByAccount(actor.accountId, origin, now);
  const [[account], [owner], ...counted] = await db.run(
    orm.select({ passwordHash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, actor.accountId)),
    selectOwner(actor, now),
    ...tries.count,
  );
  if (!account || !owner?.isLoggedIn) throw notLoggedIn();
  tries.check(counted);
  if (!(await passwords.verify(password, account.passwordHash)).right) {
    throw invalid('password', 'That is not your current password.');
  }
  const codes = Array.from({ length: 10 }, (_, place) => codeAt(links, actor.accountId, key, place));
  const hashes = JSON.stringify(codes.map((code) => hashOfRecoveryCode(links, code)));
  const [, , [still]] = await db.run(
    orm.delete(recoveryCodes).where(and(eq(recoveryCodes.accountId, actor.accountId), isLoggedIn(actor, now))),
    orm.run(sql`INSERT INTO recovery_codes (account_id, code_hash)
      SELECT ${actor.accountId}, value FROM json_each(${hashes}) WHERE ${isLoggedIn(actor, now)}`),
    selectOwner(actor, now),
    ...tries.forget(counted),
  );
  if (!still?.isLoggedIn) throw notLoggedIn();
  return codes;
}
