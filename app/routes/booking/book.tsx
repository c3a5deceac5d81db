import { json, redirect } from '@remix-run/cloudflare';
import { type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice, Refused } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { Leaf, SpanTimes, YourTimes, Zone } from '../../components/Time';
import type { Appointment } from '../../domain/appointments';
import { bookAppointment, findAppointment, listNearestOpen, listOverlapping } from '../../domain/appointments.server';
import { DomainError, notFound } from '../../domain/errors';
import { status } from '../../domain/status';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Book an Appointment · Daybook' }];

export const loader = answerPage('Consumer', async (asked, { params: { id = '' } }) => {
  const { db, actor, now, isAnswered } = asked;
  if (isAnswered) return { appointment: null, overlapping: [] };
  const [appointment, overlapping] = await Promise.all([
    findAppointment(db, actor, id),
    listOverlapping(db, actor, id),
  ]);
  if (appointment?.status === status.booked) throw redirect(`/details-cancel/${id}`);
  if (appointment?.status !== status.open || appointment.startsAt <= now) throw notFound('free appointment');
  return { appointment, overlapping };
});

export const action = answerForm('Consumer', async (asked, _, { params: { id = '' } }) => {
  const { db, actor, now } = asked;
  try {
    await bookAppointment(db, actor, id, now);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    const nearest = await listNearestOpen(db, id, now);
    asked.isAnswered = true;
    return json({ tooLate: error.message, nearest }, { status: 409 });
  }
  return redirect(`/view?booked=${id}`, 303);
});

/** Who was too late has been answered by the action; the slot itself is not theirs to read any more. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 ? false : defaultShouldRevalidate;
}

export default function Book() {
  const { appointment, overlapping } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (answer && 'tooLate' in answer) return <TooLate message={answer.tooLate} nearest={answer.nearest} />;
  if (!appointment) return null;
  return (
    <Page title="Book an Appointment" subtitle={appointment.providerName}>
      {answer && 'faults' in answer && <Refused refused={answer} />}
      {overlapping.length > 0 && <AlreadyBusy overlapping={overlapping} />}
      <Card>
        <AppointmentFacts appointment={appointment} />
        <PostForm className="flex flex-wrap gap-3">
          <Submit>Book this appointment</Submit>
          <ButtonLink quiet to={`/view?provider=${appointment.provider}`}>
            Other times
          </ButtonLink>
        </PostForm>
      </Card>
    </Page>
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

/** Someone was faster: what is free nearest to the wanted time, one tap each. */
function TooLate({ message, nearest }: { message: string; nearest: Appointment[] }) {
  return (
    <Page title="Just gone">
      <Notice tone="warn" title={message}>
        <p>
          {nearest.length > 0
            ? 'These are the nearest free times. One tap books one.'
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
                <Leaf date={slot.date} />
                <p className="min-w-0 flex-1 basis-48 text-sm">
                  <SpanTimes {...slot} /> · <Zone zone={slot.timeZone} />
                  <YourTimes {...slot} />
                </p>
                <PostForm action={`/details/${slot.id}`}>
                  <Submit>Book</Submit>
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
