import { and, eq, sql } from 'drizzle-orm';
import { type Db, orm } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, invitations, parties } from '../../db/schema';
import type { Actor } from './accounts';
import { readAnswers } from './answers';
import { dateWords } from './clock';
import { conflict, DomainError, invalid } from './errors';
import { selectInvitations } from './invitations.server';
import { type Invitation, isTakingAnswers, type Party, placesLeft } from './parties';
import { findParty, missing } from './parties.server';
import type { PartyAnswer } from './party-input';
import type { Answer, Question } from './questions';
import { stands } from './sessions.server';

/**
 * A guest's answer: one for each account and party, the latest counts. The database counts the people and decides who
 * was too late. A repeat answers the same.
 * @throws DomainError not_found, forbidden (the host), conflict (over, closed, full), invalid (guests, answers)
 */
export async function answerParty(
  db: Db,
  actor: Actor,
  { id, accepted, guests }: PartyAnswer,
  sent: (questions: Question[]) => Answer[],
  now: number,
): Promise<Invitation> {
  const found = await findParty(db, actor, id);
  if (found?.party.kind !== 'party') throw missing('party');
  const { party, own, template } = found;
  if (party.hostId === actor.accountId)
    throw new DomainError('forbidden', 'This is your own party: you are coming anyway.');
  if (!isTakingAnswers(party, now)) {
    if (own && own.accepted === accepted && own.guests === (accepted ? guests : 0)) return own;
    throw tooLate(party, now);
  }
  // Said before the answers are judged; whoever comes in between is the database's to refuse.
  if (accepted && 1 + guests > roomFor(party, own)) throw full(party, own);
  if (accepted && guests > party.plusOnes) throw invalid('guests', plusOneWords(party.plusOnes));
  const answers = accepted ? readAnswers(template?.questions ?? [], sent(template?.questions ?? [])) : [];
  const row = sql`SELECT ${newId()}, ${parties.id}, ${accounts.id}, ${accounts.displayName}, ${accounts.displayFolded},
    ${accepted ? 1 : 0}, ${accepted ? guests : 0}, ${JSON.stringify(answers)}, ${now}, ${now}`;
  const answering = db.run(
    orm
      .insert(invitations)
      .select(sql`${row} FROM ${parties}, ${accounts}
        WHERE ${parties.id} = ${id} AND ${accounts.id} = ${actor.accountId} AND ${parties.endsAt} > ${now}
          AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now}) AND ${stands(actor, now)}`)
      .onConflictDoUpdate({
        target: [invitations.partyId, invitations.invitee],
        set: {
          accepted: sql`excluded.accepted`,
          guests: sql`excluded.guests`,
          // Who says no and then yes again need not type it all twice.
          answers: sql`CASE WHEN excluded.accepted = 1 THEN excluded.answers ELSE answers END`,
          answeredAt: now,
        },
      }),
    selectInvitations().where(and(eq(invitations.partyId, id), eq(invitations.invitee, actor.accountId))),
  );
  const [, [answer]] = await answering.catch(async (error: unknown) => {
    if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
    // Others came in between: what is left is not what was read before.
    const fresh = await findParty(db, actor, id);
    throw fresh ? full(fresh.party, fresh.own) : missing('party');
  });
  if (!answer) throw missing('party');
  return answer;
}

const plusOneWords = (plusOnes: number) =>
  plusOnes === 0 ? 'This party is for invited guests only, without plus-ones.' : `You can bring at most ${plusOnes}.`;

function tooLate({ endsAt, rsvpBy }: Party, now: number) {
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
  return conflict(`There is not enough room: ${left === 1 ? 'one place is' : `${left} places are`} left.`);
}
