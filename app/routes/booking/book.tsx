import { json, type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { type ShouldRevalidateFunctionArgs, useLoaderData } from '@remix-run/react';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { PostForm, Submit } from '../../components/Form';
import { useKeptActionData } from '../../components/kept';
import { Page } from '../../components/Page';
import { SpanTimes } from '../../components/Time';
import { tabTitle } from '../../components/titled';
import type { Appointment } from '../../domain/appointments/appointments';
import { bookAppointment } from '../../domain/appointments/bookings.server';
import { findLate, type Late } from '../../domain/appointments/late.server';
import { findAppointment, listOverlapping } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import { DomainError, notFound, type Refusal } from '../../domain/errors';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { statuses } from '../../http/errors.server';
import { originOf } from '../../http/login.server';
import { answerForm, answerPage } from '../../http/page.server';
import { JustGone } from './JustGone';
import { Questions } from './Questions';

export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(data && !data.appointment ? 'Just gone' : 'Book an Appointment', data) },
];

const show = answerPage('Consumer', async (context, { params: { id = '' }, url }) => {
  const { db, actor, now, hasActionData } = context;
  const nothing = { appointment: null, overlapping: [], template: null, isAsking: false, late: null };
  if (hasActionData) return nothing;
  const [appointment, overlapping, template, late] = await Promise.all([
    findAppointment(db, actor, id),
    listOverlapping(db, actor, id),
    findTemplateOfSlot(db, id),
    findLate(db, id, now),
  ]);
  if (appointment && appointment.status !== status.open) throw redirect(`/details-cancel/${id}`);
  if (late) return { ...nothing, late: lateWords(late) };
  if (!appointment) throw notFound('free appointment');
  const isAsking = Boolean(template?.questions.length) && url.searchParams.get('step') === 'questions';
  return { appointment, overlapping, template: template ?? null, isAsking, late: null };
});

const lateWords = ({ refusal: { message }, ...late }: Late) => ({ message, ...late });

/** A link to a slot that is gone gives the same page as a form for it. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.late ? statuses.conflict : 200 });
}

export const action = answerForm('Consumer', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now, links } = context;
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  try {
    const request = { id, submitted, requireAnswers: true, link: links.make() };
    await bookAppointment(db, actor, request, now, await originOf(context));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    const late = await findLate(db, id, now);
    if (!late) throw error;
    context.hasActionData = true;
    return json({ late: { ...lateWords(late), typed } }, { status: statuses.conflict });
  }
  return redirect(`/view?booked=${id}`, 303);
});

/** After "too late" the action gave all data; its reader may not read the slot any more. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 ? false : defaultShouldRevalidate;
}

export default function Book() {
  const { appointment, overlapping, template, isAsking, late } = useLoaderData<typeof loader>();
  const actionData = useKeptActionData<typeof action>();
  if (actionData && 'late' in actionData) return <JustGone {...actionData.late} />;
  if (late) return <JustGone {...late} />;
  if (!appointment) return null;
  const refused: Refusal | undefined = actionData && 'faults' in actionData ? actionData : undefined;
  const isStepTwo = isAsking || Boolean(refused && template?.questions.length);
  return (
    <Page title="Book an Appointment" subtitle={appointment.providerName}>
      <ErrorSummary refused={refused} />
      {overlapping.length > 0 && <AlreadyBusy overlapping={overlapping} />}
      <Card>
        {isStepTwo && template ? (
          <Questions appointment={appointment} template={template} refused={refused} />
        ) : (
          <>
            <AppointmentFacts appointment={appointment} />
            {template && template.questions.length > 0 ? (
              <div className="flex flex-wrap gap-3">
                <ButtonLink to={`/details/${appointment.id}?step=questions`}>Continue to the questions</ButtonLink>
                <OtherTimes provider={appointment.provider} />
              </div>
            ) : (
              <PostForm className="flex flex-wrap gap-3">
                {template && <input type="hidden" name="template" value={template.id} />}
                <Submit>Book this appointment</Submit>
                <OtherTimes provider={appointment.provider} />
              </PostForm>
            )}
          </>
        )}
      </Card>
    </Page>
  );
}

const OtherTimes = ({ provider }: { provider: string }) => (
  <ButtonLink quiet to={`/view?provider=${provider}`}>
    Other times
  </ButtonLink>
);

function AlreadyBusy({ overlapping }: { overlapping: Appointment[] }) {
  return (
    <Notice tone="warn" title="You already have something at that time">
      <ul>
        {overlapping.map((other) => (
          <li key={other.id}>
            <TextLink to={`/details-cancel/${other.id}`}>{other.providerName}</TextLink>, <SpanTimes {...other} />
          </li>
        ))}
      </ul>
      <p>You can book this one all the same.</p>
    </Notice>
  );
}
