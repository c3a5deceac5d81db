import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { accounts, invitations, parties } from '../../../db/schema';
import { statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { conflict, DomainError, type Fault, notFound } from '../errors';
import { judgeAnswers } from '../templates/answers';
import type { Answer, Question } from '../templates/questions';
import { dateWords, type Instant } from '../time/clock';
import { type Invitation, isTakingRsvps, type Party, roomFor } from './parties';
import { findParty } from './parties.server';
import type { PartyRsvp } from './party-input';

type RsvpValues = {
  id: string;
  party: string;
  accountId: string;
  sessionId: string;
  accepted: number;
  plusOnes: number;
  answers: string;
  /** 1 where `readAnswers` has accepted the answers; a party with questions takes a yes only then. */
  isValidated: number;
  now: Instant;
};

const upsertRsvp = statement<RsvpValues>()((given) => {
  const { party, accountId, accepted, plusOnes, now } = given;
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
    },
    sql`FROM ${parties}, ${accounts}
      WHERE ${parties.id} = ${party} AND ${parties.kind} = 'party' AND ${accounts.id} = ${accountId}
        AND ${parties.providerId} <> ${accountId} AND ${plusOnes} <= ${parties.plusOnes} AND ${parties.endsAt} > ${now}
        AND ${parties.deletedAt} IS NULL
        AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now})
        AND (${parties.templateId} IS NULL OR NOT ${accepted} OR ${given.isValidated}) AND ${isLoggedIn(given, now)}`,
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

/**
 * Stores the actor's RSVP: one for each account and party, the latest counts. The database counts the people and decides
 * who was too late. A repeat returns the same. A party with questions accepts a yes only after validating the answers.
 * @param rsvp its `guests` is the number of plus-ones, NaN where something else was typed
 * @param submitted gives the answers to these questions
 * @throws DomainError not_found, forbidden (the host), conflict (over, closed, full), invalid (guests and answers at once)
 */
export async function rsvpToParty(
  db: Db,
  actor: Actor,
  { id, accepted, guests: plusOnes }: PartyRsvp,
  submitted: (questions: Question[]) => Answer[],
  now: Instant,
): Promise<Invitation> {
  const write = async (answers: Answer[] | null) => {
    const writing = db.run(
      upsertRsvp({
        id: newId(),
        party: id,
        ...actor,
        accepted: accepted ? 1 : 0,
        plusOnes: accepted ? plusOnes : 0,
        answers: JSON.stringify(answers ?? []),
        isValidated: answers ? 1 : 0,
        now,
      }),
    );
    try {
      const [, found] = await Promise.all([writing, findParty(db, actor, id)]);
      return found;
    } catch (error) {
      if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
      // The refused write failed its whole batch, the read too: read again how many places are left.
      const found = await findParty(db, actor, id);
      if (!found) throw notFound('party');
      if (1 + plusOnes > roomFor(found.party, found.own)) throw full(found.party, found.own);
      // Someone made room meanwhile.
      return write(answers);
    }
  };

  // Without answers, write first: the statement does nothing where the party has questions.
  const isBare = !accepted || (!Number.isNaN(plusOnes) && submitted([]).length === 0);
  const found = isBare ? await write(null) : await findParty(db, actor, id);
  if (found?.party.kind !== 'party') throw notFound('party');
  const { party, own, template } = found;
  if (party.providerId === actor.accountId)
    throw new DomainError('forbidden', 'This is your own party: you are coming anyway.');
  const isSame = (one: Invitation | null) => one?.accepted === accepted && one.plusOnes === (accepted ? plusOnes : 0);
  const isLate = !isTakingRsvps(party, now);
  if (own && isSame(own) && (isLate || !accepted || (isBare && !template))) return own;
  if (isLate) throw tooLate(party, now);
  // Refuse before validating the answers. The database refuses where someone takes the last place before the write.
  if (accepted && 1 + plusOnes > roomFor(party, own)) throw full(party, own);
  const questions = template?.questions ?? [];
  const { answers, faults } = accepted ? judgeAnswers(questions, submitted(questions)) : { answers: [], faults: [] };
  if (accepted && !(plusOnes <= party.plusOnes)) {
    // The host may have lowered the limit since; the same RSVP sent again is still accepted.
    if (own && isSame(own) && JSON.stringify(answers) === JSON.stringify(own.answers)) return own;
    faults.push(plusOnesFault(plusOnes, party.plusOnes));
  }
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const after = await write(answers);
  if (!after?.own || !isSame(after.own)) throw notFound('party');
  return after.own;
}

function plusOnesFault(plusOnes: number, most: number): Fault {
  if (most === 0) return { field: 'guests', message: 'This party is for invited guests only, without plus-ones.' };
  if (plusOnes > most) return { field: 'guests', message: `You can bring at most ${most}.` };
  return { field: 'guests', message: `Say how many you bring as a whole number from 0 to ${most}.` };
}

function tooLate({ endsAt, rsvpBy }: Party, now: Instant) {
  if (endsAt <= now || !rsvpBy) return conflict('This party is over.');
  return conflict(`Answers were welcome until ${dateWords(rsvpBy).full}.`);
}

function full(party: Party, own: Invitation | null) {
  const left = roomFor(party, own);
  if (left === 0) return conflict('This party is full.');
  // The number of places left would reveal how many are coming.
  if (party.hideGoing) return conflict('There is not enough room for all of you.');
  return conflict(`There is not enough room: ${left === 1 ? 'one place is' : `${left} places are`} left.`);
}
