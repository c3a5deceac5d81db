import { msg, plural } from '@lingui/core/macro';
import { or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isBooked, isFull, isOpen, type SlotState, slotState } from '../../../db/states';
import { selectAppointment } from '../bookings/appointments.server';
import { whyNot } from '../bookings/claimable.server';
import { bookedBy } from '../bookings/conditions.server';
import type { Asker } from '../bookings/link-owners.server';
import { alreadySeated, classFull, notOffered, termsChanged, type WhyNot } from '../bookings/refusals';
import { countingName, countOfPerson, lastStart } from '../bookings/rules.server';
import { withService } from '../bookings/slot-with-service.server';
import { status } from '../bookings/status';
import { conflict } from '../errors';
import { notFound } from '../not-found';
import { providerWords } from '../profile/former';
import { type Instant, type LocalDate, localTimeOf } from '../time/clock';
import { instantOf } from '../time/zones';
import type { Words } from '../words/words';
import { nearestOf, nearTimes } from './nearest.server';
import { type NearTime, type SeriesDate, type SeriesPlan, type SeriesPreview, seriesDates } from './series';

type Values = {
  provider: string;
  wanted: string; // the starts and dates of the series, as a JSON list
  service: string;
  people: number;
  accountId: string;
  now: Instant;
};
type Shape = { isForSomeone: boolean; isService: boolean };

const dates = statementBy<Shape, Values>()((shape, values) => {
  const service = shape.isService ? values.service : null;
  const asking = {
    now: values.now,
    people: values.people,
    accountId: values.accountId,
    provider: sql`provider`,
    isBound: !shape.isForSomeone,
  };
  const isFree = sql`(slots.id IS NOT NULL AND ${whyNot(asking, service)} IS NULL)`;
  const missing = (value: SQL) => sql`iif(${isFree}, NULL, ${value})`;
  return orm
    .select({
      place: sql<number>`wanted.key`.as('place'),
      id: sql<string | null>`iif(${isFree}, slots.id, NULL)`.as('free_id'),
      state: sql<SlotState | null>`slots.state`.as('state'),
      isMine: sql<number>`EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.provider_id = provider.id
        AND mine.starts_at = (wanted.value ->> 0) AND mine.booker_id = ${values.accountId} AND ${isBooked('mine')})`.as(
        'is_mine',
      ),
      why: sql<WhyNot | null>`iif(slots.id IS NULL, NULL, ${whyNot(asking, service)})`.as('why_not'),
      isBeyond: sql<number>`(wanted.value ->> 0) > ${lastStart(values.now, sql`provider`)}`.as('is_beyond'),
      isOpenDay: sql<number>`EXISTS (SELECT 1 FROM open_days
        WHERE open_days.provider_id = provider.id AND open_days.local_date = (wanted.value ->> 1))`.as('is_open_day'),
      before: sql<string | null>`${missing(nearestOf(true, asking, service))}`.as('before'),
      after: sql<string | null>`${missing(nearestOf(false, asking, service))}`.as('after'),
    })
    .from(
      sql`json_each(${values.wanted}) AS wanted CROSS JOIN accounts AS provider ON provider.id = ${values.provider}
        LEFT JOIN slots ON slots.provider_id = provider.id AND slots.starts_at = (wanted.value ->> 0)
        ${withService(service)}`,
    )
    .orderBy(sql`wanted.key`);
});

const limitsOf = statement<Pick<Values, 'provider' | 'accountId' | 'now'>>()(({ provider, accountId, now }) =>
  orm
    .select({
      perPerson: sql<number | null>`provider.per_person`.as('per_person'),
      countingName: countingName(sql`provider`).as('counting_name'),
      coming:
        sql<number>`iif(provider.per_person IS NULL, 0, ${countOfPerson(sql`provider.id`, { accountId, now })})`.as(
          'coming',
        ),
      publishedTo:
        sql<LocalDate | null>`max(ifnull((SELECT max(local_date) FROM open_days WHERE provider_id = provider.id), ''),
        ifnull(hours.carried_to, ''))`.as('published_to'),
      // Days on which the hours leave no time at all.
      daysOff:
        sql<string>`(SELECT json_group_array(json_object('from', value ->> 'date', 'to', ifnull(value ->> 'to', value ->> 'date')))
          FROM json_each(hours.plan, '$.except') WHERE json_array_length(value -> 'hours') = 0)`.as('days_off'),
    })
    .from(sql`accounts AS provider LEFT JOIN hours ON hours.provider_id = provider.id`)
    .where(sql`provider.id = ${provider}`),
);

const timesOf = (list: string | null): NearTime[] => JSON.parse(list ?? '[]');

type Read = ReturnType<typeof dates>['rows'][number];

type Publisher = {
  /** The provider, and whoever comes; null for the reader. */
  provider: Words | null;
  client: Words | null;
  countingName: string;
  publishedTo: LocalDate;
  daysOff: { from: LocalDate; to: LocalDate }[];
};

/** Says in a sentence why a date can't be booked. */
function reasonOf(
  row: Read,
  date: LocalDate,
  { provider, client, countingName, publishedTo, daysOff }: Publisher,
): Words {
  if (row.isMine) return client === null ? msg`You have this time already.` : msg`${client} has this time already.`;
  if (row.isBeyond) return notYet;
  if (row.why && row.state !== slotState.withdrawn) return reasons[row.why](provider, countingName);
  if (!row.isOpenDay && daysOff.some(({ from, to }) => from <= date && date <= to))
    return provider === null ? msg`You are away on that day.` : msg`${provider} is away on that day.`;
  if (date > publishedTo) return msg`These days are not published yet.`;
  if (row.isOpenDay)
    return provider === null ? msg`You have no time at that hour.` : msg`${provider} has no time at that hour.`;
  return provider === null ? msg`You have no free time on that day.` : msg`${provider} has no free time on that day.`;
}

const atMost = (most: number, name: Words): Words =>
  msg`You can have ${plural({ most }, { one: '# coming appointment', other: '# coming appointments' })} with ${name} at most.`;

const notYet = msg`It can't be booked yet.`;

/** By the provider, null for the reader, and the name under which a person's limit counts. */
const reasons: Record<WhyNot, (provider: Words | null, countingName: string) => Words> = {
  taken: () => msg`It is taken.`,
  full: () => classFull,
  seated: () => alreadySeated,
  begun: () => msg`It is over.`,
  service: () => notOffered,
  length: () => msg`There is not enough free time then.`,
  changed: () => termsChanged,
  places: () => msg`There are not enough places left.`,
  notice: () => msg`It can't be booked any more.`,
  horizonDays: () => notYet,
  busy: (provider) =>
    provider === null ? msg`You have something else then.` : msg`${provider} has something else then.`,
  perDay: () => msg`That day is full.`,
  perPerson: (_, name) => msg`You have as many coming appointments with ${{ provider: name }} as you may.`,
};

/**
 * Finds for each date of a series the slot at the same local time. If it can't be booked, it finds why, and up to three
 * times near it. A series begins with an open slot, with a booking of the reader's, or with the first date from a later
 * day on. It takes two round trips, because the zone of the first appointment must be known to find the others.
 * @throws DomainError not_found, invalid (the last day), conflict (the first one is canceled)
 */
export async function previewSeries(
  db: Db,
  asker: Asker,
  { id, service, people, ...plan }: SeriesPlan & { from?: LocalDate },
  now: Instant,
): Promise<SeriesPreview> {
  const isProvider = 'role' in asker && asker.role === 'Provider';
  const [[first]] = await db.run(
    selectAppointment(id, {
      booked: or(ownedBy(asker, bookings), bookedBy(asker)),
      free: isProvider ? ownedBy(asker, slots) : or(isOpen(slots), sql`(${isFull(slots)} AND ${slots.seats} > 1)`),
    }),
  );
  if (!first) throw notFound('appointment');
  if (first.status === status.canceled) throw conflict(msg`This appointment is canceled.`);
  const { timeZone, startsAt, bookerId } = first;
  const list = seriesDates(first.date, plan);
  const time = localTimeOf(startsAt, timeZone);
  const starts = list.map((date) => (date === first.date ? startsAt : instantOf(date, time, timeZone)));
  const accountId = bookerId ?? (isProvider ? '' : asker.accountId);
  const values = { provider: first.providerId, service: service ?? '', people, accountId, now };
  const { rows, limit } = await db.run({
    rows: dates(
      { isForSomeone: isProvider, isService: service !== null },
      { ...values, wanted: JSON.stringify(starts.map((at, place) => [at, list[place]])) },
    ),
    limit: limitsOf(values),
  });
  const name = providerWords(first.providerName, true);
  const { perPerson = null, coming = 0, countingName: counting = '', publishedTo, daysOff } = limit[0] ?? {};
  const publisher = {
    provider: isProvider ? null : name,
    client: isProvider ? (first.bookerName ?? msg`This person`) : null,
    countingName: counting,
    publishedTo: publishedTo ?? '',
    daysOff: JSON.parse(daysOff ?? '[]'),
  };
  let bookingsLeft = isProvider || perPerson === null ? Number.POSITIVE_INFINITY : perPerson - coming;
  const shownDates = rows.map((row, place): SeriesDate => {
    const [date, at] = [list[place] as LocalDate, starts[place] as Instant];
    if (date === first.date && bookerId !== null) return { date, id: first.id, why: null, nearest: [] };
    const nearest = nearTimes(at, [...timesOf(row.before), ...timesOf(row.after)]);
    const unfreeDate = (reason: Words) => ({ date, id: null, why: reason, nearest });
    if (at <= now) return unfreeDate(msg`It is over.`);
    if (localTimeOf(at, timeZone) !== time)
      return unfreeDate(msg`On that day the clocks skip ${{ time: { clock: time } }}.`);
    // No rule of their own binds a provider.
    const bound = { ...row, isBeyond: isProvider ? 0 : row.isBeyond };
    if (row.id === null) return unfreeDate(reasonOf(bound, date, publisher));
    if (bookingsLeft < 1) return { ...unfreeDate(atMost(perPerson ?? 0, counting)), nearest: [] };
    bookingsLeft -= 1;
    return { date, id: row.id, why: null, nearest: [] };
  });
  return {
    provider: first.provider,
    providerName: first.providerName,
    timeZone,
    booker: bookerId === null ? null : { name: first.bookerName },
    startsAt,
    endsAt: first.endsAt,
    dates: shownDates,
  };
}
