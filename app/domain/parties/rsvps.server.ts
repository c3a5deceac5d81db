import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { accounts, invitations, parties } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn, selectStanding } from '../accounts/sessions.server';
import { DomainError, notFound, notLoggedIn } from '../errors';
import type { NewLink } from '../links.server';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import { type Invitation, roomFor } from './parties';
import { findParty } from './parties.server';
import type { PartyRsvp } from './party-input';
import { full, isSame, judgeRsvp, type SubmittedAnswers } from './rsvp-rules';

/** Whoever has an answer's personal link: they act for the guest who gave it, in that one party. */
export type AnswerHolder = { accountId: string; isGuest: boolean; linkHash: string };

type RsvpValues = {
  id: string;
  party: string;
  accountId: string;
  /** What proves that they may: the id of their session, or the hash of their link. */
  proof: string;
  accepted: number;
  plusOnes: number;
  answers: string;
  /** 1 where `judgeRsvp` has accepted the answers; a party with questions takes a yes only then. */
  isValidated: number;
  linkHash: string | null;
  now: Instant;
};

const upsert = statementBy<{ isByLink: boolean }, RsvpValues>()(({ isByLink }, given) => {
  const { party, accountId, accepted, plusOnes, now } = given;
  const isOwn = sql`EXISTS (SELECT 1 FROM invitations AS own WHERE own.party_id = ${party} AND own.invitee = ${accountId})`;
  const mayAct = isByLink
    ? sql`EXISTS (SELECT 1 FROM invitations AS own
        WHERE own.link_hash = ${given.proof} AND own.party_id = ${party} AND own.invitee = ${accountId})`
    : isLoggedIn({ accountId, sessionId: given.proof }, now);
  return insertFrom(
    invitations,
    {
      partyId: parties.id,
      invitee: accounts.id,
      id: given.id,
      accountId: accounts.id,
      username: accounts.username,
      name: accounts.displayName,
      nameSortKey: accounts.displaySortKey,
      accepted,
      plusOnes,
      answers: given.answers,
      answeredAt: now,
      createdAt: now,
      linkHash: sql`iif(${accounts.username} IS NULL, ${given.linkHash}, NULL)`,
      partyStartsAt: parties.startsAt,
    },
    sql`FROM ${parties}, ${accounts}
      WHERE ${parties.id} = ${party} AND ${parties.kind} = 'party' AND ${accounts.id} = ${accountId}
        AND ${parties.providerId} <> ${accountId} AND ${plusOnes} <= ${parties.plusOnes} AND ${parties.endsAt} > ${now}
        AND ${parties.deletedAt} IS NULL
        AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now})
        AND (${accounts.username} IS NOT NULL OR ${parties.openTo} = 'anyone' OR (NOT ${accepted} AND ${isOwn}))
        AND (${parties.templateId} IS NULL OR NOT ${accepted} OR ${given.isValidated}) AND ${mayAct}`,
  ).onConflictDoUpdate({
    target: [invitations.partyId, invitations.invitee],
    set: {
      accepted: sql`excluded.accepted`,
      plusOnes: sql`excluded.plus_ones`,
      // A guest who says no keeps the earlier answers, for the case that they say yes again.
      answers: sql`CASE WHEN excluded.accepted = 1 THEN excluded.answers ELSE answers END`,
      answeredAt: sql`excluded.answered_at`,
    },
    setWhere: sql`accepted IS NOT excluded.accepted OR plus_ones <> excluded.plus_ones
        OR (excluded.accepted = 1 AND answers <> excluded.answers)`,
  });
});

type Rsvp = Omit<PartyRsvp, 'guests'> & { plusOnes: number; answers: Answer[] | null; link?: NewLink };

/** Makes the statement that stores an RSVP. Its link is a guest's; the seed of the link is the RSVP's id. */
export function upsertRsvp(
  who: Pick<Actor, 'accountId' | 'sessionId'> | AnswerHolder,
  { id, accepted, plusOnes, answers, link }: Rsvp,
  now: Instant,
) {
  const isByLink = 'linkHash' in who;
  return upsert(
    { isByLink },
    {
      id: link?.seed ?? newId(),
      party: id,
      accountId: who.accountId,
      proof: isByLink ? who.linkHash : who.sessionId,
      accepted: accepted ? 1 : 0,
      plusOnes: accepted ? plusOnes : 0,
      answers: JSON.stringify(answers ?? []),
      isValidated: answers ? 1 : 0,
      linkHash: link?.hash ?? null,
      now,
    },
  );
}

/**
 * Stores the actor's RSVP: one for each account and party, the latest counts. The database counts the people and decides
 * who was too late. A repeat returns the same. A party with questions accepts a yes only after validating the answers.
 * @param who whoever is logged in, or has the link of their answer
 * @param rsvp its `guests` is the number of plus-ones, NaN where something else was typed
 * @param submitted gives the answers to these questions
 * @param link the link that a guest's first answer gets
 * @throws DomainError not_found, forbidden (the host; a guest where only accounts may), conflict (over, closed, full),
 *   invalid (guests and answers at once), unauthenticated
 */
export async function rsvpToParty(
  db: Db,
  who: Actor | AnswerHolder,
  { id, accepted, guests: plusOnes }: PartyRsvp,
  submitted: SubmittedAnswers,
  now: Instant,
  link?: NewLink,
): Promise<Invitation> {
  const write = async (answers: Answer[] | null) => {
    const writing = db.run(upsertRsvp(who, { id, accepted, plusOnes, answers, link }, now));
    try {
      const [, found, isHere] = await Promise.all([writing, findParty(db, who, id), stands(db, who, now)]);
      if (!isHere) throw notLoggedIn();
      return found;
    } catch (error) {
      if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
      // The refused write failed its whole batch, the read too: read again how many places are left.
      const found = await findParty(db, who, id);
      if (!found) throw notFound('party');
      if (1 + plusOnes > roomFor(found.party, found.own)) throw full(found.party, found.own);
      // Someone made room meanwhile.
      return write(answers);
    }
  };

  // Without answers, write first: the statement does nothing where the party has questions.
  const isBare = !accepted || (!Number.isNaN(plusOnes) && submitted([]).length === 0);
  const found = isBare ? await write(null) : await findParty(db, who, id);
  if (found?.party.kind !== 'party') throw notFound('party');
  const { accountId, isGuest = false } = who;
  const judged = judgeRsvp(found, { accountId, isGuest, accepted, plusOnes, submitted, isBare }, now);
  if ('before' in judged) return judged.before;
  if (judged.faults.length > 0) throw new DomainError('invalid', judged.faults);
  const after = await write(judged.answers);
  if (!after?.own || !isSame(after.own, { accepted, plusOnes })) throw notFound('party');
  return after.own;
}

/** Whether whoever is logged in still is; a link proves itself in the write. */
async function stands(db: Db, who: Actor | AnswerHolder, now: Instant): Promise<boolean> {
  if ('linkHash' in who) return true;
  const [[standing]] = await db.run(selectStanding(who, now));
  return standing?.isLoggedIn === 1;
}
