import type { Db, Named, NamedResults } from '../../../db/client';
import type { DomainError } from '../errors';
import { notFound } from '../not-found';
import type { SubmittedAnswers } from '../templates/answers';
import type { Template } from '../templates/questions';
import type { Instant } from '../time/clock';
import type { Row } from './appointments.server';
import { claim } from './claim.server';
import { type CheckedAnswers, type ClaimRequest, claimOf, type ReadyClaim } from './claim-request.server';
import {
  type Asking,
  checkedAnswers,
  type FoundTime,
  isBookedBy,
  ownOrFirst,
  selectFoundTime,
} from './found-time.server';
import { runAfterHolds } from './holds.server';
import { nobodyFree } from './refusals';
import { findShop, findSomeTime, findTemplateOfHouse, ownInShop } from './shop-time.server';
import { findTemplateOfSlot } from './template-of.server';
import type { ShopTime } from './turn.server';

// A booking of one time: its claim, and what became of it.

/** One slot, or a start with anyone in a shop. */
export type Wanted = { id: string } | { shopTime: ShopTime };

/** One time, and who asks for it in what way. */
export type OneTime = Asking & { wanted: Wanted };

type Rest = Omit<ClaimRequest, 'times' | 'shopTime' | 'service' | 'terms' | 'people'> & {
  seed?: string | undefined;
  codeHash?: string;
};

/** Reads the time as the person finds it: their own appointment, or why they can't have one. */
export async function findWanted(db: Db, { wanted, ...asking }: OneTime, now: Instant): Promise<FoundTime | undefined> {
  if ('shopTime' in wanted) return findSomeTime(db, wanted.shopTime, asking, now);
  const [rows] = await db.run(selectFoundTime(wanted.id, asking, now));
  return ownOrFirst(rows, asking.accountId);
}

/** Why there is no such time: nobody in the shop has one then, or it is nobody's. */
export async function whyNoTime(db: Db, wanted: Wanted): Promise<DomainError> {
  const shop = 'shopTime' in wanted ? await findShop(db, wanted.shopTime.shop) : undefined;
  return shop ? nobodyFree() : notFound('appointment');
}

/** Finds the template whose questions are asked there: in a shop those of its service. Undefined if none are. */
export async function findTemplateOfWanted(
  db: Db,
  wanted: Wanted,
  service: string | null,
): Promise<Template | undefined> {
  if ('id' in wanted) return findTemplateOfSlot(db, wanted.id, service);
  return service === null ? undefined : findTemplateOfHouse(db, wanted.shopTime.shop, service);
}

/** The claim of one time. */
export const claimOfOne = (
  { wanted, service = null, terms = null, people = 1 }: OneTime,
  { seed, codeHash, ...rest }: Rest,
  now: Instant,
): ReadyClaim =>
  claimOf(
    {
      ...rest,
      service,
      terms,
      people,
      times: [{ id: 'id' in wanted ? wanted.id : '', seed, codeHash }],
      ...('shopTime' in wanted && { shopTime: wanted.shopTime }),
    },
    now,
  );

/** Checks the answers to the questions of one time. @throws DomainError not_found, or as checkedAnswers */
export async function readAnswersFor(
  db: Db,
  one: OneTime,
  { submitted, barredFrom }: { submitted: SubmittedAnswers; barredFrom: (time: FoundTime) => DomainError | undefined },
  now: Instant,
): Promise<CheckedAnswers> {
  const [time, questions] = await Promise.all([
    findWanted(db, one, now),
    findTemplateOfWanted(db, one.wanted, one.service ?? null),
  ]);
  if (!time) throw await whyNoTime(db, one.wanted);
  const own = isBookedBy(time, one.accountId) ? time : undefined;
  return checkedAnswers({ own, barred: barredFrom(time), questions }, submitted);
}

/** What became of a claim. `own` is the person's booking, new or of an earlier try; without it `time` says why not. */
type Sent<Done> = { done: Done; own: Row | undefined; time: FoundTime | undefined };

/**
 * Claims one time, and reads in the same trip what became of it.
 * @param before statements that run before it, in its transaction; `done` has their results
 */
export async function sendClaim<const Before extends Named>(
  db: Db,
  one: OneTime,
  ready: ReadyClaim,
  before: Before,
  now: Instant,
): Promise<Sent<NamedResults<Before>>> {
  const { wanted, accountId } = one;
  if ('shopTime' in wanted) {
    const done = await runAfterHolds(db, now, {
      ...before,
      claimed: claim(ready),
      mine: ownInShop({ ...wanted.shopTime, accountId }),
    });
    const [own] = done.mine;
    const time = own ? undefined : await findWanted(db, one, now);
    return { done: done as NamedResults<Before>, own, time };
  }
  const done = await runAfterHolds(db, now, {
    ...before,
    claimed: claim(ready),
    times: selectFoundTime(wanted.id, one, now),
  });
  const time = ownOrFirst(done.times, accountId);
  const own = time && isBookedBy(time, accountId) ? time : undefined;
  return { done: done as NamedResults<Before>, own, time };
}
