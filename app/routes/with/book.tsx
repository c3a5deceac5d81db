import { msg } from '@lingui/core/macro';
import { json, type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { useRefusal } from '../../components/forms/refusal';
import { i18nOfPage } from '../../components/frame/page-language';
import { plainTitle, tabTitle } from '../../components/frame/titled';
import { findBookable } from '../../domain/bookings/bookable.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { findUnavailableTime, type UnavailableTime } from '../../domain/bookings/nearest-times.server';
import { findReachedLimit } from '../../domain/bookings/reached-limit.server';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { actorOf } from '../../domain/guests/guests.server';
import { fold } from '../../domain/input/fold';
import { bookingPath } from '../../domain/links.server';
import { notFound } from '../../domain/not-found';
import { listOfferedAt } from '../../domain/services/services.server';
import { asBookedFor, servicesAt } from '../../domain/slots/services-at';
import { worded } from '../../domain/words/worded';
import { statuses } from '../../http/errors.server';
import { checkForm, formToken } from '../../http/form-token.server';
import type { Authorized } from '../../http/guards.server';
import { setGuestSession } from '../../http/login.server';
import { knowBrowser, sessionOfForm } from '../../http/own-form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { BookingForm } from './BookingForm';
import { bookByForm, tokenOfNearest } from './booking-form.server';
import { readerOf } from './booking-reader.server';
import { PublicJustGone } from './PublicJustGone';
import { bookingFormPath } from './paths';

export const handle = { isLetter: true };

export const meta = ({ data }: MetaArgs<typeof loader>) => [
  {
    title: data?.unavailable
      ? plainTitle(msg`Just gone`, data)
      : tabTitle(bookWith(data?.form?.appointment.providerName), data),
  },
  { name: 'description', content: worded(i18nOfPage(data), msg`One free time, and the form that books it.`) },
  { name: 'robots', content: 'noindex' },
];

const bookWith = (provider?: string) => (provider ? msg`Book with ${provider}` : msg`Book with us`);

type Context = Authorized<'anyone'>;

/**
 * Which form it is, for its token and for the guest that it makes. The provider is in it: at another one's address the token is not
 * good.
 */
const formOf = (username: string, slotId: string) => `book ${fold(username.trim())} ${slotId}`;

const show = pageLoader('anyone', async (context, { params: { id = '', username = '' }, url }) => {
  const serviceId = url.searchParams.get('service');
  const { db, actor, now, viewer, links, refusalCode } = context;
  const isConflict = refusalCode === 'conflict';
  const sessionId = actor ? null : await sessionOfForm(context, formOf(username, id));
  const [found, offered, template, unavailable, account, limit] = await Promise.all([
    findBookable(db, id, actor ?? (sessionId ? { sessionId } : null)),
    listOfferedAt(db, id),
    findTemplateOfSlot(db, id, serviceId),
    findUnavailableTime(db, id, now, { service: serviceId, isRefused: isConflict }),
    viewer(),
    actor && findReachedLimit(db, { id, accountId: actor.accountId }, now),
  ]);
  if (!found || fold(found.appointment.provider) !== fold(username.trim())) throw notFound('free time');
  const { openTo, askEmail, askPhone, providerId, linkSource } = found;
  const ownBooking = await toOwnBooking(context, found, sessionId);
  if (ownBooking) throw ownBooking;
  if (account && linkSource) throw redirect(bookingPath(links, linkSource));
  if (!account) await knowBrowser(context);
  if (unavailable)
    return { form: null, unavailable: { ...unavailableTimeWords(context, unavailable), id, service: serviceId } };
  const services = servicesAt(found.appointment, offered);
  const [only] = services;
  if (only && services.length === 1 && serviceId === null) throw redirect(bookingFormPath(username, id, only.id));
  const service = services.find((candidate) => candidate.id === serviceId) ?? null;
  const appointment = service ? asBookedFor(found.appointment, service) : found.appointment;
  const token = formToken(context, formOf(username, id));
  const canChange = isChangeable(appointment, now);
  return {
    form: {
      appointment,
      services: service ? [] : services,
      service: service?.id ?? null,
      canChange,
      openTo,
      askEmail,
      askPhone,
      template: template ?? null,
      reader: readerOf(account, { providerId, askEmail, limit }),
      token,
    },
    unavailable: null,
  };
});

/** Where to send a browser that has booked this time and never got the response; null for all others. */
async function toOwnBooking(
  context: Context,
  { bookerId, linkSource }: Awaited<ReturnType<typeof findBookable>> & object,
  sessionId: string | null,
) {
  if (!sessionId || !bookerId || !linkSource) return null;
  await setGuestSession(context, actorOf({ id: bookerId, edgeZone: context.edge.timeZone }, sessionId));
  return redirect(bookingPath(context.links, linkSource), 303);
}

const unavailableTimeWords = (context: Context, { refusal, nearest, ...unavailable }: UnavailableTime) => ({
  message: refusal.faults[0]?.message ?? '',
  ...unavailable,
  nearest: nearest.map((slot) => ({
    slot,
    token: tokenOfNearest(context, formOf(unavailable.provider, slot.id)),
  })),
});

/** A link to a time that is gone gives the same page as a form for it. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.unavailable ? statuses.conflict : 200 });
}

/** Books, for a stranger as a new guest; the personal link is where one sees what one has. */
export const action = formAction('anyone', async (context, typed, { params: { id = '', username = '' } }) => {
  const form = formOf(username, id);
  try {
    checkForm(context, typed, form);
  } catch (error) {
    const slot = await findBookable(context.db, id, null);
    throw slot && fold(slot.appointment.provider) === fold(username.trim()) ? error : notFound('free time');
  }
  return redirect(await bookByForm(context, { id }, form, typed), 303);
});

export default function BookWith() {
  const { form, unavailable } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  if (unavailable) return <PublicJustGone {...unavailable} typed={refused?.typed} />;
  return <BookingForm {...form} refused={refused} />;
}
