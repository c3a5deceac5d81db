import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Facts, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Select } from '../../components/forms/Field';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { Moment } from '../../components/times/Time';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { DomainError, invalid } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { findWays } from '../../domain/messages/ways.server';
import { findRecord } from '../../domain/people/people.server';
import type { Actor } from '../../domain/profile/accounts';
import { bookSeries } from '../../domain/series/book-series.server';
import { previewSeries } from '../../domain/series/preview.server';
import { lastDayOf, nextDayAfter, seriesLength, seriesPlan, seriesRequest } from '../../domain/series/series';
import { addDays, isLocalDate, wireDate } from '../../domain/time/clock';
import { onceOf } from '../../http/form.server';
import type { Authorized } from '../../http/guards.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { BookDates } from './BookDates';
import { type Ends, SeriesEnd } from './SeriesEnd';

export const meta = titled('The same time again');

type Context = Authorized<'anyone'>;
type Params = { id?: string; key?: string };

/** Reads the appointment for the owner of a personal link, or for a reader who is logged in. */
async function subjectOf({ db, links }: Context, actor: Actor | null, { id = '', key }: Params) {
  if (!key) return { appointment: await getAppointment(db, actor as Actor, id), who: actor as Actor };
  const { appointment, owner } = await getByKey(db, links, key);
  return { appointment, who: owner };
}

/** The service to book again: the one of the booking, or of the open slot. */
const serviceOf = ({ service }: { service: { id: string } | null }) => service?.id ?? null;

const pathsOf = ({ id = '', key }: Params, isProvider: boolean) => ({
  here: key ? paths.bookingAgain(key) : paths.again(id),
  back: key ? paths.booking(key) : isProvider ? paths.providerView(id) : paths.appointment(id),
});

async function show(context: Context, actor: Actor | null, params: Params, { searchParams }: URL) {
  const { db, now, hasMail } = context;
  const isProvider = actor?.role === 'Provider';
  const [{ appointment, who }, record, ways] = await Promise.all([
    subjectOf(context, actor, params),
    isProvider && actor ? findRecord(db, actor, params.id ?? '') : undefined,
    isProvider ? findWays(db, params.id ?? '', hasMail) : undefined,
  ]);
  const paths = pathsOf(params, isProvider);
  if (appointment.status === status.canceled) throw redirect(paths.back);
  // An address without `ends` has a last day or nothing.
  const isAsked = searchParams.has('until') || searchParams.has('times');
  const ends: Ends =
    (searchParams.get('ends') ?? (searchParams.has('until') ? 'until' : 'times')) === 'until' ? 'until' : 'times';
  const chosen = {
    every: searchParams.get('every') ?? '7',
    ends,
    times: searchParams.get('times') ?? '',
    until: searchParams.get('until') ?? '',
  };
  // If the appointment is over, the series begins at its next date.
  const isOver = appointment.status === status.booked && appointment.startsAt <= now;
  const from = isOver ? nextDayAfter(appointment, now) : undefined;
  const shown = {
    appointment,
    isOver,
    ...paths,
    chosen,
    person: searchParams.get('person') ?? record?.id ?? null,
    isProvider,
    told: record && ways ? { way: ways.bookedWay, phone: appointment.bookerPhone ?? record.phone } : null,
    isAsked,
    usualUntil: addDays(from ?? appointment.date, 8 * 7),
    preview: null,
    problem: null,
  };
  if (!isAsked) return shown;
  if (ends === 'until' && !isLocalDate(chosen.until)) return { ...shown, problem: 'Choose the last day.' };
  try {
    const until =
      ends === 'until' ? chosen.until : lastDayOf(appointment.date, { ...parse(seriesLength, chosen), from });
    const input = {
      id: appointment.id,
      every: chosen.every,
      until: wireDate(until),
      service: serviceOf(appointment),
      people: appointment.people ?? 1,
    };
    return { ...shown, preview: await previewSeries(db, who, { ...parse(seriesPlan, input), from }, now) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return { ...shown, problem: error.message };
  }
}

const byId = pageLoader('member', (context, { params, url }) => show(context, context.actor, params, url));
const byKey = pageLoader('anyone', (context, { params, url }) => show(context, null, params, url));
export const loader = (args: LoaderFunctionArgs) => (args.params.key ? byKey(args) : byId(args));

async function book(context: Context, actor: Actor | null, typed: Record<string, string[]>, params: Params) {
  const { db, now, links } = context;
  const { appointment, who } = await subjectOf(context, actor, params);
  const ids = (typed.ids ?? []).filter((id) => id !== '');
  const isOwn = appointment.status === status.booked;
  if (ids.every((id) => isOwn && id === appointment.id))
    throw invalid(null, 'None of these dates is free. Choose others.');
  const request = parse(seriesRequest, {
    ids,
    service: serviceOf(appointment),
    people: appointment.people ?? 1,
    personId: typed.person?.[0] ?? null,
    // The answers of the first appointment serve for all that ask the same questions.
    formData: isOwn && appointment.answers.length > 0 ? appointment.answers : null,
  });
  const [first] = await bookSeries(db, who, request, {
    links,
    key: onceOf(typed),
    now,
    origin: await originOf(context),
  });
  const isProvider = actor?.role === 'Provider';
  const { back } = pathsOf({ ...params, id: first?.id ?? params.id }, isProvider);
  return redirect(`${back}?series=booked`, 303);
}
const bookById = formAction('member', (context, typed, { params }) => book(context, context.actor, typed, params));
const bookByKey = formAction('anyone', (context, typed, { params }) => book(context, null, typed, params));
export const action = (args: LoaderFunctionArgs) => (args.params.key ? bookByKey(args) : bookById(args));

const everyWords: Record<string, string> = {
  '7': 'Every week',
  '14': 'Every two weeks',
  '21': 'Every three weeks',
  '28': 'Every four weeks',
};

export default function Again() {
  const { appointment, isOver, here, back, chosen, person, isProvider, told, isAsked, usualUntil, preview, problem } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const otherName = isProvider ? appointment.bookerName : appointment.providerName;
  const faults = problem ? { faults: [{ field: chosen.ends, message: problem }], typed: {} } : undefined;
  return (
    <Page title="The same time again" subtitle={otherName ?? undefined} breaksAnywhere>
      <ErrorSummary refused={refused ?? faults} />
      <Card>
        <Facts
          facts={[
            [
              isOver ? 'Last time' : 'First',
              <Moment key="first" at={appointment.startsAt} zone={appointment.timeZone} isFull />,
            ],
            ...(appointment.service ? ([['What', appointment.service.name]] as [string, string][]) : []),
          ]}
        />
        <form method="get" action={here} noValidate className="grid max-w-xl gap-5">
          {person && <input type="hidden" name="person" value={person} />}
          <Select name="every" label="How often" defaultValue={chosen.every}>
            {Object.entries(everyWords).map(([days, words]) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </Select>
          <SeriesEnd {...{ chosen, isAsked, usualUntil }} isFirstCounted={!isOver} refused={faults} />
          <div>
            <Button quiet={preview !== null}>Show the dates</Button>
          </div>
        </form>
      </Card>
      {preview && isProvider && !person && (
        <Notice tone="warn" title="Choose for whom: open the card of one of your people, and book from there.">
          <div>
            <ButtonLink quiet to={paths.people()}>
              People
            </ButtonLink>
          </div>
        </Notice>
      )}
      {preview && (!isProvider || person) && (
        <Card title={everyWords[chosen.every]}>
          <PostForm className="grid gap-5">
            {person && <input type="hidden" name="person" value={person} />}
            <BookDates
              dates={preview.dates}
              timeZone={preview.timeZone}
              startsAt={isOver ? null : preview.startsAt}
              bookedId={appointment.status === status.booked ? appointment.id : null}
              refused={refused}
            />
            <p className="text-muted">
              All of them are booked in one step, or none if one is gone by then.{' '}
              {told && <HowTold name={otherName ?? ''} {...told} />}
            </p>
          </PostForm>
        </Card>
      )}
      <p>
        <TextLink to={back}>Back to the appointment</TextLink>
      </p>
    </Page>
  );
}
