import { eq } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, type Fault } from '../errors';
import { parse } from '../input/fields';
import { fold } from '../input/fold';
import { countTry, type Origin, type RateLimit } from '../login/throttles.server';
import { hour, type Instant } from '../time/clock';
import { nameOf, type Registration, registration, takenFault } from './accounts';

export const registrationLimit = (address: string): RateLimit => ({
  bucket: `register:${address}`,
  limit: 60,
  window: hour,
});

/**
 * Finds the fault of a taken name, for a registration with other faults. It counts as a try, so it reveals no more
 * names than registering does.
 */
export async function findTakenName(
  db: Db,
  input: unknown,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<Fault[]> {
  const name = nameOf(input);
  if (name === undefined) return [];
  const lookup = orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.usernameFolded, fold(name)));
  if (!origin) {
    const [[holder]] = await db.run(lookup);
    return holder ? [takenFault(name)] : [];
  }
  const rateLimit = registrationLimit(origin.address);
  const {
    count: [count],
    holder: [holder],
  } = await db.run({ count: countTry(rateLimit, now), holder: lookup });
  const mayReveal = count !== undefined && count.tries <= rateLimit.limit;
  return holder && mayReveal ? [takenFault(name)] : [];
}

/** Reads a registration. @throws DomainError invalid, with all faults, a taken name included */
export async function readRegistration(
  db: Db,
  input: unknown,
  moment: { now: Instant; origin: Origin },
): Promise<Registration> {
  try {
    return parse(registration, input);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, [...error.faults, ...(await findTakenName(db, input, moment))]);
  }
}
