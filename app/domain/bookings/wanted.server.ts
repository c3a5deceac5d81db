import type { Db } from '../../../db/client';
import type { DomainError } from '../errors';
import { notFound } from '../not-found';
import type { Template } from '../templates/questions';
import type { Instant } from '../time/clock';
import { findShop, findSomeTime, findTemplateOfHouse } from './anyone.server';
import { type Asking, type FoundTime, ownOrFirst, selectFoundTime } from './found-time.server';
import { nobodyFree } from './refusals';
import { findTemplateOfSlot } from './template-of.server';
import type { Anyone } from './turn.server';

// What is wanted is one slot, or a start with anyone in a shop. Whoever reads of a slot alone need not open anyone.server.ts.

export type Wanted = { id: string } | { anyone: Anyone };

/** Reads the time as the person finds it: their own appointment, or why they can't have one. */
export async function findWanted(db: Db, wanted: Wanted, asking: Asking, now: Instant): Promise<FoundTime | undefined> {
  if ('anyone' in wanted) return findSomeTime(db, wanted.anyone, asking, now);
  const [rows] = await db.run(selectFoundTime(wanted.id, asking, now));
  return ownOrFirst(rows, asking.accountId);
}

/** Why there is no such time: nobody in the shop has one then, or it is nobody's. */
export async function whyNoTime(db: Db, wanted: Wanted): Promise<DomainError> {
  const shop = 'anyone' in wanted ? await findShop(db, wanted.anyone.shop) : undefined;
  return shop ? nobodyFree() : notFound('appointment');
}

/** Finds the template whose questions are asked there: in a shop those of its service. Undefined if none are. */
export async function findTemplateOfWanted(
  db: Db,
  wanted: Wanted,
  service: string | null,
): Promise<Template | undefined> {
  if ('id' in wanted) return findTemplateOfSlot(db, wanted.id, service);
  return service === null ? undefined : findTemplateOfHouse(db, wanted.anyone.shop, service);
}
