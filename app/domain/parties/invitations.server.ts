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

/** Selects invitations, in the columns that the host reads. */
export const selectInvitations = () =>
  orm
    .select({
      ...columns,
      email: mailed.as('mailed'),
      answers: answersForHost.mapWith(invitations.answers).as('answers_for_host'),
    })
    .from(invitations);

/** The columns of an invitation that its guest reads. */
export const ownColumns = { ...columns, answers: invitations.answers };

const inOrder = [sql`${invitations.accepted} DESC NULLS LAST`, asc(invitations.nameSortKey), asc(invitations.id)];

/** Selects invitations for a list: accepted first, then by name. */
export const invitationsOf = (condition: SQL | undefined) =>
  selectInvitations()
    .where(condition)
    .orderBy(...inOrder);

/** Packs invitations into one JSON text. A row for each costs ten times as much, and a host may have thousands. */
const packedAs = (more: SQL, order: SQL) => sql<string>`json_group_array(
  json_array(id, coalesce(username, name), accepted, json(nullif(${answersForHost}, '[]'))${more})${order})`;

/** SQL: the invitations of one party as JSON, accepted first, then by name; `unpackInShort` reads it. */
export const packedInShort = packedAs(sql``, sql` ORDER BY accepted DESC NULLS LAST, name_sort_key, id`);
// Its rows are in order already; sorting again would read each row again.
const packed = packedAs(sql`, name, plus_ones, answered_at, ${mailed}`, sql``);

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

/** A part of a list: at most `most` rows, after `skip` others. A negative `most` means all. */
type Part = { most: number; skip: number };
const whole: Part = { most: -1, skip: 0 };

type OfHost = { id: string; accountId: string; sessionId: string; now: Instant };
type PartOfHost = OfHost & Part;
const ofHost = (given: { [Name in keyof OfHost]: Placeholder }) =>
  and(
    eq(invitations.partyId, given.id),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${given.id} AND provider_id = ${given.accountId})`,
    isLoggedIn(given, given.now),
  );
const packedOfHost = statement<PartOfHost>()((given) => {
  const part = orm
    .select()
    .from(invitations)
    .where(ofHost(given))
    .orderBy(...inOrder)
    .limit(given.most)
    .offset(given.skip);
  return orm.select({ text: packed.as('text') }).from(part.as('part'));
});
const rowsOfHost = statement<PartOfHost>()((given) =>
  invitationsOf(ofHost(given)).limit(given.most).offset(given.skip),
);

/**
 * Lists the invitations of a party for its host, accepted first, then by name, or a part of them. Anyone else gets
 * none; so does a host whose session does not stand.
 */
export async function listInvitations(
  db: Db,
  { accountId, sessionId }: Actor,
  id: string,
  now: Instant,
  { most, skip } = whole,
): Promise<Invitation[]> {
  const given = { id, accountId, sessionId, now, most, skip };
  try {
    const [[row]] = await db.run(packedOfHost(given));
    const rows = JSON.parse(row?.text ?? '[]') as Packed[];
    const inShort = unpackInShort(rows, id);
    return rows.map(([, , , , name, plusOnes, answeredAt, email], place) => ({
      ...(inShort[place] as Invited),
      name,
      plusOnes,
      answeredAt,
      email,
    }));
  } catch (error) {
    if (!(error instanceof ValueTooLarge)) throw error;
    const [rows] = await db.run(rowsOfHost(given));
    return rows;
  }
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
