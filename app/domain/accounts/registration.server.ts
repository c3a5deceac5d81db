import { eq } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, type Fault } from '../errors';
import { parse } from '../input/fields';
import { fold } from '../input/fold';
import { hour, type Instant } from '../time/clock';
import { nameOf, type Registration, registration, takenFault } from './accounts';
import { countTry, type Origin, type RateLimit } from './throttles.server';

/** How often one address may try to register. */
export const registrations = (address: string): RateLimit => ({
  bucket: `register:${address}`,
  limit: 60,
  window: hour,
});

/**
 * What else is wrong with a registration that is refused: its name is taken. Asking counts as a try, so that it tells nobody
 * more names than registering does.
 */
export async function findTakenName(
  db: Db,
  sent: unknown,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<Fault[]> {
  const name = nameOf(sent);
  if (name === undefined) return [];
  const lookup = orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.usernameFolded, fold(name)));
  if (!origin) {
    const [[holder]] = await db.run(lookup);
    return holder ? [takenFault(name)] : [];
  }
  const rateLimit = registrations(origin.address);
  const [[count], [holder]] = await db.run(countTry(rateLimit, now), lookup);
  const isTold = count !== undefined && count.tries <= rateLimit.limit;
  return holder && isTold ? [takenFault(name)] : [];
}

/**
 * Reads a registration.
 * @throws DomainError invalid, with all that is wrong, a taken name too
 */
export async function readRegistration(
  db: Db,
  sent: unknown,
  known: { now: Instant; origin: Origin },
): Promise<Registration> {
  try {
    return parse(registration, sent);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, [...error.faults, ...(await findTakenName(db, sent, known))]);
  }
}
