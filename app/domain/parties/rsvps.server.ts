import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, invitations, parties } from '../../../db/schema';
import { orm, type Placeholders, statementBy } from '../../../db/statement';
import { DomainError, notLoggedIn } from '../errors';
import { limits } from '../input/limits';
import type { NewLink } from '../links.server';
import { isLoggedIn, selectIsLoggedIn } from '../login/sessions.server';
import { storedAddress } from '../mail/addresses.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { SubmittedAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import { type Invitation, roomFor } from './parties';
import { findParty } from './parties.server';
import { type Contact, noContact, type PartyRsvp } from './party-input';
import { checkRsvp, type FoundParty, full, isSame, plusOnesFault } from './rsvp-rules';
import { isStillOn, takesRsvps } from './select.server';

/** Somebody with an RSVP's personal link. They act for its guest, in that party only. */
export type RsvpLinkOwner = { accountId: string; isGuest: boolean; linkHash: string };

type RsvpValues = {
  id: string;
  party: string;
  accountId: string;
  proof: string;
  accepted: number;
  plusOnes: number;
  answers: string;
  /** 1 if `checkRsvp` has seen the answers and found no fault; a yes to a party with questions is written only then. */
  areAnswersChecked: number;
  linkHash: string | null;
  email: string | null;
  emailHash: string | null;
  phone: string | null;
  now: Instant;
};

/** What of an RSVP decides whether its party takes it. */
type Deciding = Pick<
  RsvpValues,
  'party' | 'accountId' | 'accepted' | 'plusOnes' | 'areAnswersChecked' | 'phone' | 'now'
>;

/**
 * SQL: the party in `parties` takes this RSVP. Whether there is a place left, its constraint party_has_room decides.
 * @param isGuest SQL: it comes from no login
 * @param hasEmail SQL: an e-mail address of theirs is known without an earlier RSVP
 * @see checkRsvp, which says why not
 */
export const takesRsvp = (
  { party, accountId, accepted, plusOnes, areAnswersChecked, phone, now }: Placeholders<Deciding>,
  { isGuest, hasEmail }: { isGuest: SQL; hasEmail: SQL },
): SQL => {
  const own = sql`FROM invitations AS own WHERE own.party_id = ${party} AND own.invitee = ${accountId}`;
  const isKnown = (column: 'email' | 'phone') =>
    sql`EXISTS (SELECT 1 ${own} AND own.${sql.identifier(column)} IS NOT NULL)`;
  const isReachable = sql`(NOT ${accepted} OR (
    (${parties.askEmail} <> 'required' OR ${hasEmail} OR ${isKnown('email')})
    AND (${parties.askPhone} <> 'required' OR ${phone} IS NOT NULL OR ${isKnown('phone')})))`;
  return sql`(${parties.id} = ${party} AND ${parties.kind} = 'party' AND NOT ${ownedBy(accountId, parties)}
    AND ${plusOnes} <= ${parties.plusOnes} AND ${isStillOn} AND ${takesRsvps(now)}
    AND (NOT ${isGuest} OR ${parties.openTo} = 'anyone' OR (NOT ${accepted} AND EXISTS (SELECT 1 ${own})))
    AND (${parties.templateId} IS NULL OR NOT ${accepted} OR ${areAnswersChecked}) AND ${isReachable})`;
};

const upsert = statementBy<{ isByLink: boolean }, RsvpValues>()(({ isByLink }, values) => {
  const { party, accountId, accepted, plusOnes, now } = values;
  // We store an address only if the host asks for it, and only a guest's that their account doesn't have already.
  const ownEmail = sql`iif(${parties.askEmail} = 'no' OR ${accounts.username} IS NOT NULL OR ${values.email} IS ${accounts.email},
    NULL, ${values.email})`;
  const isWelcome = takesRsvp(values, {
    isGuest: sql`(${accounts.username} IS NULL)`,
    hasEmail: sql`(${accounts.username} IS NOT NULL OR ${accounts.email} IS NOT NULL OR ${values.email} IS NOT NULL)`,
  });
  const mayAct = isByLink
    ? sql`EXISTS (SELECT 1 FROM invitations AS own
        WHERE own.link_hash = ${values.proof} AND own.party_id = ${party} AND own.invitee = ${accountId})`
    : isLoggedIn({ accountId, sessionId: values.proof }, now);
  return insertFrom(
    invitations,
    {
      partyId: parties.id,
      invitee: accounts.id,
      id: values.id,
      accountId: accounts.id,
      username: accounts.username,
      name: accounts.displayName,
      nameSortKey: accounts.displaySortKey,
      accepted,
      plusOnes,
      answers: values.answers,
      rsvpAt: now,
      createdAt: now,
      linkHash: sql`iif(${accounts.username} IS NULL, ${values.linkHash}, NULL)`,
      partyStartsAt: parties.startsAt,
      email: ownEmail,
      emailHash: sql`iif(${ownEmail} IS NULL, NULL, ${values.emailHash})`,
      phone: sql`iif(${parties.askPhone} = 'no', NULL, ${values.phone})`,
    },
    sql`FROM ${parties}, ${accounts} WHERE ${accounts.id} = ${accountId} AND ${isWelcome} AND ${mayAct}`,
  ).onConflictDoUpdate({
    target: [invitations.partyId, invitations.invitee],
    set: {
      accepted: sql`excluded.accepted`,
      plusOnes: sql`excluded.plus_ones`,
      // A guest who says no keeps the earlier answers, in case they say yes again.
      answers: sql`CASE WHEN excluded.accepted = 1 THEN excluded.answers ELSE answers END`,
      rsvpAt: sql`excluded.rsvp_at`,
      email: sql`ifnull(excluded.email, email)`,
      emailHash: sql`ifnull(excluded.email_hash, email_hash)`,
      phone: sql`ifnull(excluded.phone, phone)`,
    },
    setWhere: sql`accepted IS NOT excluded.accepted OR plus_ones <> excluded.plus_ones
        OR ifnull(excluded.phone, phone) IS NOT phone OR ifnull(excluded.email, email) IS NOT email
        OR (excluded.accepted = 1 AND answers <> excluded.answers)`,
  });
});

type Rsvp = Omit<PartyRsvp, 'guests'> & {
  plusOnes: number;
  answers: Answer[] | null;
  contact: Contact;
  link?: NewLink;
};

/** What an RSVP is as its statements take it. */
export const rsvpValues = ({ id, accepted, plusOnes, answers, contact: { phone } }: Rsvp) => ({
  party: id,
  accepted: accepted ? 1 : 0,
  plusOnes: accepted ? plusOnes : 0,
  areAnswersChecked: answers ? 1 : 0,
  phone,
});

/** Inserts or updates an RSVP. Only a guest's RSVP has a link, and its seed is the RSVP's id. */
export function upsertRsvp(invitee: Pick<Actor, 'accountId' | 'sessionId'> | RsvpLinkOwner, rsvp: Rsvp, now: Instant) {
  const { answers, contact, link } = rsvp;
  const isByLink = 'linkHash' in invitee;
  return upsert(
    { isByLink },
    {
      ...rsvpValues(rsvp),
      id: link?.seed ?? newId(),
      accountId: invitee.accountId,
      proof: isByLink ? invitee.linkHash : invitee.sessionId,
      answers: JSON.stringify(answers ?? []),
      linkHash: link?.hash ?? null,
      ...storedAddress(contact.email),
      now,
    },
  );
}

/**
 * Stores an RSVP to a party; the latest counts. The database counts the people and decides who was too late. A repeat
 * returns the same.
 * @param invitee the account, or the owner of the RSVP's link
 * @param rsvp `guests` is the number of plus-ones, NaN if it can't be read
 * @param link for a guest's first RSVP
 * @throws DomainError not_found, forbidden (the host, or a guest if only accounts may reply), conflict (over, closed,
 * full), invalid, unauthenticated
 */
export async function rsvpToParty(
  db: Db,
  invitee: Actor | RsvpLinkOwner,
  { id, accepted, guests: plusOnes, contact = noContact }: PartyRsvp & { contact?: Contact },
  submitted: SubmittedAnswers,
  now: Instant,
  link?: NewLink,
): Promise<Invitation> {
  const write = async (answers: Answer[] | null) => {
    const writing = db.run(upsertRsvp(invitee, { id, accepted, plusOnes, answers, contact, link }, now));
    try {
      const [, found, isHere] = await Promise.all([
        writing,
        findParty(db, invitee, id),
        isStillLoggedIn(db, invitee, now),
      ]);
      if (!isHere) throw notLoggedIn();
      return found;
    } catch (error) {
      if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
      // The refused statement undid the whole batch, so read again how many places are left.
      const found = await findParty(db, invitee, id);
      if (!found) throw notFound('party');
      if (1 + plusOnes > roomFor(found.party, found.own)) throw full(found.party, found.own);
      // Somebody has made room since.
      return write(answers);
    }
  };

  // A no, and a yes that came without answers, are tried before the check: of a party with questions the yes does nothing.
  const isTried = !accepted || (!Number.isNaN(plusOnes) && submitted([]).length === 0);
  const found = isTried ? await write(null) : await findParty(db, invitee, id);
  if (found?.party.kind !== 'party') throw notFound('party');
  const { accountId, isGuest = false } = invitee;
  const knownContact = { ...contact, email: contact.email ?? (await guestEmail(db, invitee, found)) };
  const checked = checkRsvp(
    found,
    { accountId, isGuest, accepted, plusOnes, submitted, contact: knownContact, isTried },
    now,
  );
  if ('before' in checked) return checked.before;
  if (checked.faults.length > 0) throw new DomainError('invalid', checked.faults);
  const after = await write(checked.answers);
  if (!after?.own || !isSame(after.own, { accepted, plusOnes })) throw notFound('party');
  return after.own;
}

/** The error for a wrong number of guests, which says how many the party allows. */
export async function wrongGuests(db: Db, id: string): Promise<DomainError> {
  const found = await findParty(db, null, id);
  return new DomainError('invalid', [plusOnesFault(Number.NaN, found?.party.plusOnes ?? limits.party.plusOnes)]);
}

async function guestEmail(db: Db, { accountId, isGuest }: Actor | RsvpLinkOwner, { party }: FoundParty) {
  if (!isGuest || party.askEmail !== 'required') return null;
  const { guest } = await db.run({
    guest: orm.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, accountId)),
  });
  return guest[0]?.email ?? null;
}

// The write itself checks a personal link.
async function isStillLoggedIn(db: Db, invitee: Actor | RsvpLinkOwner, now: Instant): Promise<boolean> {
  if ('linkHash' in invitee) return true;
  const [[reader]] = await db.run(selectIsLoggedIn(invitee, now));
  return reader?.isLoggedIn === 1;
}
