import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData, useParams } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Facts, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Moment } from '../../components/times/Time';
import { type Appointment, cancellation } from '../../domain/bookings/appointments';
import { isChangeable, tooLateWords } from '../../domain/bookings/deadline';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { moveAppointment } from '../../domain/bookings/move.server';
import { getAppointment } from '../../domain/bookings/read.server';
import { alreadyThere } from '../../domain/bookings/refusals';
import { status } from '../../domain/bookings/status';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { listNearestTo, readMoveChoice } from '../../domain/calendar/move-choice.server';
import { findHours } from '../../domain/hours/hours.server';
import { isWanted } from '../../domain/hours/planned-slots';
import { parse } from '../../domain/input/fields';
import { findWays, findWaysByLink } from '../../domain/messages/ways.server';
import { findRecord } from '../../domain/people/people.server';
import type { Actor } from '../../domain/profile/accounts';
import { findMoveTarget } from '../../domain/slots/open-slots.server';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { parseWireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { fields } from '../../http/form.server';
import type { Authorized } from '../../http/guards.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { ConfirmMove } from './ConfirmMove';
import { MoveForm, OtherDays } from './OtherTimes';

export const meta = titled('Move an appointment');

type Context = Authorized<'anyone'>;
type Params = { id?: string; key?: string; to?: string };

/** The addresses for a move, by a personal link or for a reader who is logged in. */
const pathsOf = ({ id = '', key }: Params, isProvider: boolean) => ({
  here: key ? paths.moveBooking(key) : paths.move(id),
  back: (slot: string) => (key ? paths.booking(key) : isProvider ? paths.providerView(slot) : paths.appointment(slot)),
});

/** Reads the appointment for the owner of a personal link, or for a reader who is logged in. */
const subjectOf = async ({ db, links }: Context, actor: Actor | null, { id = '', key }: Params) =>
  key ? (await getByKey(db, links, key)).appointment : getAppointment(db, actor as Actor, id);

async function show(context: Context, actor: Actor | null, params: Params, url: URL) {
  const { db, now, hasMail } = context;
  const isProvider = actor?.role === 'Provider';
  const { here, back } = pathsOf(params, isProvider);
  const { id: addressId = '', key, to } = params;
  const month = url.searchParams.get('month') ?? '';
  const day = parseWireDate(url.searchParams.get('day') ?? '') ?? undefined;
  const shown = { isOwn: isProvider, month: isMonth(month) ? month : undefined, day };
  const [appointment, other, template, hours, choice, nearestToLost, ways, record] = await Promise.all([
    subjectOf(context, actor, params),
    to ? findMoveTarget(db, to) : undefined,
    to ? findTemplateOfSlot(db, to) : undefined,
    isProvider && actor ? findHours(db, actor) : undefined,
    to ? undefined : readMoveChoice(db, key ? { key } : { id: addressId }, shown, now),
    to ? listNearestTo(db, to, isProvider, now) : [],
    key ? findWaysByLink(db, key, hasMail, 'moved') : findWays(db, addressId, hasMail, 'moved'),
    isProvider && actor ? findRecord(db, actor, addressId) : undefined,
  ]);
  const { id, provider, startsAt, templateId, date } = appointment;
  // A personal link opens the booking wherever it is. If it is at the wanted time already, it has just moved there.
  const isThere = to === id;
  if (appointment.status !== status.booked || (isThere && key)) throw redirect(back(appointment.movedTo ?? id));
  const mayMove = startsAt > now && (isProvider || isChangeable(appointment, now));
  const isTheirs = other?.provider === provider && other.startsAt > now;
  const target =
    isTheirs && (other.partOf === null || other.partOf === startsAt) ? asMoved(other, appointment) : undefined;
  const isAsking = !isProvider && target !== undefined && target.templateId !== templateId;
  const isOfDay = choice !== undefined && day !== undefined;
  return {
    appointment,
    other: target,
    isThere,
    template: isAsking && template?.questions.length ? template : undefined,
    times: isOfDay ? choice.times : (choice?.nearest ?? nearestToLost.filter((time) => time.provider === provider)),
    day: isOfDay ? day : null,
    isClosed: isOfDay && choice.isClosed,
    days: choice && { days: choice.days, edges: choice.edges, month: shown.month ?? monthOf(date) },
    refusal: mayMove ? undefined : startsAt > now ? tooLateWords(appointment) : 'This appointment has already started.',
    isProvider,
    isTimeWanted: hours !== undefined && isWanted(hours, appointment, now),
    ways: { toBooker: ways?.toBooker ?? 'call', toProvider: ways?.toProvider ?? 'news' },
    phone: isProvider ? (appointment.bookerPhone ?? record?.phone ?? null) : null,
    path: here,
    back: back(id),
  };
}

/** The new time as the booking will have it: in free time it keeps its length. */
const asMoved = (slot: Appointment, { startsAt, endsAt, service }: Appointment): Appointment => ({
  ...slot,
  service,
  endsAt: slot.service?.id === service?.id ? slot.endsAt : slot.startsAt + endsAt - startsAt,
});

const byId = pageLoader('member', (context, { params, url }) => show(context, context.actor, params, url));
const byKey = pageLoader('anyone', (context, { params, url }) => show(context, null, params, url));
export const loader = (args: LoaderFunctionArgs) => (args.params.key ? byKey(args) : byId(args));

const moveById = formAction('member', async ({ db, actor, now }, typed, { params: { id = '', to = '' } }) => {
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const { reason } = parse(cancellation, fields(typed));
  const republish = typed.republish?.[0] === 'true';
  await moveAppointment(db, actor, { id, to, submitted, reason, republish }, now);
  const { back } = pathsOf({ id }, actor.role === 'Provider');
  return redirect(`${back(to)}?moved=yes`, 303);
});
const moveByKey = formAction('anyone', async ({ db, now, links }, typed, { params: { key = '', to = '' } }) => {
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const { appointment, owner } = await getByKey(db, links, key);
  if (appointment.id !== to) await moveAppointment(db, owner, { id: appointment.id, to, submitted, reason: null }, now);
  return redirect(paths.booking(key, { moved: 'yes' }), 303);
});
export const action = (args: LoaderFunctionArgs) => (args.params.key ? moveByKey(args) : moveById(args));

export default function MovePage() {
  const {
    appointment,
    other,
    isThere,
    template,
    times,
    day,
    days,
    refusal,
    isProvider,
    isTimeWanted,
    isClosed,
    ways,
    phone,
    path,
    back,
  } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { to } = useParams();
  const { startsAt, timeZone, templateId, providerName, bookerName } = appointment;
  const otherName = isProvider ? bookerName : providerName;
  const answered = isProvider ? null : { templateId };
  const recipient = { name: otherName ?? '', way: isProvider ? ways.toBooker : ways.toProvider, phone };
  const form = {
    times,
    day,
    isClosed,
    to: (id: string) => `${path}/${id}`,
    answered,
    isTimeWanted,
    refused,
    recipient,
    isProvider,
  };
  return (
    <Page title="Move an appointment" subtitle={otherName ?? undefined}>
      <ErrorSummary refused={refused} />
      <Card title="As it is">
        <Facts
          facts={[
            [isProvider ? 'Booked by' : 'Provider', <bdi key="who">{otherName}</bdi>],
            ...(appointment.service ? ([['Service', appointment.service.name]] as [string, string][]) : []),
            ['When', <Moment key="when" at={startsAt} zone={timeZone} isFull />],
          ]}
        />
        <div>
          <ButtonLink quiet to={back}>
            Keep it as it is
          </ButtonLink>
        </div>
      </Card>
      {refusal && <Notice tone="warn" title={refusal} />}
      {!refusal && other && (
        <ConfirmMove {...{ other, template, refused, isProvider, isTimeWanted, bookerName, phone, here: path, ways }} />
      )}
      {!refusal && to && !other && (
        <>
          {!refused && <Notice tone="warn" title={isThere ? alreadyThere : 'That time is not free any more.'} />}
          {times.length > 0 && <MoveForm {...form} />}
          <div>
            <ButtonLink to={path}>Choose another time</ButtonLink>
          </div>
        </>
      )}
      {!refusal && days && (
        <>
          <MoveForm {...form} />
          <OtherDays
            {...days}
            title="Other days"
            path={({ month, day }) => `${path}?month=${month}${day ? `&day=${day}` : ''}`}
            day={day}
          />
        </>
      )}
    </Page>
  );
}
