import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { recoveryCodes } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import type { Links } from '../links.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { checkOwnPassword } from './own-password.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

/** Reads a typed code: in capitals, without spaces and hyphens. */
const plainCode = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

export const hashOfRecoveryCode = (links: Links, code: string): string =>
  links.hashOfCode(`recovery ${plainCode(code)}`);

function newCode(links: Links): string {
  const text = links.codeOf(`recovery ${newId()}`);
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/**
 * Replaces the actor's recovery codes by ten new ones.
 * @throws DomainError invalid (the password), unauthenticated, too_many
 */
export async function makeRecoveryCodes(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  password: string,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<string[]> {
  const forget = await checkOwnPassword(db, passwords, actor, password, { now, origin });
  const codes = Array.from({ length: 10 }, () => newCode(links));
  const hashes = JSON.stringify(codes.map((code) => hashOfRecoveryCode(links, code)));
  const {
    owner: [owner],
  } = await db.run({
    old: orm.delete(recoveryCodes).where(and(eq(recoveryCodes.accountId, actor.accountId), isLoggedIn(actor, now))),
    codes: orm.run(sql`INSERT INTO recovery_codes (account_id, code_hash)
      SELECT ${actor.accountId}, value FROM json_each(${hashes}) WHERE ${isLoggedIn(actor, now)}`),
    owner: selectOwner(actor, now),
    forget,
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  return codes;
}
