import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { type Appointment, booked, listedDate, startsAt } from '../bookings/appointments';
import { DomainError, invalid } from '../errors';
import { clientAddress } from '../guests/guests';
import { fault, listRule, phone, requiredText, textsAmong, wholeNumber } from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { answerList } from '../templates/answers';
import { addDays, type Instant, type LocalDate, localDateOf, localTimeOf } from '../time/clock';
import type { Words } from '../words/words';

// A series repeats an appointment at the same time, each week or every few weeks, until a date.

/** Days between two dates of a series. */
export const steps = [7, 14, 21, 28] as const;
export type Step = (typeof steps)[number];

const everyWords = fault(msg`Choose every 7, 14, 21 or 28 days.`);

export const every = z
  .pipe(
    wholeNumber(everyWords, 7, 28),
    z.transform((days, context): Step => {
      const step = steps.find((choice) => choice === days);
      if (!step && days !== null && !Number.isNaN(days) && days >= 7 && days <= 28) {
        context.issues.push({ code: 'custom', input: days, message: everyWords });
      } else if (days === null) context.issues.push({ code: 'custom', input: days, message: everyWords });
      return step ?? 7;
    }),
  )
  .register(z.globalRegistry, { type: 'integer', enum: [...steps] });

const mostWords = fault(
  msg`A series has 1 to ${plural({ most: limits.series }, { one: '# time', other: '# times' })}.`,
);

/** How many times a series takes place: its form takes this instead of the last day. */
export const seriesLength = z.object({
  every,
  times: z.pipe(wholeNumber(mostWords, 1, limits.series), z.number(mostWords)),
});
type SeriesLength = z.output<typeof seriesLength>;

/** The first appointment, the days between two, and the last possible day. */
export const seriesPlan = z.object({
  id: requiredText(msg`Id`),
  every,
  until: listedDate,
  service: booked.shape.service,
  people: booked.shape.people,
});
export type SeriesPlan = z.output<typeof seriesPlan>;

const shop = z.optional(z.string(fault(msg`The shop must be given by its username.`)));

/** As seriesPlan, or with anyone in a shop from a start on. */
export const seriesPlanOfAny = z.object({
  ...seriesPlan.shape,
  id: z.optional(z.string()),
  shop,
  startsAt: z.optional(startsAt),
});

/** The first appointment of a plan, or the shop and the start. @throws DomainError invalid (neither) */
export function firstOfPlan({
  id,
  shop,
  startsAt: start,
}: z.output<typeof seriesPlanOfAny>): { id: string } | { shopTime: { shop: string; start: Instant } } {
  if (id) return { id };
  if (!shop) throw invalid('id', msg`Id is missing.`);
  if (start === undefined) throw invalid('startsAt', msg`The start is missing.`);
  return { shopTime: { shop: fold(shop.trim()), start } };
}

/** Books exactly these slots, or none. */
export const seriesRequest = z.object({
  ids: z.array(requiredText(msg`Each id`), fault(msg`The ids must be a list.`)).check(
    listRule((ids, complain) => {
      if (ids.length === 0 || ids.length > limits.series) complain(mostWords);
      if (new Set(textsAmong(ids)).size < ids.length) complain(msg`A series has each time once.`);
    }),
    z.meta({ minItems: 1, maxItems: limits.series }),
  ),
  service: booked.shape.service,
  people: booked.shape.people,
  personId: z.pipe(
    z.optional(z.nullable(z.string(fault(msg`The person must be given by the id of their card.`)))),
    z.transform((id): string | null => id || null),
  ),
  phone,
  address: clientAddress,
  formData: z.optional(z.nullable(answerList)),
});
export type SeriesRequest = z.output<typeof seriesRequest>;

/** As seriesRequest, or exactly these starts with anyone in a shop who can keep all of them. */
export const seriesRequestOfAny = z.object({
  ...seriesRequest.shape,
  ids: z.optional(seriesRequest.shape.ids),
  shop,
  starts: z.optional(
    z.array(startsAt, fault(msg`The starts must be a list.`)).check(
      listRule((starts, complain) => {
        if (starts.length === 0 || starts.length > limits.series) complain(mostWords);
        if (new Set(starts).size < starts.length) complain(msg`A series has each time once.`);
      }),
      z.meta({ minItems: 1, maxItems: limits.series }),
    ),
  ),
});

/** The times of a series by their ids, or the shop and the starts. @throws DomainError invalid (neither) */
export function timesOfSeries({
  ids,
  shop,
  starts,
}: z.output<typeof seriesRequestOfAny>): { ids: string[] } | { shop: string; starts: Instant[] } {
  if (ids) return { ids };
  if (!shop) throw invalid('ids', msg`The ids must be a list.`);
  if (!starts) throw invalid('starts', msg`The starts must be a list.`);
  return { shop: fold(shop.trim()), starts };
}

/** A free time near one that is not free. */
export type NearTime = { id: string; startsAt: Instant; endsAt: Instant };

/** A date with the slot that can be booked, or the reason why there is none, and other times. */
export type SeriesDate = { date: LocalDate; id: string | null; why: Words | null; nearest: NearTime[] };

export type SeriesPreview = {
  provider: string; // their username
  providerName: string;
  timeZone: string;
  booker: { name: string | null } | null; // the client of the first appointment
  startsAt: Instant;
  endsAt: Instant;
  dates: SeriesDate[];
};

export type Ends = 'times' | 'until';

/** What the page of a series shows: once it is asked how long, the dates or the problem. */
export type AgainPage = {
  appointment: Appointment;
  isOver: boolean;
  chosen: { every: string; ends: Ends; times: string; until: string };
  isAsked: boolean;
  usualUntil: LocalDate;
  preview: SeriesPreview | null;
  problem: Words | null;
};

/**
 * The first day on which an appointment that is over can be repeated: today if its time of day is still to come, else
 * tomorrow.
 */
export function nextDayAfter({ startsAt, timeZone }: { startsAt: Instant; timeZone: string }, now: Instant): LocalDate {
  const isStillToday = localTimeOf(startsAt, timeZone) > localTimeOf(now, timeZone);
  return addDays(localDateOf(now, timeZone), isStillToday ? 0 : 1);
}

/** The first date that is not before this day. */
function firstDateFrom(from: LocalDate, first: LocalDate, every: Step): LocalDate {
  let next = first;
  while (next < from) next = addDays(next, every);
  return next;
}

/** The date of the last of so many times, from the first date on, or from a later day on. */
export const lastDayOf = (first: LocalDate, { every, times, from = first }: SeriesLength & { from?: LocalDate }) =>
  addDays(firstDateFrom(from, first, every), every * (times - 1));

/**
 * The dates of a series, from the first date on, or from a later day on.
 * @throws DomainError invalid (the last day is too early or too late)
 */
export function seriesDates(
  first: LocalDate,
  { every, until, from = first }: Pick<SeriesPlan, 'every' | 'until'> & { from?: LocalDate },
): LocalDate[] {
  const refuse = (message: Words) => new DomainError('invalid', [{ field: 'until', message }]);
  let next = firstDateFrom(from, first, every);
  if (until < next) throw refuse(msg`The last day must not be before the first.`);
  const dates: LocalDate[] = [];
  for (; next <= until; next = addDays(next, every)) {
    dates.push(next);
    if (dates.length > limits.series) {
      throw refuse(
        msg`A series has at most ${plural({ most: limits.series }, { one: '# date', other: '# dates' })}. Choose an earlier last day.`,
      );
    }
  }
  return dates;
}
