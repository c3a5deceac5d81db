import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { type ShouldRevalidateFunctionArgs, useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { PeopleSelect } from '../../components/forms/PeopleSelect';
import { PhoneField } from '../../components/forms/PhoneField';
import { ServiceField } from '../../components/forms/ServiceField';
import { useSavedActionData } from '../../components/frame/drafts';
import { Page } from '../../components/frame/Page';
import { tabTitle } from '../../components/frame/titled';
import { AppointmentFacts } from '../../components/times/AppointmentFacts';
import { UntilWhen } from '../../components/times/Deadline';
import { ReachedLimit } from '../../components/times/ReachedLimit';
import { askedWords, ServicesAt } from '../../components/times/ServicesAt';
import { SpanTimes } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { type Appointment, booked, termsShown } from '../../domain/bookings/appointments';
import { bookAppointment } from '../../domain/bookings/book.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { findUnavailableTime, type UnavailableTime } from '../../domain/bookings/nearest-times.server';
import { findReachedLimit } from '../../domain/bookings/reached-limit.server';
import { findAppointment, listOverlapping } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { DomainError, type Refusal } from '../../domain/errors';
import { clientAddress } from '../../domain/guests/guests';
import { parse, phone as phoneNumber } from '../../domain/input/fields';
import { notFound } from '../../domain/not-found';
import type { Service } from '../../domain/services/services';
import { listOfferedAt } from '../../domain/services/services.server';
import { phoneAskedAt } from '../../domain/services/where';
import { asBookedFor, servicesAt } from '../../domain/slots/services-at';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { statuses } from '../../http/errors.server';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { JustGone } from './JustGone';
import { detailsPath, providerPath } from './paths';
import { Questions } from './Questions';

export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(data && !data.appointment ? msg`Just gone` : msg`Book an Appointment`, data) },
];

/** The fields of the form besides the answers. */
const bookingFields = z.object({
  phone: phoneNumber,
  address: clientAddress,
  service: booked.shape.service,
  terms: termsShown,
  people: booked.shape.people,
});

const show = pageLoader('Consumer', async (context, { params: { id = '' }, url }) => {
  const serviceId = url.searchParams.get('service');
  const { db, actor, now, hasActionData } = context;
  const emptyData = {
    appointment: null,
    canChange: false,
    overlapping: [],
    template: null,
    isAsking: false,
    late: null,
    limit: null,
    services: [],
    service: null,
  };
  if (hasActionData) return emptyData;
  const [found, overlapping, template, late, limit, offered] = await Promise.all([
    findAppointment(db, actor, id),
    listOverlapping(db, actor, id),
    findTemplateOfSlot(db, id, serviceId),
    findUnavailableTime(db, id, now, { service: serviceId }),
    findReachedLimit(db, { id, accountId: actor.accountId }, now),
    listOfferedAt(db, id),
  ]);
  if (found && found.status !== status.open && found.people !== null) throw redirect(paths.appointment(id));
  if (late) return { ...emptyData, late: { ...unavailableTimeWords(late), id, service: serviceId } };
  if (!found) throw notFound('free appointment');
  const services = servicesAt(found, offered);
  const [only] = services;
  if (only && services.length === 1 && serviceId === null) throw redirect(detailsPath(id, only.id));
  const service = services.find((candidate) => candidate.id === serviceId);
  const appointment = service ? asBookedFor(found, service) : found;
  const isAsking = Boolean(template?.questions.length) && url.searchParams.get('step') === 'questions';
  const canChange = isChangeable(appointment, now);
  const shown = { services, service: service?.id ?? null };
  return { appointment, canChange, overlapping, template: template ?? null, isAsking, late: null, limit, ...shown };
});

const unavailableTimeWords = ({ refusal, ...late }: UnavailableTime) => ({
  message: refusal.faults[0]?.message ?? '',
  ...late,
});

/** If the slot is taken, a link to it shows the same page as a form for it. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.late ? statuses.conflict : 200 });
}

export const action = formAction('Consumer', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now } = context;
  const service = typed.service?.[0] || null;
  let booking = id;
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  try {
    const request = { id, ...parse(bookingFields, fields(typed)), submitted, requireAnswers: true };
    booking = (await bookAppointment(db, actor, request, now, await originOf(context))).id;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    const unavailableTime = await findUnavailableTime(db, id, now, { service, isRefused: true });
    if (!unavailableTime) throw error;
    context.hasActionData = true;
    return json(
      { late: { ...unavailableTimeWords(unavailableTime), id, service, typed } },
      { status: statuses.conflict },
    );
  }
  return redirect(paths.search({ booked: booking }), 303);
});

/**
 * After "too late", the action's data is all that the screen needs, and the reader may not be allowed to read the slot
 * any more.
 */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 ? false : defaultShouldRevalidate;
}

export default function Book() {
  const { appointment, canChange, overlapping, template, isAsking, late, limit, services, service } =
    useLoaderData<typeof loader>();
  const actionData = useSavedActionData<typeof action>();
  const { t } = useLingui();
  const words = useWords();
  if (actionData && 'late' in actionData) return <JustGone {...actionData.late} />;
  if (late) return <JustGone {...late} />;
  if (!appointment) return null;
  const refused: Refusal | undefined = actionData && 'faults' in actionData ? actionData : undefined;
  if (services.length > 1 && service === null) return <ChooseService {...{ appointment, services }} />;
  const isStepTwo = isAsking || Boolean(refused && template?.questions.length);
  return (
    <Page title={t`Book an Appointment`} subtitle={appointment.providerName}>
      <ErrorSummary refused={refused} />
      {overlapping.length > 0 && <AlreadyBusy overlapping={overlapping} />}
      <ReachedLimit words={limit && words(limit)} />
      <Card>
        {isStepTwo && template ? (
          <Questions {...{ appointment, service, canChange, template, refused }} />
        ) : (
          <>
            <AppointmentFacts appointment={appointment} />
            <UntilWhen {...appointment} canChange={canChange} />
            {template && template.questions.length > 0 ? (
              <div className="flex flex-wrap gap-3">
                <ButtonLink to={detailsPath(appointment.id, service, 'questions')}>
                  <Trans>Continue to the questions</Trans>
                </ButtonLink>
                <OtherTimes provider={appointment.provider} service={service} />
              </div>
            ) : (
              <PostForm className="flex flex-wrap items-end gap-3">
                <ServiceField {...appointment} chosen={service} />
                {template && <input type="hidden" name="template" value={template.id} />}
                <PeopleSelect {...appointment} refused={refused} />
                <PhoneField
                  asked={phoneAskedAt(appointment.where, appointment.askPhone)}
                  provider={appointment.providerName}
                  refused={refused}
                />
                <ClientAddressField where={appointment.where} provider={appointment.providerName} refused={refused} />
                <Submit>
                  <Trans>Book this appointment</Trans>
                </Submit>
                <OtherTimes provider={appointment.provider} service={service} />
              </PostForm>
            )}
          </>
        )}
      </Card>
    </Page>
  );
}

type OfferedProps = { appointment: Appointment; services: Service[] };

function ChooseService({ appointment, services }: OfferedProps) {
  const words = useWords();
  return (
    <Page title={words(askedWords)} subtitle={appointment.providerName}>
      <Card>
        <ServicesAt {...{ appointment, services }} to={(service) => detailsPath(appointment.id, service)} />
      </Card>
    </Page>
  );
}

const OtherTimes = ({ provider, service }: { provider: string; service: string | null }) => (
  <ButtonLink quiet to={providerPath(provider, service)}>
    <Trans>Other times</Trans>
  </ButtonLink>
);

function AlreadyBusy({ overlapping }: { overlapping: Appointment[] }) {
  const { t } = useLingui();
  return (
    <Notice tone="warn" title={t`You already have something at that time`}>
      <ul>
        {overlapping.map((other) => (
          <li key={other.id}>
            <TextLink to={paths.appointment(other.id)}>{other.providerName}</TextLink>, <SpanTimes {...other} />
          </li>
        ))}
      </ul>
      <p>{t`You can book this one all the same.`}</p>
    </Notice>
  );
}
