import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { accounts, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';

/* How parties and meetups are selected. */

// Inside a batch two columns with one SQL name overwrite each other, so the host's columns get names of their own.
/** What is read of a party, with its host's names. */
export const partyColumns = {
  id: parties.id,
  kind: parties.kind,
  providerId: parties.providerId,
  // Nobody's, where the provider has deleted the account.
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  title: parties.title,
  description: parties.description,
  startsAt: parties.startsAt,
  endsAt: parties.endsAt,
  date: parties.localDate,
  timeZone: parties.timeZone,
  address: parties.address,
  locationUrl: parties.locationUrl,
  templateId: parties.templateId,
  capacity: parties.capacity,
  rsvpBy: parties.rsvpBy,
  rsvpClosesAt: parties.rsvpClosesAt,
  plusOnes: parties.plusOnes,
  hideGoing: parties.hideGoing,
  openTo: parties.openTo,
  showOnPage: parties.showOnPage,
  going: parties.going,
  invited: parties.invited,
  sequence: parties.sequence,
};

/** The condition of a party or meetup that its host has not called off. */
export const stands = isNull(parties.deletedAt);

/** Selects parties and meetups that stand, with their host. */
export const selectParties = (condition: SQL | undefined) =>
  orm
    .select(partyColumns)
    .from(parties)
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(condition, stands));
