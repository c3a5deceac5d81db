import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { booked, termsShown } from '../../domain/bookings/appointments';
import { bookAppointment } from '../../domain/bookings/book.server';
import { bookAsNewGuest } from '../../domain/bookings/book-as-new-guest.server';
import type { Wanted } from '../../domain/bookings/claim-one.server';
import { DomainError } from '../../domain/errors';
import { clientContact } from '../../domain/guests/guests';
import { keepEmail } from '../../domain/guests/guests.server';
import { parse } from '../../domain/input/fields';
import { bookingPath } from '../../domain/links.server';
import { isGuest } from '../../domain/profile/accounts';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { fields, type Typed } from '../../http/form.server';
import { formToken } from '../../http/form-token.server';
import type { Authorized } from '../../http/guards.server';
import { arrivalOf, originOf, setGuestSession } from '../../http/login.server';
import { guestOfForm } from '../../http/own-form.server';

/** The token of another time's form, for whoever has just sent one that came too late; null for those who have typed nothing. */
export const tokenOfNearest = (context: Authorized<'anyone'>, form: string): string | null =>
  context.refusalCode === 'conflict' ? formToken(context, form) : null;

/** The fields of a booking beside the booker's own. */
const chosen = z.object({ service: booked.shape.service, terms: termsShown, people: booked.shape.people });

/**
 * Books for whoever sends the form.
 * @param form which form it is: a browser has one session for each
 * @returns the path of the booking's personal link
 */
export async function bookByForm(
  context: Authorized<'anyone'>,
  wanted: Wanted,
  form: string,
  typed: Typed,
): Promise<string> {
  const { db, actor, now, links, viewer } = context;
  const choice = parse(chosen, fields(typed));
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const [account, origin] = await Promise.all([viewer(), originOf(context)]);
  if (account?.role === 'Provider') throw new DomainError('forbidden', msg`Providers can’t book. Log in as a client.`);
  if (actor && account) {
    const { email, phone, address } = parse(clientContact, fields(typed));
    if (email && isGuest(account)) await keepEmail(db, actor, email, now);
    const request = { ...wanted, ...choice, submitted, requireAnswers: true, phone, address };
    const { linkSource } = await bookAppointment(db, actor, request, now, origin);
    return bookingPath(links, linkSource ?? '');
  }
  const guest = await guestOfForm(context, typed, form);
  const made = await bookAsNewGuest(
    db,
    { ...guest, ...arrivalOf(context), origin, wanted, ...choice, details: fields(typed), submitted },
    now,
  );
  if (made.actor) await setGuestSession(context, made.actor);
  return bookingPath(links, made.linkSource);
}
