import { redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { AnswerTable } from '../../components/AnswerTable';
import { AppointmentFacts } from '../../components/AppointmentFacts';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { TextArea } from '../../components/Field';
import { PostForm } from '../../components/Form';
import { HomeLink, Page } from '../../components/Page';
import { QuestionFields } from '../../components/QuestionField';
import { useRefusal } from '../../components/refusal';
import { Sheet } from '../../components/Sheet';
import { tabTitle } from '../../components/titled';
import { type Appointment, cancellation } from '../../domain/appointments/appointments';
import { getByKey } from '../../domain/appointments/bookers.server';
import { cancelAppointment, submitAnswers } from '../../domain/appointments/bookings.server';
import { deadlineWords, isChangeable, tooLateWords } from '../../domain/appointments/deadline';
import { status } from '../../domain/appointments/status';
import { invalid, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { hashOfKey } from '../../domain/links.server';
import { sentenceOf } from '../../domain/messages/messages';
import { findUnseen, markSeenByLink } from '../../domain/messages/news.server';
import { titleOf } from '../../domain/messages/told';
import { answeredValues, answerField, answersFromForm, type Template } from '../../domain/templates/questions';
import { findTemplateOf } from '../../domain/templates/templates.server';
import { fields } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';
import { Keep } from './Keep';

export const handle = { isLetter: true };
/** Nothing that tells a search engine or a preview of the link what it opens. */
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: tabTitle('Your appointment', data) },
  { name: 'description', content: 'An appointment, for whoever has its link.' },
  { name: 'robots', content: 'noindex, nofollow' },
];

/** A booking, for whoever has its personal link. The query says which of its forms is open. */
export const loader = answerPage('anyone', async (context, { params: { key = '' }, url }) => {
  const { db, now, pageHeaders } = context;
  const [{ appointment }, template, told] = await Promise.all([
    getByKey(db, key),
    findTemplateOf(db, 'booking', key),
    findUnseen(db, hashOfKey(key)),
  ]);
  const isLive = appointment.status === status.booked && appointment.startsAt > now;
  // Forms without script need the policy that all pages have.
  if (!isLive && !told) pageHeaders['Referrer-Policy'] = 'no-referrer';
  const path = `/booking/${key}`;
  const step = url.searchParams.get('step');
  const isSaved = url.searchParams.has('saved');
  const canCancel = isLive && isChangeable(appointment, now);
  return {
    appointment,
    template: template ?? null,
    told: told && { title: titleOf(told), text: sentenceOf(told) },
    isMoved: url.searchParams.has('moved'),
    isLive,
    canCancel,
    path,
    link: url.origin + path,
    step,
    isSaved,
  };
});

export const action = answerForm('anyone', async ({ db, now }, typed, { params: { key = '' } }) => {
  const { appointment, holder } = await getByKey(db, key);
  const { id } = appointment;
  const intent = typed.intent?.[0];
  if (intent === 'answers') {
    await submitAnswers(db, holder, { id, submitted: (questions) => answersFromForm(questions, typed) }, now);
    return redirect(`/booking/${key}?saved=answers`, 303);
  }
  if (intent === 'seen') {
    await markSeenByLink(db, holder.linkHash);
    return redirect(`/booking/${key}`, 303);
  }
  if (intent !== 'cancel') throw invalid(null, 'Say what to do with this appointment.');
  await cancelAppointment(db, holder, { id, ...parse(cancellation, fields(typed)) }, now);
  return redirect(`/booking/${key}`, 303);
});

export default function Booking() {
  const { appointment, template, told, isLive, canCancel, path, link, step, isSaved, isMoved } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { provider, providerName, answers } = appointment;
  const hasQuestions = template !== null && template.questions.length > 0;
  const isAsking = canCancel && (step === 'cancel' || refused?.typed.intent?.[0] === 'cancel');
  const isAnswering = step === 'answers' || refused?.typed.intent?.[0] === 'answers' || appointment.answeredAt === null;
  return (
    <Page title="Your appointment" subtitle={<bdi>{providerName}</bdi>} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        {isSaved && !refused && <Notice tone="good" title="Your answers are saved." />}
        {isMoved && !refused && <Notice tone="good" title="It is moved. This is the new time." />}
        {told && <Told {...told} path={path} />}
        <Status appointment={appointment} isLive={isLive} canCancel={canCancel} />
        <div className="text-left">
          <AppointmentFacts appointment={appointment} />
        </div>
        {isAsking && <AskToCancel path={path} refused={refused} />}
        {isLive && !isAsking && (
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink isFile to={`${path}/daybook.ics`}>
              Add to calendar
            </ButtonLink>
            {hasQuestions && !isAnswering && (
              <ButtonLink quiet to={`${path}?step=answers#answers`}>
                Change my answers
              </ButtonLink>
            )}
            {canCancel && (
              <ButtonLink quiet to={`${path}/move?provider=${provider}`}>
                Change the time
              </ButtonLink>
            )}
            {canCancel && (
              <ButtonLink quiet to={`${path}?step=cancel`}>
                Cancel
              </ButtonLink>
            )}
          </div>
        )}
        {hasQuestions && isLive && isAnswering && (
          <Questions template={template} appointment={appointment} refused={refused} />
        )}
        {hasQuestions && !(isLive && isAnswering) && answers.length > 0 && (
          <div className="text-left">
            <AnswerTable answers={answers} questions={template.questions} />
          </div>
        )}
        {isLive && <Keep link={link} subject={`Appointment with ${providerName}`} />}
        <p>
          <TextLink to={`/with/${provider}`}>More times with {providerName}</TextLink>
        </p>
      </Sheet>
    </Page>
  );
}

/** What the provider has done to the booking, until whoever booked has seen it. */
const Told = ({ title, text, path }: { title: string; text: string; path: string }) => (
  <Notice tone="warn" title={title}>
    <p>{text}</p>
    <PostForm action={path}>
      <Button name="intent" value="seen">
        I have seen it
      </Button>
    </PostForm>
  </Notice>
);

type StatusProps = { appointment: Appointment; isLive: boolean; canCancel: boolean };

function Status({ appointment, isLive, canCancel }: StatusProps) {
  const { bookerName, canceledBy, cancelReason, providerName } = appointment;
  if (appointment.status === status.canceled) {
    return (
      <div className="grid gap-2">
        <p className="font-semibold text-accent">This appointment is canceled.</p>
        {canceledBy === 'provider' && <p>{`${providerName} has canceled it.`}</p>}
        {cancelReason && (
          <p className="whitespace-pre-line">
            <bdi>{cancelReason}</bdi>
          </p>
        )}
      </div>
    );
  }
  if (!isLive) return <p className="text-muted">It has started, so it can't be canceled any more.</p>;
  const { startsAt, changeableUntil } = appointment;
  const hasDeadline = (changeableUntil ?? startsAt) !== startsAt;
  return (
    <div className="grid gap-2">
      <p role="status" className="font-semibold text-good">
        Booked for <bdi>{bookerName}</bdi>.
      </p>
      {canCancel
        ? hasDeadline && <p className="text-muted">{`You can cancel until ${deadlineWords(appointment)}.`}</p>
        : tooLate(appointment)}
    </div>
  );
}

const tooLate = (appointment: Appointment) => <p className="text-muted">{tooLateWords(appointment)}</p>;

const AskToCancel = ({ path, refused }: { path: string; refused?: Refusal }) => (
  <PostForm action={path} className="grid gap-4 text-left">
    <h2 className="text-center text-xl">Cancel this appointment?</h2>
    <TextArea name="reason" label="Reason" maxLength={limits.reason} refused={refused} isOptional />
    <div className="flex flex-wrap justify-center gap-3">
      <Button name="intent" value="cancel">
        Yes, cancel it
      </Button>
      <ButtonLink quiet to={path}>
        Keep it
      </ButtonLink>
    </div>
  </PostForm>
);

type QuestionsProps = { template: Template; appointment: Appointment; refused?: Refusal };

const Questions = ({ template, appointment: { answers }, refused }: QuestionsProps) => (
  <PostForm id="answers" className="grid gap-5 text-left">
    <QuestionFields
      questions={template.questions}
      valuesOf={(question) =>
        refused ? (refused.typed[answerField(question)] ?? []) : answeredValues(question, answers)
      }
      refused={refused}
    />
    <div>
      <Button name="intent" value="answers">
        Save answers
      </Button>
    </div>
  </PostForm>
);
