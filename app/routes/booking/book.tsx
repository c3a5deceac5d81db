import { json, redirect } from '@remix-run/cloudflare';
import { type ShouldRevalidateFunctionArgs, useLoaderData } from '@remix-run/react';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { useKeptActionData } from '../../components/kept';
import { Page } from '../../components/Page';
import { QuestionFields } from '../../components/QuestionField';
import { Leaf, SpanTimes, YourTimes, Zone } from '../../components/Time';
import type { Appointment } from '../../domain/appointments/appointments';
import { findAppointment, listOverlapping } from '../../domain/appointments/appointments.server';
import { bookAppointment } from '../../domain/appointments/bookings.server';
import { listNearestOpen } from '../../domain/appointments/open-slots.server';
import { status } from '../../domain/appointments/status';
import { DomainError, notFound, type Refusal } from '../../domain/errors';
import { answerField, answersFromForm, type Question, type Template } from '../../domain/templates/questions';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Book an Appointment · Daybook' }];

export const loader = answerPage('Consumer', async (context, { params: { id = '' }, url }) => {
  const { db, actor, now, hasActionData } = context;
  if (hasActionData) return { appointment: null, overlapping: [], template: null, isAsking: false };
  const [appointment, overlapping, template] = await Promise.all([
    findAppointment(db, actor, id),
    listOverlapping(db, actor, id),
    findTemplateOfSlot(db, id),
  ]);
  if (appointment?.status === status.booked) throw redirect(`/details-cancel/${id}`);
  if (appointment?.status !== status.open || appointment.startsAt <= now) throw notFound('free appointment');
  const isAsking = Boolean(template?.questions.length) && url.searchParams.get('step') === 'questions';
  return { appointment, overlapping, template: template ?? null, isAsking };
});

export const action = answerForm('Consumer', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now } = context;
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  try {
    await bookAppointment(db, actor, { id, submitted, requireAnswers: true }, now);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    const nearest = await listNearestOpen(db, id, now);
    context.hasActionData = true;
    return json({ tooLate: error.message, nearest, typed }, { status: 409 });
  }
  return redirect(`/view?booked=${id}`, 303);
});

/** After "too late" the action gave all data; its reader may not read the slot any more. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 ? false : defaultShouldRevalidate;
}

export default function Book() {
  const { appointment, overlapping, template, isAsking } = useLoaderData<typeof loader>();
  const actionData = useKeptActionData<typeof action>();
  if (actionData && 'tooLate' in actionData) return <TooLate {...actionData} />;
  if (!appointment) return null;
  const refused: Refusal | undefined = actionData && 'faults' in actionData ? actionData : undefined;
  const isStepTwo = isAsking || Boolean(refused && template?.questions.length);
  return (
    <Page title="Book an Appointment" subtitle={appointment.providerName}>
      {!isStepTwo && <RefusalNotice refused={refused} />}
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

type Asking = { appointment: Appointment; template: Template; refused?: Refusal };

/** Step 2: the questions, and the booking with their answers in one. */
function Questions({ appointment, template, refused }: Asking) {
  return (
    <PostForm className="grid max-w-2xl gap-6">
      <div className="flex items-center gap-4">
        <Leaf date={appointment.date} />
        <p>
          <SpanTimes {...appointment} /> · <Zone zone={appointment.timeZone} />
          <YourTimes {...appointment} />
        </p>
      </div>
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields
        questions={template.questions}
        valuesOf={(question) => refused?.typed[answerField(question)] ?? []}
        faults={refused?.faults ?? []}
      />
      <div className="flex flex-wrap gap-3">
        <Submit>Book</Submit>
        <ButtonLink quiet to={`/details/${appointment.id}`}>
          Back
        </ButtonLink>
      </div>
    </PostForm>
  );
}

function AlreadyBusy({ overlapping }: { overlapping: Appointment[] }) {
  return (
    <Notice tone="warn" title="You already have something at that time">
      <ul>
        {overlapping.map((other) => (
          <li key={other.id}>
            <TextLink to={`/details-cancel/${other.id}`}>{other.providerName}</TextLink>, <SpanTimes {...other} />{' '}
            <Zone zone={other.timeZone} />
          </li>
        ))}
      </ul>
      <p>You can book this one all the same.</p>
    </Notice>
  );
}

type Late = { tooLate: string; nearest: Appointment[]; typed: Record<string, string[]> };

/** Someone was faster: what is free nearest to the wanted time with the same questions, one tap each. */
function TooLate({ tooLate, nearest, typed }: Late) {
  const kept = Object.entries(typed).filter(([name]) => name === 'template' || name.startsWith('answer-'));
  return (
    <Page title="Just gone">
      <Notice tone="warn" title={tooLate}>
        <p>
          {nearest.length > 0
            ? `These are the nearest free times. One tap books one${kept.length > 1 ? ', with the answers you gave' : ''}.`
            : 'Nothing else is free at the moment.'}
        </p>
      </Notice>
      {nearest.length > 0 && (
        <Card title={nearest[0]?.providerName}>
          <ul className="grid">
            {nearest.map((slot) => (
              <li
                key={slot.id}
                className="flex flex-wrap items-center gap-4 border-b border-dashed border-rule py-3 last:border-0"
              >
                <div id={slot.id} className="contents">
                  <Leaf date={slot.date} />
                  <p className="min-w-0 flex-1 basis-48 text-sm">
                    <SpanTimes {...slot} /> · <Zone zone={slot.timeZone} />
                    <YourTimes {...slot} />
                  </p>
                </div>
                <PostForm action={`/details/${slot.id}`}>
                  {kept.flatMap(([name, values]) =>
                    values.map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
                  )}
                  <Submit aria-describedby={slot.id}>Book</Submit>
                </PostForm>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <div>
        <ButtonLink quiet to={nearest[0] ? `/view?provider=${nearest[0].provider}` : '/view'}>
          Look for another time
        </ButtonLink>
      </div>
    </Page>
  );
}
