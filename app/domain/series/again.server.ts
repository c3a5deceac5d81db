import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { type Appointment, termsShown } from '../bookings/appointments';
import type { Asker } from '../bookings/link-owners.server';
import { startIn } from '../bookings/start-in';
import { status } from '../bookings/status';
import { termsOf } from '../bookings/terms';
import type { ShopTime } from '../bookings/turn.server';
import { DomainError, invalid } from '../errors';
import { parse } from '../input/fields';
import { addDays, type Instant, isLocalDate, wireDate } from '../time/clock';
import { inARow } from '../words/joined';
import { bookSeries } from './book-series.server';
import { previewSeries } from './preview.server';
import { type AgainPage, lastDayOf, nextDayAfter, seriesLength, seriesPlan, seriesRequest } from './series';
import { bookSeriesWithAnyone, previewWithAnyone } from './with-anyone.server';

/** `shopTime`: the appointment is a free time of whoever works in a shop, of whom one will keep the series. */
type Subject = { appointment: Appointment; who: Asker; shopTime?: ShopTime };

/** The service and people to book again: those of the booking, or of the open slot. */
const sameAs = ({ service, people }: Appointment) => ({ service: service?.id ?? null, people: people ?? 1 });

/** Reads what the page of a series shows: the appointment, what was chosen and, once it is asked how long, the dates. */
export async function readAgainPage(
  db: Db,
  { appointment, who, shopTime }: Subject,
  query: URLSearchParams,
  now: Instant,
): Promise<AgainPage> {
  // An address without `ends` has a last day or nothing.
  const isAsked = query.has('until') || query.has('times');
  const ends = (query.get('ends') ?? (query.has('until') ? 'until' : 'times')) === 'until' ? 'until' : 'times';
  const chosen: AgainPage['chosen'] = {
    every: query.get('every') ?? '7',
    ends,
    times: query.get('times') ?? '',
    until: query.get('until') ?? '',
  };
  // If the appointment is over, the series begins at its next date.
  const isOver = appointment.status === status.booked && appointment.startsAt <= now;
  const from = isOver ? nextDayAfter(appointment, now) : undefined;
  const page = {
    appointment,
    isOver,
    chosen,
    isAsked,
    usualUntil: addDays(from ?? appointment.date, 8 * 7),
    preview: null,
    problem: null,
  };
  if (!isAsked) return page;
  if (ends === 'until' && !isLocalDate(chosen.until)) return { ...page, problem: msg`Choose the last day.` };
  try {
    const until =
      ends === 'until' ? chosen.until : lastDayOf(appointment.date, { ...parse(seriesLength, chosen), from });
    const input = { id: appointment.id, every: chosen.every, until: wireDate(until), ...sameAs(appointment) };
    const plan = { ...parse(seriesPlan, input), from };
    const { service } = appointment;
    const terms = service && termsOf({ ...appointment, service });
    const preview = shopTime
      ? previewWithAnyone(db, who, shopTime, { ...plan, terms }, now)
      : previewSeries(db, who, plan, now);
    return { ...page, preview: await preview };
  } catch (error) {
    if (!(error instanceof DomainError && (error.code === 'invalid' || error.code === 'conflict'))) throw error;
    return { ...page, problem: inARow(error.faults.map(({ message }) => message)) };
  }
}

/** Books the dates of a form. @throws DomainError as bookSeries, or as bookSeriesWithAnyone */
export async function bookAgain(
  db: Db,
  { appointment, who, shopTime }: Subject,
  typed: Record<string, string[]>,
  writing: Parameters<typeof bookSeries>[3],
): Promise<Appointment | undefined> {
  const ids = (typed.ids ?? []).filter((id) => id !== '');
  const isOwn = appointment.status === status.booked;
  if (ids.every((id) => isOwn && id === appointment.id))
    throw invalid(null, msg`None of these dates can be booked. Each says why.`);
  const request = parse(seriesRequest, {
    ids,
    ...sameAs(appointment),
    personId: typed.person?.[0] ?? null,
    phone: typed.phone?.[0] ?? null,
    // It takes place where the first one does.
    address: typed.address?.[0] ?? (appointment.where === 'theirs' ? appointment.place : null),
    // The answers of the first appointment serve for all that ask the same questions.
    formData: isOwn && appointment.answers.length > 0 ? appointment.answers : null,
  });
  const { terms } = parse(z.object({ terms: termsShown }), { terms: typed.terms?.[0] });
  const [first] = shopTime
    ? await bookSeriesWithAnyone(db, who, { ...request, terms, shop: shopTime.shop, starts: ids.map(startIn) }, writing)
    : await bookSeries(db, who, request, writing);
  return first;
}
