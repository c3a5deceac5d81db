import { eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { RuleBroken } from '../../../db/errors';
import { accounts, invitations, messages, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { findTemplateOf } from '../bookings/template-of.server';
import { DomainError } from '../errors';
import { guestDetails } from '../guests/guests';
import { type NewGuest, prepareGuestWhere } from '../guests/guests.server';
import { parse } from '../input/fields';
import { hashOfKey, type NewLink } from '../links.server';
import { notFound } from '../not-found';
import type { LinkedThing } from '../people/join.server';
import type { Actor } from '../profile/accounts';
import type { SubmittedAnswers } from '../templates/answers';
import type { Template } from '../templates/questions';
import type { Instant } from '../time/clock';
import { type PartyLetter, selectLetters, selectOwn } from './letters.server';
import { type Invitation, movedFrom } from './parties';
import { findParty, ownRsvp } from './parties.server';
import { type Contact, contact, noContact, type PartyRsvp } from './party-input';
import { checkRsvp, full, isSame } from './rsvp-rules';
import { type RsvpLinkOwner, rsvpValues, takesRsvp, upsertRsvp } from './rsvps.server';

/** The guest's id is made from all that was typed and the browser's cookie, so that a form sent twice makes one RSVP. */
type GuestRsvp = Pick<NewGuest, 'id' | 'edgeZone' | 'lang' | 'origin'> & {
  sessionId: string; // derived from the form and the browser's cookie: see app/http/own-form.server.ts
  rsvp: PartyRsvp;
  details: unknown; // the whole form
  submitted: SubmittedAnswers;
  link: NewLink;
};

const prepareGuestForParty = prepareGuestWhere<null, ReturnType<typeof rsvpValues>>(
  (_, { id: accountId, email, party, accepted, plusOnes, areAnswersChecked, phone, now }) => {
    const rsvp = { accountId, party, accepted, plusOnes, areAnswersChecked, phone, now };
    const isWelcome = takesRsvp(rsvp, { isGuest: sql`true`, hasEmail: sql`(${email} IS NOT NULL)` });
    return sql`EXISTS (SELECT 1 FROM ${parties} WHERE ${isWelcome})`;
  },
);

const guestOfRsvp = z.extend(guestDetails, { phone: contact.shape.phone });

/**
 * Makes a guest with a session and stores their RSVP, in one transaction. A repeat returns the same RSVP, and opens
 * no second session.
 * @throws DomainError as rsvpToParty; invalid (name or contact), too_many
 */
export async function rsvpAsGuest(
  db: Db,
  { id, sessionId, edgeZone, lang, origin, rsvp, details: typed, submitted, link }: GuestRsvp,
  now: Instant,
): Promise<{ actor: Actor | null; own: Invitation }> {
  const { accepted, guests: plusOnes } = rsvp;
  const found = await findParty(db, { accountId: id }, rsvp.id);
  if (found?.party.kind !== 'party') throw notFound('party');
  // A contact that can't be read is refused below, together with all other faults.
  const typedContact = z.safeParse(contact, typed).data ?? (typed as Contact);
  const toCheck = {
    accountId: id,
    isGuest: true,
    accepted,
    plusOnes,
    submitted,
    contact: typedContact,
    isTried: false,
  };
  const checked = checkRsvp(found, toCheck, now);
  const { answers, faults } = 'before' in checked ? { ...checked.before, faults: [] } : checked;
  const { phone, ...details } = parse(guestOfRsvp, typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  if (found.party.askEmail === 'no') details.email = null;
  const newGuest = { ...details, id, edgeZone, lang, origin };
  const checkedRsvp = { id: rsvp.id, accepted, plusOnes, answers, contact: { ...noContact, phone }, link };
  const { actor, statements, refuse } = prepareGuestForParty(newGuest, null, rsvpValues(checkedRsvp), now, sessionId);
  const saved = upsertRsvp(actor, checkedRsvp, now);
  const batch = db.run({ ...statements, saved, own: ownRsvp({ id: rsvp.id, me: id }) });
  const {
    counted,
    opened,
    own: [own],
  } = await batch.catch(async (error: unknown) => {
    if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
    // Somebody else was faster: read again how many places are left.
    throw full((await findParty(db, { accountId: id }, rsvp.id))?.party ?? found.party, found.own);
  });
  refuse(counted);
  if (!own || !isSame(own, { accepted, plusOnes })) throw notFound('party');
  return { actor: opened.length > 0 ? actor : null, own };
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

export const linkedRsvp = ({ accountId: guestId, linkHash }: RsvpLinkOwner, partyId: string): LinkedThing => ({
  guestId,
  by: (owners) => ({
    // Joining keeps the later RSVP. If that is the account's own, the guest's is deleted with its link.
    isLinked: sql`(EXISTS (SELECT 1 FROM invitations WHERE link_hash = ${linkHash} AND account_id IN ${owners})
      OR NOT EXISTS (SELECT 1 FROM invitations WHERE party_id = ${partyId} AND invitee = ${guestId})
        AND EXISTS (SELECT 1 FROM invitations WHERE party_id = ${partyId} AND account_id IN ${owners}))`,
    rsvps: sql`${invitations.partyId} = ${partyId}`,
    messages: sql`${messages.partyId} = ${partyId}`,
  }),
});

type RsvpLetter = PartyLetter & { own: Invitation; template: Template | null; owner: RsvpLinkOwner };

/**
 * Reads the RSVP that a personal link's key opens, even if its party was called off.
 * @throws DomainError not_found
 */
export async function getRsvpByKey(db: Db, key: string): Promise<RsvpLetter> {
  const hash = hashOfKey(key);
  const [[[found], [row], [guest]], template] = await Promise.all([
    db.run(letterByLink({ hash }), ownByLink({ hash }), guestByLink({ hash })),
    findTemplateOf(db, 'rsvp', key),
  ]);
  if (!found || !row || !guest) throw notFound('rsvp');
  const { calledOffAt, cancelReason, ...party } = found;
  const { was, ...own } = row;
  const owner = { ...guest, linkHash: hash };
  return { party, calledOffAt, cancelReason, was: movedFrom(party, own, was), own, template: template ?? null, owner };
}
