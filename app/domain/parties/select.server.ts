import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { accounts, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';

// If two columns of a row have the same name, one overwrites the other, so the host's columns have other names.
export const partyColumns = {
  id: parties.id,
  kind: parties.kind,
  providerId: parties.providerId,
  // Empty if the host's account is deleted.
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
  askEmail: parties.askEmail,
  askPhone: parties.askPhone,
  going: parties.going,
  invited: parties.invited,
  sequence: parties.sequence,
};

/** SQL: the party is not called off. */
export const isStillOn = isNull(parties.deletedAt);

/** SQL: the party still takes RSVPs. @see isTakingRsvps */
export const takesRsvps = (now: Placeholder) =>
  sql`(${parties.endsAt} > ${now} AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now}))`;

export const selectParties = (condition: SQL | undefined) =>
  orm
    .select(partyColumns)
    .from(parties)
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(condition, isStillOn));
