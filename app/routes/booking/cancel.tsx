import { redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { StatusBadge } from '../../components/AppointmentLine';
import { ButtonLink } from '../../components/Button';
import { Card, Refused } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { cancelAppointment, getAppointment } from '../../domain/appointments.server';
import type { Refusal } from '../../domain/errors';
import { status } from '../../domain/status';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Your appointment · Daybook' }];

export const loader = answerPage('Consumer', async ({ db, actor, now }, { params: { id = '' } }) => {
  const appointment = await getAppointment(db, actor, id);
  if (appointment.status === status.open) throw redirect(`/details/${id}`);
  return { appointment, isAhead: appointment.startsAt > now };
});

export const action = answerForm('Consumer', async ({ db, actor, now }, _, { params: { id = '' } }) => {
  await cancelAppointment(db, actor, id, now);
  return redirect(`/view-booked?canceled=${id}`, 303);
});

export default function Cancel() {
  const { appointment, isAhead } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() as Refusal | undefined;
  const isBooked = appointment.status === status.booked;
  return (
    <Page title="Your appointment" subtitle={appointment.providerName}>
      <Refused refused={refused} />
      <Card>
        <div>
          <StatusBadge {...appointment} />
        </div>
        <AppointmentFacts appointment={appointment} />
        <PostForm className="flex flex-wrap gap-3">
          {isBooked && isAhead && <Submit>Cancel Appointment</Submit>}
          <ButtonLink quiet to={`/appointments/${appointment.id}/daybook.ics`} isFile>
            Add to calendar
          </ButtonLink>
        </PostForm>
        {isBooked && !isAhead && <p className="text-muted">It has started, so it can't be canceled any more.</p>}
      </Card>
    </Page>
  );
}
