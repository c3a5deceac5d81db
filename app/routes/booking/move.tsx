import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData, useParams } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Facts, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { Moment } from '../../components/Time';
import { titled } from '../../components/titled';
import type { Actor } from '../../domain/accounts/accounts';
import { cancellation, openSlotFilter } from '../../domain/appointments/appointments';
import { getByKey } from '../../domain/appointments/bookers.server';
import { isChangeable, tooLateWords } from '../../domain/appointments/deadline';
import { moveAppointment } from '../../domain/appointments/moving.server';
import { listDatesBeside, listOpenDates } from '../../domain/appointments/open-dates.server';
import { type FreeTime, findOpenSlot, listFreeTimes } from '../../domain/appointments/open-slots.server';
import { listOwnOpenSlots } from '../../domain/appointments/own-open-slots.server';
import { getAppointment } from '../../domain/appointments/reading.server';
import { alreadyThere } from '../../domain/appointments/refusals';
import { status } from '../../domain/appointments/status';
import { parse } from '../../domain/input/fields';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import type { LocalDate } from '../../domain/time/clock';
import { isMonth, type Month, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { fields } from '../../http/form.server';
import type { Authorized } from '../../http/guards.server';
import { answerForm, answerPage } from '../../http/page.server';
import { ChooseOtherTime } from './ChooseOtherTime';
import { ConfirmMove } from './ConfirmMove';

export const meta = titled('Move an appointment');

type Context = Authorized<'anyone'>;
type Params = { id?: string; key?: string; to?: string };

/** Where the screens of one move are, and where it leads: by a personal link, or for whoever is logged in. */
const pathsOf = ({ id, key }: Params, isProvider: boolean) => ({
  here: key ? `/booking/${key}/move` : `/move/${id}`,
  back: (slot: string) => (key ? `/booking/${key}` : `/${isProvider ? 'view-provider' : 'details-cancel'}/${slot}`),
});

/** The appointment, as whoever opened this address has it. */
const subjectOf = async ({ db }: Context, actor: Actor | null, { id = '', key }: Params) =>
  key ? (await getByKey(db, key)).appointment : getAppointment(db, actor as Actor, id);

type Times = { times: FreeTime[]; hasMore: boolean; page: number };
type Days = { days: LocalDate[]; dates: LocalDate[]; month: Month | undefined; isMissing: boolean };

/** What may be chosen: a provider's own open slots, or days and times as whoever books finds them. */
async function choices(
  { db, now }: Context,
  actor: Actor | null,
  { id }: Params,
  query: URLSearchParams,
): Promise<Times | Days> {
  const filter = { page: query.get('page') ?? undefined, dates: query.getAll('dates').join(' ') };
  const { page, dates } = parse(openSlotFilter, filter);
  if (actor?.role === 'Provider') {
    const { rows, hasMore } = await listOwnOpenSlots(db, actor, page, now);
    return {
      times: rows.map(({ id, startsAt, endsAt, date, timeZone }) => ({ id, startsAt, endsAt, date, timeZone })),
      hasMore,
      page,
    };
  }
  const provider = query.get('provider') ?? '';
  const wanted = query.get('month') ?? '';
  if (dates && !wanted) {
    const { rows, hasMore } = await listFreeTimes(db, { provider, dates, page }, now);
    return { times: rows, hasMore, page };
  }
  const days = id ? await listDatesBeside(db, id, now) : await listOpenDates(db, provider, now);
  return {
    days,
    dates: dates ?? [],
    month: isMonth(wanted) ? wanted : undefined,
    isMissing: query.has('show') && !wanted,
  };
}

async function show(context: Context, actor: Actor | null, params: Params, url: URL) {
  const { db, now } = context;
  const isProvider = actor?.role === 'Provider';
  const { here, back } = pathsOf(params, isProvider);
  const [appointment, other, template, chosen] = await Promise.all([
    subjectOf(context, actor, params),
    params.to ? findOpenSlot(db, params.to) : undefined,
    params.to ? findTemplateOfSlot(db, params.to) : undefined,
    params.to ? undefined : choices(context, actor, params, url.searchParams),
  ]);
  const { id, provider, startsAt, templateId, timeZone } = appointment;
  // A personal link goes along, so one that is at that time already has just been moved there.
  const isThere = params.to === id;
  if (appointment.status !== status.booked || (isThere && params.key)) throw redirect(back(appointment.movedTo ?? id));
  const isOthers = !isProvider && url.searchParams.get('provider') !== provider;
  if (!params.to && isOthers && (params.key || url.searchParams.has('dates')))
    throw redirect(`${here}?provider=${encodeURIComponent(provider)}`);
  const mayMove = startsAt > now && (isProvider || isChangeable(appointment, now));
  const target = other?.provider === provider && other.startsAt > now ? other : undefined;
  const isAsking = !isProvider && target !== undefined && target.templateId !== templateId;
  return {
    appointment,
    other: target,
    isThere,
    template: isAsking && template?.questions.length ? template : undefined,
    chosen:
      chosen && 'days' in chosen
        ? { ...chosen, month: chosen.month ?? monthOf(chosen.days[0] ?? todayIn(timeZone, now)) }
        : chosen,
    today: todayIn(timeZone, now),
    refusal: mayMove ? undefined : startsAt > now ? tooLateWords(appointment) : 'This appointment has already started.',
    isProvider,
    path: here,
    back: back(id),
  };
}

const byId = answerPage('member', (context, { params, url }) => show(context, context.actor, params, url));
const byKey = answerPage('anyone', (context, { params, url }) => show(context, null, params, url));
export const loader = (args: LoaderFunctionArgs) => (args.params.key ? byKey(args) : byId(args));

const moveById = answerForm('member', async ({ db, actor, now }, typed, { params: { id = '', to = '' } }) => {
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const { reason } = parse(cancellation, fields(typed));
  await moveAppointment(db, actor, { id, to, submitted, reason }, now);
  const { back } = pathsOf({ id }, actor.role === 'Provider');
  return redirect(`${back(to)}?moved=yes`, 303);
});
const moveByKey = answerForm('anyone', async ({ db, now }, typed, { params: { key = '', to = '' } }) => {
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const { appointment, holder } = await getByKey(db, key);
  if (appointment.id !== to)
    await moveAppointment(db, holder, { id: appointment.id, to, submitted, reason: null }, now);
  return redirect(`/booking/${key}?moved=yes`, 303);
});
export const action = (args: LoaderFunctionArgs) => (args.params.key ? moveByKey(args) : moveById(args));

export default function MovePage() {
  const { appointment, other, isThere, template, chosen, today, refusal, isProvider, path, back } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { to } = useParams();
  const { startsAt, timeZone, providerName, bookerName } = appointment;
  const who = isProvider ? bookerName : providerName;
  return (
    <Page title="Move an appointment" subtitle={who ?? undefined}>
      <ErrorSummary refused={refused} />
      <Card title="As it is">
        <Facts
          facts={[
            [isProvider ? 'Booked by' : 'Provider', <bdi key="who">{who}</bdi>],
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
      {!refusal && other && <ConfirmMove {...{ other, template, refused, isProvider, bookerName, here: path }} />}
      {!refusal && to && !other && !(isThere && refused) && (
        <Notice tone="warn" title={isThere ? alreadyThere : 'That time is not free any more.'}>
          <div>
            <ButtonLink to={path}>Choose another time</ButtonLink>
          </div>
        </Notice>
      )}
      {!refusal && chosen && (
        <ChooseOtherTime {...{ chosen, today, path, timeZone, provider: appointment.provider, isProvider }} />
      )}
    </Page>
  );
}
