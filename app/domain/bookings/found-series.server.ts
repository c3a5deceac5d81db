import { sql } from 'drizzle-orm';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { slots } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import type { Rules } from '../profile/rules';
import type { Where } from '../services/where';
import type { LocalDate } from '../time/clock';
import { rowToClaim } from './claim.server';
import { addressOf, askingOf, isTheirs, phoneOf, serviceOf, wantedId, wantedTimes } from './claim-conditions.server';
import { type ClaimValues, ofRequest, type ReadyClaim, type Shape } from './claim-request.server';
import { isWithinDays, isWithinPerson } from './claim-series.server';
import { whyNot } from './claimable.server';
import type { WhyNot } from './refusals';
import { countingName } from './rules.server';
import { placeKindOf, withService } from './slot-with-service.server';

// What stands beside the claim of a series: each time as the person finds it, which says why it is not granted.

/** Each wanted time of a series, why it can't be had, and what the provider asks for. */
const wantedOfClaim = statementBy<Shape, ClaimValues>()((shape, values) =>
  orm
    .select({
      providerId: sql<string>`provider.id`.as('provider_id'),
      providerName: sql<string>`provider.display_name`.as('provider_name'),
      role: sql<string>`provider.role`.as('role'),
      openTo: sql<Rules['openTo']>`provider.open_to`.as('open_to'),
      askEmail: sql<Rules['askEmail']>`provider.ask_email`.as('ask_email'),
      askPhone: sql<Rules['askPhone']>`provider.ask_phone`.as('ask_phone'),
      perPerson: sql<number | null>`provider.per_person`.as('per_person'),
      countingName: countingName(sql`provider`).as('counting_name'),
      perDay: sql<number | null>`provider.per_day`.as('per_day'),
      date: sql<LocalDate>`coalesce(slots.local_date, (SELECT gone.local_date FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(wantedId)} AND gone.starts_at = ${startOf(wantedId)} LIMIT 1),
        date(${startOf(wantedId)} / 1000, 'unixepoch'))`.as('wanted_date'),
      why: sql<WhyNot | null>`iif(slots.id IS NULL, 'taken', ${whyNot(askingOf(shape), serviceOf(shape))})`.as(
        'why_not',
      ),
      isOwn: sql<number>`EXISTS (SELECT 1 FROM bookings AS own WHERE ${isTheirs(shape)})`.as('is_own'),
      isKnown: sql<number>`slots.id IS NOT NULL OR EXISTS (SELECT 1 FROM bookings AS gone
        WHERE gone.provider_id = ${providerOf(wantedId)} AND gone.starts_at = ${startOf(wantedId)} AND gone.id = ${wantedId})`.as(
        'is_known',
      ),
      isWithinPerson: sql<number>`${isWithinPerson(shape)}`.as('is_within_person'),
      isWithinDays: sql<number>`${isWithinDays()}`.as('is_within_days'),
      hasPhone: sql<number>`${phoneOf(shape)} IS NOT NULL`.as('has_phone'),
      where: sql<Where | null>`${placeKindOf(shape)}`.as('wanted_where'),
      hasPlace: sql<number>`${addressOf(shape)} IS NOT NULL`.as('has_place'),
      hasEmail: sql<number>`EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = ${ofRequest('accountId')}
        AND (booker.username IS NOT NULL OR booker.email IS NOT NULL))`.as('has_email'),
    })
    .from(
      sql`${rowToClaim(shape, values)} CROSS JOIN ${wantedTimes} LEFT JOIN accounts AS provider ON provider.id = ${providerOf(wantedId)}
        LEFT JOIN slots ON ${hasId(slots, wantedId)} ${withService(serviceOf(shape))}`,
    ),
);

export type WantedTime = ReturnType<typeof wantedOfClaim>['rows'][number];

export const selectWanted = ({ shape, values }: ReadyClaim) => wantedOfClaim(shape, values);
