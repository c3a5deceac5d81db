import { eq, type SQL, sql } from 'drizzle-orm';
import { accounts, invitations, messages, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOwnInvitation } from './current.server';

export type PartyFacts = ReturnType<typeof selectPartyFacts> extends PromiseLike<(infer Row)[]> ? Row : never;

export const selectPartyFacts = (condition: SQL) =>
  orm
    .select({
      messageId: sql<string>`${messages.id}`.as('facts_of'),
      id: sql<string>`${parties.id}`.as('party'),
      sequence: parties.sequence,
      isCalledOff: sql<boolean>`${parties.deletedAt} IS NOT NULL`.mapWith(Boolean).as('is_called_off'),
      startsAt: parties.startsAt,
      endsAt: parties.endsAt,
      title: parties.title,
      description: parties.description,
      address: parties.address,
      locationUrl: parties.locationUrl,
      invitationId: sql<string>`${invitations.id}`.as('own_invitation'),
      linkHash: invitations.linkHash,
      providerName: sql<string>`${accounts.displayName}`.as('host_name'),
    })
    .from(messages)
    .innerJoin(parties, eq(parties.id, messages.partyId))
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .innerJoin(invitations, sql`${isOwnInvitation} AND (${invitations.accepted} = 1 OR ${messages.kind} = 'answered')`)
    .where(sql`${condition} AND ${messages.kind} IN ('answered', 'changed', 'called-off', 'reminder')`);
