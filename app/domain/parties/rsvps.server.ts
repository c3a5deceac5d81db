import { sql } from 'drizzle-orm';
import { type Db, orm, statement } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { accounts, invitations, parties } from '../../../db/schema';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { conflict, DomainError, invalid, notFound } from '../errors';
import { readAnswers } from '../templates/answers';
import type { Answer, Question } from '../templates/questions';
import { dateWords, type Instant } from '../time/clock';
import { type Invitation, isTakingAnswers, type Party, placesLeft } from './parties';
import { findParty } from './parties.server';
import type { PartyAnswer } from './party-input';

type Answering = {
  id: string;
  party: string;
  accountId: string;
  sessionId: string;
  accepted: number;
  guests: number;
  answers: string;
  /** 1 where the answers were judged; without that a party with questions takes a no only. */
  isJudged: number;
  now: Instant;
};

const answer = statement<Answering>()((given) => {
  const { party, accountId, accepted, guests, now } = given;
  return orm
    .insert(invitations)
    .select(sql`
      SELECT ${parties.id}, ${accounts.id}, ${given.id}, ${accounts.id}, ${accounts.username}, ${accounts.displayName},
        ${accounts.displaySortKey}, ${accepted}, ${guests}, ${given.answers}, ${now}, ${now}
      FROM ${parties}, ${accounts}
      WHERE ${parties.id} = ${party} AND ${parties.kind} = 'party' AND ${accounts.id} = ${accountId}
        AND ${parties.providerId} <> ${accountId} AND ${guests} <= ${parties.plusOnes} AND ${parties.endsAt} > ${now}
        AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now})
        AND (${parties.templateId} IS NULL OR NOT ${accepted} OR ${given.isJudged}) AND ${isLoggedIn(given, now)}`)
    .onConflictDoUpdate({
      target: [invitations.partyId, invitations.invitee],
      set: {
        accepted: sql`excluded.accepted`,
        guests: sql`excluded.guests`,
        // Who says no and then yes again need not type it all twice.
        answers: sql`CASE WHEN excluded.accepted = 1 THEN excluded.answers ELSE answers END`,
        answeredAt: sql`excluded.answered_at`,
      },
      setWhere: sql`accepted IS NOT excluded.accepted OR guests <> excluded.guests
        OR (excluded.accepted = 1 AND answers <> excluded.answers)`,
    });
});

/**
 * A guest's answer: one for each account and party, the latest counts. The database counts the people and decides who
 * was too late. A repeat answers the same. A yes to a party with questions is written once they have been read.
 * @throws DomainError not_found, forbidden (the host), conflict (over, closed, full), invalid (guests, answers)
 */
export async function answerParty(
  db: Db,
  actor: Actor,
  { id, accepted, guests }: PartyAnswer,
  sent: (questions: Question[]) => Answer[],
  now: Instant,
): Promise<Invitation> {
  const write = async (judged: Answer[] | null) => {
    const writing = db.run(
      answer({
        id: newId(),
        party: id,
        ...actor,
        accepted: accepted ? 1 : 0,
        guests: accepted ? guests : 0,
        answers: JSON.stringify(judged ?? []),
        isJudged: judged ? 1 : 0,
        now,
      }),
    );
    try {
      const [, found] = await Promise.all([writing, findParty(db, actor, id)]);
      return found;
    } catch (error) {
      if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
      // How many places are left is read again: the refused write failed its whole batch, the reading included.
      const found = await findParty(db, actor, id);
      if (!found) throw notFound('party');
      if (1 + guests > roomFor(found.party, found.own)) throw full(found.party, found.own);
      // Room was made meanwhile.
      return write(judged);
    }
  };

  // Without answers the write may go first: its statement does nothing where the party asks something.
  const isBare = !accepted || sent([]).length === 0;
  const found = isBare ? await write(null) : await findParty(db, actor, id);
  if (found?.party.kind !== 'party') throw notFound('party');
  const { party, own, template } = found;
  if (party.providerId === actor.accountId)
    throw new DomainError('forbidden', 'This is your own party: you are coming anyway.');
  const isSame = (one: Invitation | null) => one?.accepted === accepted && one.guests === (accepted ? guests : 0);
  const isLate = !isTakingAnswers(party, now);
  if (own && isSame(own) && (isLate || !accepted || (isBare && !template))) return own;
  if (isLate) throw tooLate(party, now);
  // Refused before the answers are judged. Where the last place is taken between this and the write, the database refuses.
  if (accepted && 1 + guests > roomFor(party, own)) throw full(party, own);
  const questions = template?.questions ?? [];
  const judged = () => readAnswers(questions, sent(questions));
  if (accepted && guests > party.plusOnes) {
    // The host may allow fewer than when this was answered; sent again it is still the same answer.
    if (own && isSame(own) && JSON.stringify(judged()) === JSON.stringify(own.answers)) return own;
    throw invalid('guests', plusOneWords(party.plusOnes));
  }
  const after = await write(judged());
  if (!after?.own || !isSame(after.own)) throw notFound('party');
  return after.own;
}

const plusOneWords = (plusOnes: number) =>
  plusOnes === 0 ? 'This party is for invited guests only, without plus-ones.' : `You can bring at most ${plusOnes}.`;

function tooLate({ endsAt, rsvpBy }: Party, now: Instant) {
  if (endsAt <= now || !rsvpBy) return conflict('This party is over.');
  return conflict(`Answers were welcome until ${dateWords(rsvpBy).full}.`);
}

/** How many people this guest may be: those places that are left, and those they hold already. */
function roomFor(party: Party, own: Invitation | null): number {
  const left = placesLeft(party);
  return left === null ? Number.POSITIVE_INFINITY : left + (own?.accepted ? 1 + own.guests : 0);
}

function full(party: Party, own: Invitation | null) {
  const left = roomFor(party, own);
  if (left === 0) return conflict('This party is full.');
  // How many places are left would tell how many are coming.
  if (party.hideGoing) return conflict('There is not enough room for all of you.');
  return conflict(`There is not enough room: ${left === 1 ? 'one place is' : `${left} places are`} left.`);
}
