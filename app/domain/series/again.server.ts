import { msg } from '@lingui/core/macro';
import type { Db } from '../../../db/client';
import type { Appointment } from '../bookings/appointments';
import type { Booker } from '../bookings/link-owners.server';
import { status } from '../bookings/status';
import { DomainError, invalid } from '../errors';
import { parse } from '../input/fields';
import { addDays, type Instant, isLocalDate, wireDate } from '../time/clock';
import { inARow } from '../words/joined';
import { bookSeries } from './book-series.server';
import { previewSeries } from './preview.server';
import { type AgainPage, lastDayOf, nextDayAfter, seriesLength, seriesPlan, seriesRequest } from './series';

type Subject = { appointment: Appointment; who: Booker };

/** The service and people to book again: those of the booking, or of the open slot. */
const sameAs = ({ service, people }: Appointment) => ({ service: service?.id ?? null, people: people ?? 1 });

/** Reads what the page of a series shows: the appointment, what was chosen and, once it is asked how long, the dates. */
export async function readAgainPage(
  db: Db,
  { appointment, who }: Subject,
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
    return { ...page, preview: await previewSeries(db, who, { ...parse(seriesPlan, input), from }, now) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return { ...page, problem: inARow(error.faults.map(({ message }) => message)) };
  }
}

/** Books the dates of a form. @throws DomainError as bookSeries */
export async function bookAgain(
  db: Db,
  { appointment, who }: Subject,
  typed: Record<string, string[]>,
  writing: Parameters<typeof bookSeries>[3],
): Promise<Appointment | undefined> {
  const ids = (typed.ids ?? []).filter((id) => id !== '');
  const isOwn = appointment.status === status.booked;
  if (ids.every((id) => isOwn && id === appointment.id))
    throw invalid(null, msg`None of these dates is free. Choose others.`);
  const request = parse(seriesRequest, {
    ids,
    ...sameAs(appointment),
    personId: typed.person?.[0] ?? null,
    // It takes place where the first one does.
    address: typed.address?.[0] ?? (appointment.where === 'theirs' ? appointment.place : null),
    // The answers of the first appointment serve for all that ask the same questions.
    formData: isOwn && appointment.answers.length > 0 ? appointment.answers : null,
  });
  const [first] = await bookSeries(db, who, request, writing);
  return first;
}
