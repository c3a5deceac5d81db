import { redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { StatusBadge } from '../../components/AppointmentLine';
import { ButtonLink } from '../../components/Button';
import { Card, Refused } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { cancelAppointment, getAppointment } from '../../domain/appointments.server';
import { notFound, type Refusal } from '../../domain/errors';
import { status } from '../../domain/status';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Appointment · Daybook' }];

export const loader = answerPage('Provider', async ({ db, actor, viewer, now }, { params: { id = '' } }) => {
  const [account, appointment] = await Promise.all([viewer(), getAppointment(db, actor, id)]);
  // Anyone may read an open slot; this page of it is its provider's.
  if (appointment.provider !== account?.username) throw notFound('appointment');
  return { appointment, isAhead: appointment.startsAt > now };
});

export const action = answerForm('Provider', async ({ db, actor, now }, _, { params: { id = '' } }) => {
  await cancelAppointment(db, actor, id, now);
  return redirect(`/view-booked?canceled=${id}`, 303);
});

export default function Details() {
  const { appointment, isAhead } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() as Refusal | undefined;
  const { id, bookerName, username, answers } = appointment;
  return (
    <Page title="Appointment" subtitle={bookerName ?? undefined}>
      <Refused refused={refused} />
      <Card>
        <div>
          <StatusBadge {...appointment} />
        </div>
        <AppointmentFacts
          appointment={appointment}
          more={bookerName ? [['Booked by', `${bookerName} (${username})`]] : []}
        />
        {answers.length > 0 && <Answers answers={answers} />}
        <PostForm className="flex flex-wrap gap-3">
          {appointment.status !== status.canceled && isAhead && (
            <Submit quiet>{appointment.status === status.open ? 'Withdraw this slot' : 'Cancel Appointment'}</Submit>
          )}
          {bookerName && (
            <ButtonLink quiet to={`/appointments/${id}/daybook.ics`} isFile>
              Add to calendar
            </ButtonLink>
          )}
        </PostForm>
      </Card>
    </Page>
  );
}

function Answers({ answers }: { answers: { question: string; answer: string }[] }) {
  return (
    <table className="w-full text-left">
      <caption className="pb-2 text-left font-serif text-lg font-semibold">Answers</caption>
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="py-2 font-normal">
            Question
          </th>
          <th scope="col" className="py-2 font-normal">
            Answer
          </th>
        </tr>
      </thead>
      <tbody>
        {answers.map(({ question, answer }) => (
          <tr key={question} className="border-t border-dashed border-rule align-top">
            <th scope="row" className="py-2 pr-4 font-semibold break-words">
              {question}
            </th>
            <td className="py-2 break-words whitespace-pre-line">{answer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
