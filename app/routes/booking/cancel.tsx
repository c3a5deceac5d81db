import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
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
import { AskForDeposit } from '../../components/times/AskForDeposit';
import { CancelUntil, TooLateToChange } from '../../components/times/Deadline';
import { AllToCalendar, AlsoLater, laterIn, SeriesList } from '../../components/times/Series';
import { WebCalendars } from '../../components/times/WebCalendars';
import { useWords } from '../../components/words';
import { type Appointment, cancellation } from '../../domain/bookings/appointments';
import { cancelAppointment, submitAnswers } from '../../domain/bookings/book.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { depositWithCode } from '../../domain/bookings/deposit-code.server';
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
import { locationOf } from '../../domain/services/where';
import { providerInShop } from '../../domain/shop/in-shop';
import { type Answer, answersFromForm, type Template } from '../../domain/templates/questions';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { waitPath } from '../with/paths';

export const meta = titled(msg`Your appointment`);

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
    deposit: isLive ? depositWithCode(appointment) : null,
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
  if ((typed.intent?.[0] ?? 'cancel') !== 'cancel') throw invalid(null, msg`Say what to do with this appointment.`);
  const following = typed.following?.[0] === 'true';
  await cancelAppointment(db, actor, { id, ...parse(cancellation, fields(typed)), following }, now);
  return redirect(paths.booked({ canceled: id, following: following ? 'yes' : null }), 303);
});

export default function Cancel() {
  const {
    appointment,
    template,
    isLive,
    canCancel,
    deposit,
    way,
    isSaved,
    isMoved,
    series,
    isSeriesBooked,
    hasMail,
    mailedTo,
  } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const isForAnswers = refused?.typed.template !== undefined;
  const { id, answers } = appointment;
  const name = words(providerWords(appointment.providerName));
  const nameAlone = words(providerInShop(appointment, true));
  const { length: count } = series;
  const lacksAnswers = appointment.answeredAt === null;
  return (
    <Page title={t`Your appointment`} subtitle={nameAlone}>
      {isSaved && !refused && <Notice tone="good" title={t`Your answers are saved.`} />}
      {isSeriesBooked && !refused && (
        <Notice
          tone="good"
          title={<Plural value={count} one="# appointment is booked." other="All # appointments are booked." />}
        >
          {hasMail && (
            <p className="break-words">{mailedTo ? t`They are mailed to ${mailedTo}.` : t`No mail is sent.`}</p>
          )}
        </Notice>
      )}
      {isMoved && !refused && <Notice tone="good" title={t`It is moved. This is the new time.`} />}
      <ErrorSummary refused={refused} />
      <Card>
        <div className="grid justify-items-start gap-2">
          <StatusBadge {...appointment} />
          {appointment.canceledAt !== null && (
            <Cancellation
              at={appointment.canceledAt}
              by={appointment.canceledBy === 'consumer' ? null : name}
              reason={appointment.cancelReason}
            />
          )}
        </div>
        <AppointmentFacts appointment={appointment} />
        {deposit && <AskForDeposit deposit={deposit} />}
        {series.length > 1 && (
          <SeriesList list={series} id={id} pathOf={(appointment) => paths.appointment(appointment.id)} />
        )}
        {canCancel && (
          <div>
            <ButtonLink to={paths.move(id)}>
              <Trans context="verb">Move</Trans>
            </ButtonLink>
          </div>
        )}
        {appointment.status === status.canceled && appointment.provider !== '' && (
          <div>
            <ButtonLink to={paths.search({ provider: appointment.provider, service: appointment.service?.id })}>
              <Trans>Book another time</Trans>
            </ButtonLink>
          </div>
        )}
        <div className="acts">
          {isLive && (
            <TextAction icon="again" to={paths.again(id)}>
              <Trans>The same time again</Trans>
            </TextAction>
          )}
          <TextAction icon="free" to={paths.appointmentFile(id)} isFile>
            {appointment.status === status.canceled ? t`Remove from calendar` : t`Add to calendar`}
          </TextAction>
          <AllToCalendar isText list={series} file={paths.appointmentFile(id, { series: 'yes' })} />
          {canCancel && (
            <CancelForm
              button={t`Cancel Appointment`}
              question={t`Cancel this appointment?`}
              refused={refused}
              more={<AlsoLater count={laterIn(series, appointment)} isOn={refused?.typed.following !== undefined} />}
            >
              <Trans>Its time is free for others again at once.</Trans> <HowTold name={name} way={way} withReason />
            </CancelForm>
          )}
        </div>
        {canCancel && appointment.provider !== '' && (
          <p>
            <TextLink to={waitPath(appointment.provider, { insteadOf: id })}>
              <Trans>Tell me if an earlier time comes free</Trans>
            </TextLink>
          </p>
        )}
        {isLive && (
          <WebCalendars
            file={paths.appointmentFile(id)}
            title={words(appointmentTitle(appointment.service?.name ?? null, nameAlone))}
            startsAt={appointment.startsAt}
            endsAt={appointment.endsAt}
            location={words(locationOf(appointment, appointment.providerAddress, false) ?? '')}
          />
        )}
        {appointment.status === status.booked && <Until {...{ appointment, isLive, canCancel }} />}
      </Card>
      {template && template.questions.length > 0 && (
        <Card>
          {answers.length > 0 && <AnswerTable answers={answers} questions={template.questions} />}
          {isLive && (
            <Fold
              summary={lacksAnswers ? t`Please answer these questions` : t`Change your answers`}
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
  const { t } = useLingui();
  if (!isLive) return <p className="text-muted">{t`It has started, so it can't be canceled any more.`}</p>;
  return canCancel ? <CancelUntil {...appointment} /> : <TooLateToChange {...appointment} />;
}

type AnswerFormProps = { template: Template; answers: Answer[]; refused?: Refusal };

function AnswerForm({ template, answers, refused }: AnswerFormProps) {
  return (
    <PostForm className="grid max-w-2xl gap-6 pt-3">
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields questions={template.questions} answers={answers} refused={refused} />
      <div>
        <Submit>
          <Trans>Save answers</Trans>
        </Submit>
      </div>
    </PostForm>
  );
}
