import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { type Db, orm } from '../../db/client';
import { newId } from '../../db/columns';
import { invitations } from '../../db/schema';
import type { Actor } from './accounts';
import type { Instant } from './clock';
import { fold } from './fold';
import type { Invitation } from './parties';
import { isLoggedIn } from './sessions.server';

/** Invitations as the host reads them. */
export const selectInvitations = () =>
  orm
    .select({
      id: invitations.id,
      partyId: invitations.partyId,
      username: sql<string>`coalesce(${invitations.username}, ${invitations.name})`.as('guest_username'),
      name: invitations.name,
      accepted: invitations.accepted,
      guests: invitations.guests,
      answers: invitations.answers,
      answeredAt: invitations.answeredAt,
    })
    .from(invitations);

/** Invitations for a list: accepted first, then by name. */
export const invitationsOf = (condition: SQL | undefined) =>
  selectInvitations()
    .where(condition)
    .orderBy(sql`${invitations.accepted} DESC NULLS LAST`, asc(invitations.nameFolded));

/** One personal link for every name, in one statement however many there are. */
export const insertNames = (partyId: string, names: string[], condition: SQL, now: Instant) =>
  orm.insert(invitations).select(sql`
    SELECT ${partyId}, value ->> 2, value ->> 0, NULL, NULL, value ->> 1, value ->> 2, NULL, 0, '[]', NULL, ${now}
    FROM json_each(${JSON.stringify(names.map((name) => [newId(), name, fold(name)]))}) WHERE ${condition}`);

/** Invitations of a party for its host; none for anybody else, or where the session does not stand. */
export async function listInvitationsForHost(db: Db, actor: Actor, id: string, now: Instant): Promise<Invitation[]> {
  const [rows] = await db.run(
    invitationsOf(
      and(
        eq(invitations.partyId, id),
        sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND provider_id = ${actor.accountId})`,
        isLoggedIn(actor, now),
      ),
    ),
  );
  return rows;
}
