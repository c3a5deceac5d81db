import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { RuleBroken } from '../../../db/errors';
import { accounts, invitations, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { guestDetails } from '../accounts/guests';
import { arrival, type Newcomer } from '../accounts/guests.server';
import { DomainError, notFound } from '../errors';
import { parse } from '../input/fields';
import { hashOfKey, type NewLink } from '../links.server';
import type { Template } from '../templates/questions';
import { findTemplateOf } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { type Letter, selectLetters, selectOwn } from './letters.server';
import { type Invitation, movedFrom } from './parties';
import { findParty, ownRsvp } from './parties.server';
import type { PartyRsvp } from './party-input';
import { full, isSame, judgeRsvp, onlyAccounts, type SubmittedAnswers } from './rsvp-rules';
import { type AnswerHolder, upsertRsvp } from './rsvps.server';

/* Answering a party by somebody who has no account: by a form, and later by the personal link of that answer. */

/** A form that answers for a stranger. Its newcomer's id is made of its one-time key, so sent twice it answers once. */
export type GuestRsvp = Pick<Newcomer, 'id' | 'edgeZone' | 'origin'> & {
  rsvp: PartyRsvp;
  /** Their name, as it was typed. */
  details: unknown;
  submitted: SubmittedAnswers;
  link: NewLink;
};

/**
 * Makes a guest with a session and stores their RSVP, in one transaction. A repeat returns the same.
 * @throws DomainError as rsvpToParty does, and invalid (who they are), too_many
 */
export async function rsvpAsGuest(
  db: Db,
  { id, edgeZone, origin, rsvp, details: typed, submitted, link }: GuestRsvp,
  now: Instant,
): Promise<{ actor: Actor; own: Invitation }> {
  const { accepted, guests: plusOnes } = rsvp;
  const found = await findParty(db, { accountId: id }, rsvp.id);
  if (found?.party.kind !== 'party') throw notFound('party');
  if (found.party.openTo === 'accounts') throw onlyAccounts();
  const answering = { accountId: id, isGuest: true, accepted, plusOnes, submitted, isBare: false };
  const judged = judgeRsvp(found, answering, now);
  const { answers, faults } = 'before' in judged ? { ...judged.before, faults: [] } : judged;
  const details = parse(guestDetails, typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const isTaking = sql`EXISTS (SELECT 1 FROM parties WHERE id = ${rsvp.id} AND kind = 'party' AND open_to = 'anyone' AND deleted_at IS NULL
    AND ends_at > ${now} AND (rsvp_closes_at IS NULL OR rsvp_closes_at > ${now}))`;
  const { actor, statements, rest } = arrival({ ...details, id, edgeZone, origin }, isTaking, now);
  const store = upsertRsvp(actor, { id: rsvp.id, accepted, plusOnes, answers, link }, now);
  const results = await db.run(...statements, store, ownRsvp({ id: rsvp.id, me: id })).catch(async (error: unknown) => {
    if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
    // Somebody was faster since it was read: read again how many places are left.
    throw full((await findParty(db, { accountId: id }, rsvp.id))?.party ?? found.party, found.own);
  });
  const [own] = rest(results).at(-1) as Invitation[];
  if (!own || !isSame(own, { accepted, plusOnes })) throw notFound('party');
  return { actor, own };
}

const letterByLink = statement<{ hash: string }>()(({ hash }) =>
  selectLetters().where(sql`${parties.id} = (SELECT party_id FROM invitations WHERE link_hash = ${hash})`),
);
const ownByLink = statement<{ hash: string }>()(({ hash }) => selectOwn().where(eq(invitations.linkHash, hash)));
const guestByLink = statement<{ hash: string }>()(({ hash }) =>
  orm
    .select({
      accountId: accounts.id,
      isGuest: sql<boolean>`${accounts.username} IS NULL`.mapWith(Boolean).as('is_guest'),
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .where(eq(invitations.linkHash, hash)),
);

/** An answer as its personal link shows it, and as whom the link's holder acts there. */
export type AnswerLetter = Letter & { own: Invitation; template: Template | null; holder: AnswerHolder };

/** Finds the answer that a personal link's key opens, with its party, called off or not. @throws DomainError not_found */
export async function getAnswerByKey(db: Db, key: string): Promise<AnswerLetter> {
  const hash = hashOfKey(key);
  const [[[found], [row], [guest]], template] = await Promise.all([
    db.run(letterByLink({ hash }), ownByLink({ hash }), guestByLink({ hash })),
    findTemplateOf(db, 'answer', key),
  ]);
  if (!found || !row || !guest) throw notFound('answer');
  const { calledOffAt, cancelReason, ...party } = found;
  const { was, ...own } = row;
  const holder = { ...guest, linkHash: hash };
  return { party, calledOffAt, cancelReason, was: movedFrom(party, own, was), own, template: template ?? null, holder };
}
