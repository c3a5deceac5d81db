import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { providerIn } from '../../../db/ids';
import { orm, statementBy } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { Appointment } from '../bookings/appointments';
import { whyNot } from '../bookings/claimable.server';
import type { Asker } from '../bookings/link-owners.server';
import { nobodyFree } from '../bookings/refusals';
import { takesPerson } from '../bookings/rules.server';
import { findShop, findShopTime } from '../bookings/shop-time.server';
import type { Terms } from '../bookings/terms';
import { type ShopTime, share, takesIn, timesInShops } from '../bookings/turn.server';
import { conflict, DomainError } from '../errors';
import { notFound } from '../not-found';
import { type Instant, localDateOf, localTimeOf } from '../time/clock';
import { instantOf } from '../time/zones';
import { bookSeries, type SeriesWriting } from './book-series.server';
import { previewSeries } from './preview.server';
import { type SeriesPlan, type SeriesPreview, type SeriesRequest, seriesDates } from './series';

// One colleague has a whole series: of those who can have its first time, the one who can have most of its dates, then whoever has the
// turn on the first day. It is read here; the claim then looks again whether they can, and takes all or nothing.

type Values = {
  shop: string;
  starts: string;
  service: string;
  terms: string;
  people: number;
  accountId: string;
  refused: string;
  now: Instant;
};

/** The colleagues who can have the first of these starts, with the ids of all that they can have, best first. */
const colleaguesFor = statementBy<{ isService: boolean }, Values>()(
  ({ isService }, { shop, starts, service, terms, people, accountId, refused, now }) => {
    const wantedService = isService ? service : null;
    const provider = sql`provider`;
    const isFree = sql`${whyNot({ people, now, accountId, terms, provider, isBound: true }, wantedService)} IS NULL`;
    const isOwn = sql`EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.provider_id = slots.provider_id
      AND mine.starts_at = slots.starts_at AND mine.booker_id = ${accountId} AND ${isBooked('mine')})`;
    const times = sql`(SELECT turn.account_id AS colleague, turn.place AS place, wanted.key AS number, slots.id AS time, ${isOwn} AS is_own,
        iif(wanted.key = 0, ${share}, NULL) AS share
      FROM json_each(${starts}) AS wanted CROSS JOIN ${timesInShops({ start: sql`wanted.value`, service: wantedService })}
      WHERE ${takesIn(shop)} AND turn.account_id NOT IN (SELECT value FROM json_each(${refused}))
        AND (${isOwn} OR ${isFree} AND ${takesPerson(provider, accountId)})) AS times`;
    return orm
      .select({ numbered: sql<string>`json_group_array(json_array(number, time))`.as('numbered') })
      .from(times)
      .groupBy(sql`colleague`)
      .having(sql`min(number) = 0`)
      .orderBy(sql`max(is_own) DESC, count(*) DESC, max(share), place`);
  },
);

/** The terms of the service as the form said them; null if it said none. */
type WithTerms = { terms?: Terms | null };
type WantedSeries = WithTerms &
  Pick<SeriesRequest, 'service' | 'people'> & { shop: string; starts: Instant[]; accountId: string };

/**
 * Finds the slots that one colleague can have of these starts, by their order; empty if nobody can have the first.
 * @param refused the ids of colleagues who are not asked
 */
async function findColleague(
  db: Db,
  { shop, starts, service, terms = null, people, accountId }: WantedSeries,
  now: Instant,
  refused: string[] = [],
) {
  const asked = { shop, starts: JSON.stringify(starts), service: service ?? '', terms: JSON.stringify(terms) };
  const values = { ...asked, people, accountId, refused: JSON.stringify(refused), now };
  const [[row]] = await db.run(colleaguesFor({ isService: service !== null }, values));
  const numbered = JSON.parse(row?.numbered ?? '[]') as [number: number, id: string][];
  return numbered.sort(([one], [other]) => one - other).map(([, id]) => id);
}

/** Why nobody can have the first time: the limit of appointments that the person has reached, or nobody is free then. */
async function whyNobody(
  db: Db,
  { shop, start, ...asking }: Omit<WantedSeries, 'starts'> & { start: Instant },
  now: Instant,
): Promise<DomainError> {
  const found = await findShopTime(db, { shop, start }, asking, now);
  return found?.limit ? conflict(found.limit) : nobodyFree();
}

/**
 * As previewSeries, with the colleague of the shop who can have most of the dates.
 * @throws DomainError not_found (no such shop), conflict (nobody can have the first time), invalid (the last day)
 */
export async function previewWithAnyone(
  db: Db,
  asker: Asker,
  { shop, start }: ShopTime,
  plan: Omit<SeriesPlan, 'id'> & WithTerms,
  now: Instant,
): Promise<SeriesPreview> {
  const house = await findShop(db, shop);
  if (!house) throw notFound('provider');
  const { timeZone } = house;
  const time = localTimeOf(start, timeZone);
  const [, ...later] = seriesDates(localDateOf(start, timeZone), plan);
  const starts = [start, ...later.map((date) => instantOf(date, time, timeZone))];
  const ids = await findColleague(db, { ...plan, shop, starts, accountId: asker.accountId }, now);
  const [id] = ids;
  if (id === undefined) throw await whyNobody(db, { ...plan, shop, start, accountId: asker.accountId }, now);
  return previewSeries(db, asker, { ...plan, id }, now);
}

type SeriesWithAnyone = Omit<SeriesRequest, 'ids'> & WithTerms & { shop: string; starts: Instant[] };

/**
 * As bookSeries, with one colleague of the shop who can have all of these starts.
 * @throws DomainError as bookSeries; forbidden (a provider), conflict (nobody can have all)
 */
export async function bookSeriesWithAnyone(
  db: Db,
  asker: Asker,
  { shop, starts, terms, ...request }: SeriesWithAnyone,
  writing: SeriesWriting,
): Promise<Appointment[]> {
  if ('role' in asker && asker.role === 'Provider')
    throw new DomainError(
      'forbidden',
      msg`Only a client books a series with anyone. Book it with one of your colleagues.`,
    );
  const { accountId } = asker;
  const sorted = [...starts].sort((one, other) => one - other);
  const [start = 0] = sorted;
  const { service, people } = request;
  const wanted = { shop, starts: sorted, service, terms, people, accountId };
  // Somebody may take a date since it was read, and each colleague has rules of their own for a whole series: then the next
  // who can have all is asked.
  const refused: string[] = [];
  let whyFirst: DomainError | undefined;
  for (;;) {
    const ids = await findColleague(db, wanted, writing.now, refused);
    const [first = ''] = ids;
    if (ids.length === 0) throw whyFirst ?? (await whyNobody(db, { ...wanted, start }, writing.now));
    if (ids.length !== sorted.length)
      throw (
        whyFirst ??
        conflict(msg`Nobody there is free on all of these dates. Nothing was booked. Please look at the dates again.`)
      );
    try {
      return await bookSeries(db, asker, { ...request, ids, shopTime: { shop, start } }, writing);
    } catch (error) {
      const isTheirs = error instanceof DomainError && ['conflict', 'forbidden', 'invalid'].includes(error.code);
      if (!isTheirs) throw error;
      whyFirst ??= error;
      refused.push(providerIn(first));
    }
  }
}
