import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { AnswerTable } from '../../components/AnswerTable';
import { AppointmentFacts, Name } from '../../components/AppointmentFacts';
import { Cancellation, StatusBadge } from '../../components/AppointmentLine';
import { ButtonLink, TextLink } from '../../components/Button';
import { CancelForm } from '../../components/CancelForm';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { Page } from '../../components/Page';
import { useRefusals } from '../../components/refusal';
import { titled } from '../../components/titled';
import { walkIn } from '../../domain/accounts/guests';
import { type Appointment, cancellation } from '../../domain/appointments/appointments';
import { cancelAppointment } from '../../domain/appointments/bookings.server';
import { change, changed } from '../../domain/appointments/changing';
import { changeOpenSlots } from '../../domain/appointments/changing.server';
import { codeWords } from '../../domain/appointments/claim-codes';
import { getOwnSlot } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import {
  bookFor,
  findMadeLink,
  replaceBookingLink,
  setNote,
  walkInOf,
} from '../../domain/appointments/walk-ins.server';
import { type Came, cameWords } from '../../domain/calendar/came';
import { findRecord } from '../../domain/calendar/people.server';
import { invalid } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { bookingPath } from '../../domain/links.server';
import { findTemplateOfSlot, listNamesForOpen } from '../../domain/templates/templates.server';
import { minute } from '../../domain/time/clock';
import { fields, onceOf } from '../../http/form.server';
import { formToken, isShownLately } from '../../http/form-token.server';
import { answerForm, answerPage } from '../../http/page.server';
import { ChangeOpen } from './ChangeOpen';
import { ForSomeone } from './ForSomeone';
import { ForYou } from './ForYou';
import { MadeLink } from './MadeLink';

export const meta = titled('Appointment');

/** How long a link stays on show after it was made, in milliseconds. */
const onShow = 10 * minute;
/** What the word in the address is for that lets a link be shown. */
const linkOf = (id: string) => `link of ${id}`;

export const loader = answerPage('Provider', async (context, { params: { id = '' }, url }) => {
  const { db, actor, now, links } = context;
  const isMade = isShownLately(context, url.searchParams.get('made') ?? '', linkOf(id), onShow);
  const [appointment, template, made, record, templates] = await Promise.all([
    getOwnSlot(db, actor, id),
    findTemplateOfSlot(db, id),
    isMade ? findMadeLink(db, links, actor, id) : null,
    findRecord(db, actor, id),
    listNamesForOpen(db, actor, id),
  ]);
  if (appointment.movedTo) throw redirect(`/view-provider/${appointment.movedTo}`);
  return {
    record,
    appointment,
    isAhead: appointment.startsAt > now,
    questions: template?.questions ?? [],
    madeLink: made && {
      link: url.origin + bookingPath(links, made.seed),
      code: made.code && codeWords(made.code),
      at: `${url.host}/claim`,
    },
    templates,
    changed: url.searchParams.get('changed'),
    isMoved: url.searchParams.has('moved'),
    isSaved: url.searchParams.has('saved'),
  };
});

export const action = answerForm('Provider', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now, links } = context;
  const showLink = () => redirect(`/details-provider/${id}?made=${formToken(context, linkOf(id))}`, 303);
  switch (typed.intent?.[0]) {
    case 'book-for': {
      const who = { id, ...parse(walkIn, fields(typed)), key: await onceOf(typed) };
      await bookFor(db, actor, id, walkInOf(links, actor, who), now);
      return showLink();
    }
    case 'new-link': {
      const link = links.make();
      await replaceBookingLink(db, actor, { id, link, codeHash: links.codeHashOf(link.seed) }, now);
      return showLink();
    }
    case 'change': {
      const sent = fields(typed);
      const { for: scope = 'slot' } = parse(changed, { ...sent, id });
      const count = await changeOpenSlots(db, actor, { id, scope, ...parse(change, sent) }, now);
      return redirect(`/details-provider/${id}?changed=${count}`, 303);
    }
    case 'note':
      await setNote(db, actor, { id, ...parse(z.object({ note: walkIn.shape.note }), fields(typed)) }, now);
      return redirect(`/details-provider/${id}?saved=note`, 303);
    // What the page is for, so whoever sends nothing means that.
    case undefined:
    case 'cancel':
      await cancelAppointment(db, actor, { id, ...parse(cancellation, fields(typed)) }, now);
      return redirect(`/view-booked?canceled=${id}`, 303);
    default:
      throw invalid(null, 'Say what to do with this appointment.');
  }
});

export default function Details() {
  const { record, appointment, isAhead, questions, templates, changed, madeLink, isMoved, isSaved } =
    useLoaderData<typeof loader>();
  const isOwed = questions.length > 0 && appointment.answeredAt === null;
  const { refused, refusedFor } = useRefusals();
  const { id, bookerName, answers } = appointment;
  return (
    <Page title="Appointment" subtitle={bookerName ?? undefined}>
      <ErrorSummary refused={refused} />
      {isMoved && !refused && <Notice tone="good" title={`It is moved. ${bookerName} is told.`} />}
      {isSaved && !refused && <Notice tone="good" title="Your note is saved." />}
      {changed !== null && !refused && <Changed count={Number(changed)} />}
      {madeLink && <MadeLink {...madeLink} appointment={appointment} />}
      <Card>
        <div className="grid justify-items-start gap-2">
          <StatusBadge {...appointment} />
          {appointment.canceledAt !== null && (
            <Cancellation
              at={appointment.canceledAt}
              by={appointment.canceledBy === 'provider' ? 'you' : (bookerName ?? '')}
              isWithdrawn={bookerName === null}
              reason={appointment.cancelReason}
            />
          )}
        </div>
        <AppointmentFacts
          appointment={appointment}
          more={[
            ...(bookerName ? ([['Booked by', <Who key="booker" {...appointment} />]] as [string, ReactNode][]) : []),
            ...(record ? ([['With you', <Record key="record" {...record} />]] as [string, ReactNode][]) : []),
          ]}
        />
        {answers.length > 0 && <AnswerTable answers={answers} questions={questions} />}
        {isOwed && bookerName && <p className="text-muted">The questions are not answered yet.</p>}
        <div className="flex flex-wrap gap-3">
          {appointment.status === status.booked && isAhead && (
            <CancelForm button="Cancel Appointment" question="Cancel this appointment?" refused={refusedFor('cancel')}>
              {`${bookerName} is told, with your reason. Nobody else can book its time.`}
            </CancelForm>
          )}
          {appointment.status === status.booked && isAhead && (
            <ButtonLink quiet to={`/move/${id}`}>
              Move
            </ButtonLink>
          )}
          {appointment.status === status.open && isAhead && (
            <CancelForm button="Withdraw this slot" question="Withdraw this slot?" refused={refusedFor('cancel')}>
              Nobody can book its time any more.
            </CancelForm>
          )}
          {bookerName && (
            <ButtonLink quiet to={`/appointments/${id}/daybook.ics`} isFile>
              {appointment.status === status.canceled ? 'Remove from calendar' : 'Add to calendar'}
            </ButtonLink>
          )}
        </div>
      </Card>
      {appointment.status === status.open && isAhead && <ForSomeone refused={refusedFor('book-for')} />}
      {appointment.status === status.open && isAhead && (
        <ChangeOpen {...{ appointment, templates }} refused={refusedFor('change')} />
      )}
      {bookerName && <ForYou appointment={appointment} refusedFor={refusedFor} />}
    </Page>
  );
}

const Changed = ({ count }: { count: number }) => (
  <Notice
    tone="good"
    title={
      count === 1
        ? 'One open time has these notes and questions now.'
        : `${count} open times have these notes and questions now.`
    }
  />
);

/** Who has booked: a guest by name, with the address they gave. */
function Who({ bookerName, username, bookerEmail }: Pick<Appointment, 'bookerName' | 'username' | 'bookerEmail'>) {
  if (username) return <Name name={bookerName ?? username} username={username} />;
  return (
    <>
      <bdi>{bookerName}</bdi> (guest)
      {bookerEmail && (
        <a href={`mailto:${bookerEmail}`} className="block text-accent underline underline-offset-4">
          {bookerEmail}
        </a>
      )}
    </>
  );
}

/** How often this person came to the reader, with the way to all of it. */
const Record = ({ id, ...came }: Came & { id: string }) => (
  <>
    {cameWords(came) ?? 'Nothing is marked yet'} <TextLink to={`/people/${id}`}>All appointments</TextLink>
  </>
);
