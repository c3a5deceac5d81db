import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { AnswerTable } from '../../components/AnswerTable';
import { AppointmentFacts, Name } from '../../components/AppointmentFacts';
import { Cancellation, StatusBadge } from '../../components/AppointmentLine';
import { ButtonLink } from '../../components/Button';
import { CancelForm } from '../../components/CancelForm';
import { Card, Notice, RefusalNotice } from '../../components/Card';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { titled } from '../../components/titled';
import { type Appointment, cancellation } from '../../domain/appointments/appointments';
import { getOwnSlot } from '../../domain/appointments/appointments.server';
import { cancelAppointment } from '../../domain/appointments/bookings.server';
import { status } from '../../domain/appointments/status';
import { parse } from '../../domain/input/fields';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { fields } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = titled('Appointment');

export const loader = answerPage('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const [appointment, template] = await Promise.all([getOwnSlot(db, actor, id), findTemplateOfSlot(db, id)]);
  if (appointment.movedTo) throw redirect(`/view-provider/${appointment.movedTo}`);
  const isMoved = url.searchParams.has('moved');
  return { isMoved, appointment, isAhead: appointment.startsAt > now, questions: template?.questions ?? [] };
});

export const action = answerForm('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  await cancelAppointment(db, actor, { id, ...parse(cancellation, fields(typed)) }, now);
  return redirect(`/view-booked?canceled=${id}`, 303);
});

export default function Details() {
  const { appointment, isAhead, isMoved, questions } = useLoaderData<typeof loader>();
  const isOwed = questions.length > 0 && appointment.answeredAt === null;
  const refused = useRefusal();
  const { id, bookerName, answers, privateNote } = appointment;
  return (
    <Page title="Appointment" subtitle={bookerName ?? undefined}>
      <RefusalNotice refused={refused} />
      {isMoved && !refused && <Notice tone="good" title={`It is moved. ${bookerName} is told.`} />}
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
            ...(privateNote ? ([['Your private note', privateNote]] as [string, ReactNode][]) : []),
          ]}
        />
        {answers.length > 0 && <AnswerTable answers={answers} questions={questions} />}
        {isOwed && bookerName && <p className="text-muted">The questions are not answered yet.</p>}
        <div className="flex flex-wrap gap-3">
          {appointment.status === status.booked && isAhead && (
            <CancelForm button="Cancel Appointment" question="Cancel this appointment?" refused={refused}>
              {`${bookerName} is told, with your reason. Nobody else can book its time.`}
            </CancelForm>
          )}
          {appointment.status === status.booked && isAhead && (
            <ButtonLink quiet to={`/move/${id}`}>
              Move
            </ButtonLink>
          )}
          {appointment.status === status.open && isAhead && (
            <CancelForm button="Withdraw this slot" question="Withdraw this slot?" refused={refused}>
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
    </Page>
  );
}

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
