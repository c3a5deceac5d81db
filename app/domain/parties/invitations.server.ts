import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { ValueTooLarge } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { fold, sortKey } from '../input/fold';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import type { Invitation, Invited, Invitee } from './parties';

/** A guest who says no keeps their answers, for the case that they say yes again; the host has those of who is coming. */
export const answersForHost = sql`iif(accepted, answers, '[]')`;

/** The address of a name, for as long as its holder takes such mail. */
const mailed = sql<string | null>`iif(mail_ended_at IS NULL, email, NULL)`;

const columns = {
  id: invitations.id,
  partyId: invitations.partyId,
  username: sql<string>`coalesce(${invitations.username}, ${invitations.name})`.as('guest_username'),
  name: invitations.name,
  accepted: invitations.accepted,
  plusOnes: invitations.plusOnes,
  answeredAt: invitations.answeredAt,
};

/** The columns that the host reads. */
const forHost = {
  ...columns,
  email: mailed.as('mailed'),
  answers: answersForHost.mapWith(invitations.answers).as('answers_for_host'),
};
/** Selects invitations, in the columns that the host reads. */
export const selectInvitations = () => orm.select(forHost).from(invitations);

/** The columns of an invitation that its guest reads. */
export const ownColumns = { ...columns, answers: invitations.answers };

/** Accepted first, then by name. */
export const inOrder = [
  sql`${invitations.accepted} DESC NULLS LAST`,
  asc(invitations.nameSortKey),
  asc(invitations.id),
];

/** Selects invitations for a list: accepted first, then by name. */
export const invitationsOf = (condition: SQL | undefined) =>
  selectInvitations()
    .where(condition)
    .orderBy(...inOrder);

type Packing = { more?: SQL; order?: SQL; before?: SQL; answers?: SQL };
/** Packs invitations into one JSON text. A row for each costs ten times as much, and a host may have thousands. */
const packedAs = ({ more = sql``, order = sql``, before = sql``, answers = answersForHost }: Packing) =>
  sql<string>`json_group_array(
  json_array(${before}id, coalesce(username, name), accepted, json(nullif(${answers}, '[]'))${more})${order})`;

const order = sql` ORDER BY accepted DESC NULLS LAST, name_sort_key, id`;
/** SQL: the invitations of one party as JSON, accepted first, then by name; `unpackInShort` reads it. */
export const packedInShort = packedAs({ order });
/** SQL: the same of several parties, with the id of its party before each. */
export const packedOfMany = packedAs({ order, before: sql`party_id, ` });
/**
 * SQL: invitations as JSON with all that the host reads; `unpack` reads it. They are read in order already: sorting again would
 * read each row again.
 */
export const packedWith = (answers: SQL) => packedAs({ more: sql`, name, plus_ones, answered_at, ${mailed}`, answers });

/** An invitation in the JSON of `packedInShort`. */
export type PackedInShort = [id: string, username: string, accepted: 0 | 1 | null, answers: Answer[] | null];
type Packed = [...PackedInShort, name: string, plusOnes: number, answeredAt: Instant | null, email: string | null];

/** Reads the invitations that `packedInShort` has packed. */
export const unpackInShort = (rows: [...PackedInShort, ...unknown[]][], partyId: string): Invited[] =>
  rows.map(([id, username, accepted, answers]) => ({
    id,
    partyId,
    username,
    accepted: accepted === null ? null : accepted === 1,
    answers: answers ?? [],
  }));

/** Reads the invitations that `packedWith` has packed. */
export function unpack(text: string, partyId: string): Invitation[] {
  const rows = JSON.parse(text) as Packed[];
  const inShort = unpackInShort(rows, partyId);
  return rows.map(([, , , , name, plusOnes, answeredAt, email], place) => ({
    ...(inShort[place] as Invited),
    name,
    plusOnes,
    answeredAt,
    email,
  }));
}

export type OfHost = { id: string; accountId: string; sessionId: string; now: Instant };
/** SQL: the invitations of a party of the host's own, as long as the session stands. */
export const ofHost = (given: { [Name in keyof OfHost]: Placeholder }) =>
  and(
    eq(invitations.partyId, given.id),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${given.id} AND provider_id = ${given.accountId})`,
    isLoggedIn(given, given.now),
  );
const packedOfHost = statement<OfHost>()((given) => {
  const sorted = orm
    .select()
    .from(invitations)
    .where(ofHost(given))
    .orderBy(...inOrder);
  return orm.select({ text: packedWith(answersForHost).as('text') }).from(sorted.as('sorted'));
});
const rowsOfHost = statement<OfHost>()((given) => invitationsOf(ofHost(given)));

/**
 * Finds the invitations of a party for its host, accepted first, then by name; undefined where they are too much to be held at
 * once. Anyone else gets none; so does a host whose session does not stand.
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

/** As findInvitations, and all of them, however much they are. */
export async function listInvitations(db: Db, actor: Actor, id: string, now: Instant): Promise<Invitation[]> {
  const found = await findInvitations(db, actor, id, now);
  if (found) return found;
  const { accountId, sessionId } = actor;
  const [rows] = await db.run(rowsOfHost({ id, accountId, sessionId, now }));
  return rows;
}

/** Makes one statement that gives each name a personal link; whoever has an address gets it by mail. */
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
      emailAt: sql`iif(value ->> 4 IS NULL, NULL, ${now})`,
    },
    sql`FROM json_each(${JSON.stringify(
      invitees.map(({ name, email }) => [newId(), name, fold(name), sortKey(name), email]),
    )})
      WHERE ${condition}`,
  );
