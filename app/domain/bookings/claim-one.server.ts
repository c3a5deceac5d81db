import type { Db, Named, NamedResults } from '../../../db/client';
import type { DomainError } from '../errors';
import type { NewLink } from '../links.server';
import type { Instant } from '../time/clock';
import { findTemplateOfWanted, findWanted, ownInShop, type Wanted, whyNoTime } from './anyone.server';
import type { Row } from './appointments.server';
import { claim } from './claim.server';
import { type CheckedAnswers, type ClaimRequest, claimOf, type ReadyClaim } from './claim-request.server';
import {
  type Asking,
  type Claimed,
  checkedAnswers,
  claimedBy,
  isBookedBy,
  type SubmittedAnswers,
  selectClaimed,
} from './claimed.server';
import { runAfterHolds } from './holds.server';

// A booking of one time: its claim, and what became of it.

/** One time, and who asks for it in what way. */
export type OneTime = { wanted: Wanted; asking: Asking };

type Rest = Omit<ClaimRequest, 'times' | 'anyone' | 'service' | 'terms' | 'people'> & {
  link?: NewLink | undefined;
  codeHash?: string;
};

/** The claim of one time. */
export const claimOfOne = (
  { wanted, asking: { service = null, terms = null, people = 1 } }: OneTime,
  { link, codeHash, ...rest }: Rest,
  now: Instant,
): ReadyClaim =>
  claimOf(
    {
      ...rest,
      service,
      terms,
      people,
      times: [{ id: 'id' in wanted ? wanted.id : '', link, codeHash }],
      ...('anyone' in wanted && { anyone: wanted.anyone }),
    },
    now,
  );

/** Checks the answers to the questions of one time. @throws DomainError not_found, or as checkedAnswers */
export async function readAnswersFor(
  db: Db,
  { wanted, asking }: OneTime,
  { submitted, barredFrom }: { submitted: SubmittedAnswers; barredFrom: (time: Claimed) => DomainError | undefined },
  now: Instant,
): Promise<CheckedAnswers> {
  const [time, questions] = await Promise.all([
    findWanted(db, wanted, asking, now),
    findTemplateOfWanted(db, wanted, asking.service ?? null),
  ]);
  if (!time) throw await whyNoTime(db, wanted);
  const own = isBookedBy(time, asking.accountId) ? time : undefined;
  return checkedAnswers({ own, barred: barredFrom(time), questions }, submitted);
}

/** What became of a claim: the person's booking, which may be one from before, or else the time as they find it. */
type Sent<Done> = { done: Done; own: Row | undefined; time: Claimed | undefined };

/**
 * Claims one time, and reads in the same trip what became of it.
 * @param before statements that run before it, in its transaction; `done` has their results
 */
export async function sendClaim<const Before extends Named>(
  db: Db,
  { wanted, asking }: OneTime,
  ready: ReadyClaim,
  before: Before,
  now: Instant,
): Promise<Sent<NamedResults<Before>>> {
  const { accountId } = asking;
  // One batch, because they are sent in one tick.
  const [done, { times = [], mine = [] }] = await Promise.all([
    runAfterHolds(db, now, before),
    db.run({
      claimed: claim(ready),
      times: 'id' in wanted ? selectClaimed(wanted.id, asking, now) : undefined,
      mine: 'anyone' in wanted ? ownInShop({ ...wanted.anyone, accountId }) : undefined,
    }),
  ]);
  const time = claimedBy(times, accountId);
  const own = mine[0] ?? (time && isBookedBy(time, accountId) ? time : undefined);
  return { done, own, time: own || 'id' in wanted ? time : await findWanted(db, wanted, asking, now) };
}
