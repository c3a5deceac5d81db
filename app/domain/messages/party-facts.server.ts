import { eq, type SQL, sql } from 'drizzle-orm';
import { accounts, invitations, messages, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';

/** What a mail about a party or meetup carries besides its sentence: all that its calendar entry is made of. */
export type PartyFacts = ReturnType<typeof selectPartyFacts> extends PromiseLike<(infer Row)[]> ? Row : never;

/** Selects the parties and meetups of changes that messages tell of, for readers who have said that they come. */
export const selectPartyFacts = (isMeant: SQL) =>
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
      providerName: sql<string>`${accounts.displayName}`.as('host_name'),
      readerName: sql<string>`${invitations.name}`.as('reader_name'),
    })
    .from(messages)
    .innerJoin(parties, eq(parties.id, messages.partyId))
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .innerJoin(
      invitations,
      sql`${invitations.id} = coalesce(${messages.invitationId}, (SELECT id FROM invitations AS own
          WHERE own.party_id = ${messages.partyId} AND own.invitee = ${messages.accountId}))
        AND ${invitations.accepted} = 1`,
    )
    .where(sql`${isMeant} AND ${messages.kind} IN ('changed', 'called-off')`);
