import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { AnswerTable } from '../../components/AnswerTable';
import { ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { CancelForm } from '../../components/forms/CancelForm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { QuestionFields } from '../../components/forms/QuestionField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { AppointmentFacts } from '../../components/times/AppointmentFacts';
import { Cancellation, StatusBadge } from '../../components/times/AppointmentLine';
import { CancelUntil, TooLateToChange } from '../../components/times/Deadline';
import { AllToCalendar, AlsoLater, laterIn, SeriesList } from '../../components/times/Series';
import { WebCalendars } from '../../components/times/WebCalendars';
import { type Appointment, cancellation } from '../../domain/bookings/appointments';
import { cancelAppointment, submitAnswers } from '../../domain/bookings/book.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { appointmentTitle } from '../../domain/calendar/entries';
import { invalid, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { mailedTo } from '../../domain/messages/ways';
import { findWays } from '../../domain/messages/ways.server';
import { providerWords } from '../../domain/profile/former';
import { listSeries } from '../../domain/series/appointments.server';
import { type Answer, answersFromForm, type Template } from '../../domain/templates/questions';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { waitPath } from '../with/paths';

export const meta = titled('Your appointment');

export const loader = pageLoader('Consumer', async ({ db, actor, now, hasMail }, { params: { id = '' }, url }) => {
  const [appointment, template, ways, series] = await Promise.all([
    getAppointment(db, actor, id),
    findTemplateOfSlot(db, id),
    findWays(db, id, hasMail),
    listSeries(db, actor, id),
  ]);
  if (appointment.status === status.open || appointment.people === null) throw redirect(paths.book(id));
  if (appointment.movedTo) throw redirect(paths.appointment(appointment.movedTo));
  const isLive = appointment.status === status.booked && appointment.startsAt > now;
  const canCancel = isLive && isChangeable(appointment, now);
  return {
    appointment,
    template,
    series,
    isSeriesBooked: url.searchParams.has('series'),
    hasMail,
    mailedTo: mailedTo(ways),
    isLive,
    canCancel,
    way: ways?.toProvider ?? 'news',
    isSaved: url.searchParams.has('saved'),
    isMoved: url.searchParams.has('moved'),
  };
});

export const action = formAction('Consumer', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  if (typed.template) {
    await submitAnswers(db, actor, { id, submitted: (questions) => answersFromForm(questions, typed) }, now);
    return redirect(paths.appointment(id, { saved: 'answers' }), 303);
  }
  // The page's main form cancels, so a form without an intent means that.
  if ((typed.intent?.[0] ?? 'cancel') !== 'cancel') throw invalid(null, 'Say what to do with this appointment.');
  const following = typed.following?.[0] === 'true';
  await cancelAppointment(db, actor, { id, ...parse(cancellation, fields(typed)), following }, now);
  return redirect(paths.booked({ canceled: id, following: following ? 'yes' : null }), 303);
});

export default function Cancel() {
  const { appointment, template, isLive, canCancel, way, isSaved, isMoved, series, isSeriesBooked, hasMail, mailedTo } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const isForAnswers = refused?.typed.template !== undefined;
  const { id, answers } = appointment;
  const name = providerWords(appointment.providerName);
  const lacksAnswers = appointment.answeredAt === null;
  return (
    <Page title="Your appointment" subtitle={providerWords(appointment.providerName, true)}>
      {isSaved && !refused && <Notice tone="good" title="Your answers are saved." />}
      {isSeriesBooked && !refused && (
        <Notice tone="good" title={`All ${series.length} appointments are booked.`}>
          {hasMail && (
            <p className="break-words">{mailedTo ? `They are mailed to ${mailedTo}.` : 'No mail is sent.'}</p>
          )}
        </Notice>
      )}
      {isMoved && !refused && <Notice tone="good" title="It is moved. This is the new time." />}
      <ErrorSummary refused={refused} />
      <Card>
        <div className="grid justify-items-start gap-2">
          <StatusBadge {...appointment} />
          {appointment.canceledAt !== null && (
            <Cancellation
              at={appointment.canceledAt}
              by={appointment.canceledBy === 'consumer' ? 'you' : name}
              reason={appointment.cancelReason}
            />
          )}
        </div>
        <AppointmentFacts appointment={appointment} />
        {series.length > 1 && (
          <SeriesList list={series} id={id} pathOf={(appointment) => paths.appointment(appointment.id)} />
        )}
        {canCancel && (
          <div>
            <ButtonLink to={paths.move(id)}>Move</ButtonLink>
          </div>
        )}
        {appointment.status === status.canceled && appointment.provider !== '' && (
          <div>
            <ButtonLink to={paths.search({ provider: appointment.provider, service: appointment.service?.id })}>
              Book another time
            </ButtonLink>
          </div>
        )}
        <div className="acts">
          {isLive && (
            <TextAction icon="again" to={paths.again(id)}>
              The same time again
            </TextAction>
          )}
          <TextAction icon="free" to={paths.appointmentFile(id)} isFile>
            {appointment.status === status.canceled ? 'Remove from calendar' : 'Add to calendar'}
          </TextAction>
          <AllToCalendar isText list={series} file={paths.appointmentFile(id, { series: 'yes' })} />
          {canCancel && (
            <CancelForm
              button="Cancel Appointment"
              question="Cancel this appointment?"
              refused={refused}
              more={<AlsoLater count={laterIn(series, appointment)} isOn={refused?.typed.following !== undefined} />}
            >
              Its time is free for others again at once. <HowTold name={name} way={way} withReason />
            </CancelForm>
          )}
        </div>
        {canCancel && appointment.provider !== '' && (
          <p>
            <TextLink to={waitPath(appointment.provider, { insteadOf: id })}>
              Tell me if an earlier time comes free
            </TextLink>
          </p>
        )}
        {isLive && (
          <WebCalendars
            file={paths.appointmentFile(id)}
            title={appointmentTitle(appointment.service?.name ?? null, providerWords(appointment.providerName, true))}
            startsAt={appointment.startsAt}
            endsAt={appointment.endsAt}
            location={appointment.providerAddress}
          />
        )}
        {appointment.status === status.booked && <Until {...{ appointment, isLive, canCancel }} />}
      </Card>
      {template && template.questions.length > 0 && (
        <Card>
          {answers.length > 0 && <AnswerTable answers={answers} questions={template.questions} />}
          {isLive && (
            <Fold
              summary={lacksAnswers ? 'Please answer these questions' : 'Change your answers'}
              isOpen={lacksAnswers || isForAnswers}
              className=""
            >
              <AnswerForm template={template} answers={answers} refused={isForAnswers ? refused : undefined} />
            </Fold>
          )}
        </Card>
      )}
    </Page>
  );
}

type UntilProps = { appointment: Appointment; isLive: boolean; canCancel: boolean };

/** Says until when the reader can cancel, if that is before the start. */
function Until({ appointment, isLive, canCancel }: UntilProps) {
  if (!isLive) return <p className="text-muted">It has started, so it can't be canceled any more.</p>;
  return canCancel ? <CancelUntil {...appointment} /> : <TooLateToChange {...appointment} />;
}

type AnswerFormProps = { template: Template; answers: Answer[]; refused?: Refusal };

function AnswerForm({ template, answers, refused }: AnswerFormProps) {
  return (
    <PostForm className="grid max-w-2xl gap-6 pt-3">
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields questions={template.questions} answers={answers} refused={refused} />
      <div>
        <Submit>Save answers</Submit>
      </div>
    </PostForm>
  );
}
