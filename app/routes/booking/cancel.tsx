import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { AnswerTable } from '../../components/AnswerTable';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { Cancellation, StatusBadge } from '../../components/AppointmentLine';
import { ButtonLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { Fold } from '../../components/Fold';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { QuestionFields } from '../../components/QuestionField';
import { useRefusal } from '../../components/refusal';
import { titled } from '../../components/titled';
import { getAppointment } from '../../domain/appointments/appointments.server';
import { cancelAppointment, submitAnswers } from '../../domain/appointments/bookings.server';
import { status } from '../../domain/appointments/status';
import type { Refusal } from '../../domain/errors';
import {
  type Answer,
  answeredValues,
  answerField,
  answersFromForm,
  type Template,
} from '../../domain/templates/questions';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = titled('Your appointment');

export const loader = answerPage('Consumer', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const [appointment, template] = await Promise.all([getAppointment(db, actor, id), findTemplateOfSlot(db, id)]);
  if (appointment.status === status.open) throw redirect(`/details/${id}`);
  const isLive = appointment.status === status.booked && appointment.startsAt > now;
  return { appointment, template, isLive, isSaved: url.searchParams.has('saved') };
});

export const action = answerForm('Consumer', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  if (typed.template) {
    await submitAnswers(db, actor, { id, submitted: (questions) => answersFromForm(questions, typed) }, now);
    return redirect(`/details-cancel/${id}?saved=answers`, 303);
  }
  await cancelAppointment(db, actor, id, now);
  return redirect(`/view-booked?canceled=${id}`, 303);
});

export default function Cancel() {
  const { appointment, template, isLive, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const isForAnswers = refused?.typed.template !== undefined;
  const { id, answers } = appointment;
  const isOwed = appointment.answeredAt === null;
  return (
    <Page title="Your appointment" subtitle={appointment.providerName}>
      {isSaved && !refused && <Notice tone="good" title="Your answers are saved." />}
      <ErrorSummary refused={refused} />
      <Card>
        <div className="grid justify-items-start gap-2">
          <StatusBadge {...appointment} />
          {appointment.canceledAt !== null && (
            <Cancellation
              at={appointment.canceledAt}
              by={appointment.canceledBy === 'consumer' ? 'you' : appointment.providerName}
            />
          )}
        </div>
        <AppointmentFacts appointment={appointment} />
        <PostForm className="flex flex-wrap gap-3">
          {isLive && <Submit>Cancel Appointment</Submit>}
          {appointment.status === status.canceled && (
            <ButtonLink to={`/view?provider=${appointment.provider}`}>Book another time</ButtonLink>
          )}
          <ButtonLink quiet to={`/appointments/${id}/daybook.ics`} isFile>
            {appointment.status === status.canceled ? 'Remove from calendar' : 'Add to calendar'}
          </ButtonLink>
        </PostForm>
        {appointment.status === status.booked && !isLive && (
          <p className="text-muted">It has started, so it can't be canceled any more.</p>
        )}
      </Card>
      {template && template.questions.length > 0 && (
        <Card>
          {answers.length > 0 && <AnswerTable answers={answers} questions={template.questions} />}
          {isLive && (
            <Fold
              summary={isOwed ? 'Please answer these questions' : 'Change your answers'}
              isOpen={isOwed || isForAnswers}
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

type AnswerFormProps = { template: Template; answers: Answer[]; refused?: Refusal };

function AnswerForm({ template, answers, refused }: AnswerFormProps) {
  return (
    <PostForm className="grid max-w-2xl gap-6 pt-3">
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields
        questions={template.questions}
        valuesOf={(question) =>
          refused ? (refused.typed[answerField(question)] ?? []) : answeredValues(question, answers)
        }
        refused={refused}
      />
      <div>
        <Submit>Save answers</Submit>
      </div>
    </PostForm>
  );
}
