import { json, type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { useRefusal } from '../../components/refusal';
import { tabTitle } from '../../components/titled';
import { isGuest } from '../../domain/accounts/accounts';
import { guestDetails } from '../../domain/accounts/guests';
import { keepEmail } from '../../domain/accounts/guests.server';
import { bookAppointment } from '../../domain/appointments/bookings.server';
import { bookAsGuest, findBookable } from '../../domain/appointments/guest-bookings.server';
import { findLate, type Late } from '../../domain/appointments/late.server';
import { DomainError, notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { fold } from '../../domain/input/fold';
import { bookingPath } from '../../domain/links.server';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { statuses } from '../../http/errors.server';
import { fields, onceOf, type Typed } from '../../http/form.server';
import { checkForm, formToken } from '../../http/form-token.server';
import type { Authorized } from '../../http/guards.server';
import { keepGuest, originOf } from '../../http/login.server';
import { answerForm, answerPage } from '../../http/page.server';
import { BookingForm, type Reader } from './BookingForm';
import { TooLate } from './TooLate';

export const handle = { isLetter: true };

export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(data?.late ? 'Just gone' : `Book with ${data?.form?.appointment.providerName ?? 'us'}`, data) },
  { name: 'description', content: 'One free time, and the form that books it.' },
  { name: 'robots', content: 'noindex' },
];

type Context = Authorized<'anyone'>;

/** Which form it is, for its signed word. */
const formOf = (slotId: string) => `book ${slotId}`;

const show = answerPage('anyone', async (context, { params: { id = '', username = '' } }) => {
  const { db, actor, now, viewer, links, hasActionData } = context;
  if (hasActionData) return { form: null, late: null };
  const [found, template, late, standing] = await Promise.all([
    findBookable(db, id, actor?.accountId ?? null),
    findTemplateOfSlot(db, id),
    findLate(db, id, now),
    viewer(),
  ]);
  if (!found || fold(found.appointment.provider) !== fold(username.trim())) throw notFound('free time');
  const { appointment, openTo, askEmail, providerId, linkSeed } = found;
  if (standing && linkSeed) throw redirect(bookingPath(links, linkSeed));
  if (late) return { form: null, late: lateWords(late) };
  const reader: Reader = standing && {
    displayName: standing.displayName,
    isProvider: standing.role === 'Provider',
    isOwn: standing.accountId === providerId,
    isGuest: isGuest(standing),
    needsEmail: isGuest(standing) && standing.email === null && askEmail === 'required',
  };
  const token = formToken(context, formOf(id));
  return { form: { appointment, openTo, askEmail, template: template ?? null, reader, token }, late: null };
});

const lateWords = ({ refusal: { message }, nearest, ...late }: Late, context?: Context) => ({
  message,
  ...late,
  nearest: nearest.map((slot) => ({ slot, token: context ? formToken(context, formOf(slot.id)) : null })),
});

/** A link to a time that is gone gives the same page as a form for it. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.late ? statuses.conflict : 200 });
}

/** Books, for a stranger as a new guest; the personal link is where one sees what one has. */
export const action = answerForm('anyone', async (context, typed, { params: { id = '' } }) => {
  checkForm(context, typed, formOf(id));
  try {
    const seed = await book(context, id, typed);
    return redirect(bookingPath(context.links, seed), 303);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    const late = await findLate(context.db, id, context.now);
    if (!late) throw error;
    context.hasActionData = true;
    return json({ late: { ...lateWords(late, context), typed } }, { status: statuses.conflict });
  }
});

/** Books the slot for whoever sends the form, and says the seed of the booking's link. */
async function book(context: Context, id: string, typed: Typed): Promise<string> {
  const { db, actor, now, links, edge, viewer } = context;
  const submitted = (questions: Question[]) => answersFromForm(questions, typed);
  const [standing, origin] = await Promise.all([viewer(), originOf(context)]);
  if (standing?.role === 'Provider') throw new DomainError('forbidden', 'Providers can’t book. Log in as a consumer.');
  if (actor && standing) {
    const { email } = parse(z.object({ email: guestDetails.shape.email }), fields(typed));
    if (email && isGuest(standing)) await keepEmail(db, actor, email, now);
    const request = { id, submitted, requireAnswers: true, link: links.make() };
    const { linkSeed } = await bookAppointment(db, actor, request, now, origin);
    return linkSeed ?? '';
  }
  const guestId = links.guestIdOf('book', id, await onceOf(typed));
  const { timeZone } = edge;
  const booked = await bookAsGuest(
    db,
    { id: guestId, edgeZone: timeZone, origin, slotId: id, details: fields(typed), submitted, link: links.make() },
    now,
  );
  await keepGuest(context, booked.actor);
  return booked.appointment.linkSeed ?? '';
}

export default function BookWith() {
  const { form, late } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const refused = useRefusal();
  if (actionData && 'late' in actionData) return <TooLate {...actionData.late} />;
  if (late) return <TooLate {...late} />;
  if (!form) return null;
  return <BookingForm {...form} refused={refused} />;
}
