import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { ValueTooLarge } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { fold, sortKey } from '../input/fold';
import { isLoggedIn } from '../login/sessions.server';
import { storedAddress } from '../messages/addresses.server';
import { heldMail } from '../messages/held-mail';
import type { Actor } from '../profile/accounts';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import type { Invitation, Invited, Invitee } from './parties';

// A guest who says no keeps their answers, in case they say yes again; the host doesn't see them.
export const answersForHost = sql`iif(accepted, answers, '[]')`;

// Null for an account, whose address is its own, and after the owner unsubscribed.
export const mailed = sql<string | null>`iif(mail_ended_at IS NOT NULL, NULL, coalesce(email,
  iif(account_id IS NULL OR username IS NOT NULL, NULL, (SELECT email FROM accounts WHERE accounts.id = account_id AND accounts.username IS NULL))))`;

// Otherwise the host typed the address.
export const isEmailGiven = sql`(account_id IS NOT NULL OR email_is_own)`;

// Why the last mail to a name was held back; `heldMail` reads it.
const heldKind = sql<string | null>`iif(mail_ended_at IS NOT NULL AND email IS NOT NULL, 'held ended',
  (SELECT mail_state || ' ' || reason FROM messages WHERE id = held_mail AND mail_state IN ('held', 'waiting')))`;

const columns = {
  id: invitations.id,
  partyId: invitations.partyId,
  username: sql<string>`coalesce(${invitations.username}, ${invitations.name})`.as('guest_username'),
  name: invitations.name,
  accepted: invitations.accepted,
  plusOnes: invitations.plusOnes,
  answeredAt: invitations.answeredAt,
};

const forHost = {
  ...columns,
  email: mailed.as('mailed'),
  isEmailGiven: isEmailGiven.mapWith(Boolean).as('is_given'),
  phone: invitations.phone,
  held: heldKind.mapWith(heldMail).as('held'),
  answers: answersForHost.mapWith(invitations.answers).as('answers_for_host'),
};
export const selectInvitations = () => orm.select(forHost).from(invitations);

export const ownColumns = {
  ...columns,
  email: mailed.as('mailed'),
  phone: invitations.phone,
  answers: invitations.answers,
};

export const inOrder = [
  sql`${invitations.accepted} DESC NULLS LAST`,
  asc(invitations.nameSortKey),
  asc(invitations.id),
];

export const invitationsOf = (condition: SQL | undefined) =>
  selectInvitations()
    .where(condition)
    .orderBy(...inOrder);

type Packing = { more?: SQL; order?: SQL; before?: SQL; answers?: SQL };
// Packed into one JSON text: a row for each costs ten times as much, and a host may have thousands.
const packedAs = ({ more = sql``, order = sql``, before = sql``, answers = answersForHost }: Packing) =>
  sql<string>`json_group_array(
  json_array(${before}id, coalesce(username, name), accepted, json(nullif(${answers}, '[]')), ${mailed}, ${isEmailGiven}, phone${more})${order})`;

const order = sql` ORDER BY accepted DESC NULLS LAST, name_sort_key, id`;
/** For `unpackWithHeld`. */
export const packedWithHeld = packedAs({ order, more: sql`, ${heldKind}` });
/** Each with the id of its party before it, for `unpackInShort`. */
export const packedOfMany = packedAs({ order, before: sql`party_id, ` });
/** For `unpack`. The invitations are in order already: sorting again would read each row again. */
export const packedWith = (answers: SQL) =>
  packedAs({ more: sql`, name, plus_ones, answered_at, ${heldKind}`, answers });

export type PackedInShort = [
  id: string,
  username: string,
  accepted: 0 | 1 | null,
  answers: Answer[] | null,
  email: string | null,
  isEmailGiven: 0 | 1,
  phone: string | null,
];
type Packed = [...PackedInShort, name: string, plusOnes: number, answeredAt: Instant | null, held: string | null];

export const unpackInShort = (rows: [...PackedInShort, ...unknown[]][], partyId: string): Invited[] =>
  rows.map(([id, username, accepted, answers, email, isGiven, phone]) => ({
    id,
    partyId,
    username,
    accepted: accepted === null ? null : accepted === 1,
    answers: answers ?? [],
    email,
    isEmailGiven: isGiven === 1,
    phone,
  }));

export type PackedWithHeld = [...PackedInShort, held: string | null];
export function unpackWithHeld(rows: PackedWithHeld[], partyId: string): Invited[] {
  const inShort = unpackInShort(rows, partyId);
  return rows.map(([, , , , , , , held], place) => ({ ...(inShort[place] as Invited), held: heldMail(held) }));
}

export function unpack(text: string, partyId: string): Invitation[] {
  const rows = JSON.parse(text) as Packed[];
  const inShort = unpackInShort(rows, partyId);
  return rows.map(([, , , , , , , name, plusOnes, answeredAt, held], place) => ({
    ...(inShort[place] as Invited),
    name,
    plusOnes,
    answeredAt,
    held: heldMail(held),
  }));
}

export type OfHost = { id: string; accountId: string; sessionId: string; now: Instant };
/** The host's own, while the session stands. */
export const ofHost = (host: { [Name in keyof OfHost]: Placeholder }) =>
  and(
    eq(invitations.partyId, host.id),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${host.id} AND provider_id = ${host.accountId})`,
    isLoggedIn(host, host.now),
  );
const packedOfHost = statement<OfHost>()((host) => {
  const sorted = orm
    .select()
    .from(invitations)
    .where(ofHost(host))
    .orderBy(...inOrder);
  return orm.select({ text: packedWith(answersForHost).as('text') }).from(sorted.as('sorted'));
});
const rowsOfHost = statement<OfHost>()((host) => invitationsOf(ofHost(host)));

/**
 * A party's invitations for its host, accepted first, then by name; none for anyone else; undefined if they are too
 * large to be held at once.
 */
export async function findInvitations(
  db: Db,
  { accountId, sessionId }: Actor,
  id: string,
  now: Instant,
): Promise<Invitation[] | undefined> {
  try {
    const [[row]] = await db.run(packedOfHost({ id, accountId, sessionId, now }));
    return unpack(row?.text ?? '[]', id);
  } catch (error) {
    if (error instanceof ValueTooLarge) return undefined;
    throw error;
  }
}

/** As findInvitations, however many they are. */
export async function listInvitations(db: Db, actor: Actor, id: string, now: Instant): Promise<Invitation[]> {
  const invitations = await findInvitations(db, actor, id, now);
  if (invitations) return invitations;
  const { accountId, sessionId } = actor;
  const [rows] = await db.run(rowsOfHost({ id, accountId, sessionId, now }));
  return rows;
}

/** A trigger mails the link to those with an address. */
export const insertNames = (partyId: string, invitees: Invitee[], condition: SQL, now: Instant) =>
  insertFrom(
    invitations,
    {
      partyId,
      invitee: sql`value ->> 2`,
      id: sql`value ->> 0`,
      name: sql`value ->> 1`,
      nameSortKey: sql`value ->> 3`,
      createdAt: now,
      email: sql`value ->> 4`,
      emailHash: sql`value ->> 5`,
      emailAt: sql`iif(value ->> 4 IS NULL, NULL, ${now})`,
    },
    sql`FROM json_each(${JSON.stringify(
      invitees.map(({ name, email }) => [
        newId(),
        name,
        fold(name),
        sortKey(name),
        email,
        storedAddress(email).emailHash,
      ]),
    )})
      WHERE ${condition}`,
  );
