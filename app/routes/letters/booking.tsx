import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { AnswerTable } from '../../components/AnswerTable';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextArea } from '../../components/forms/Field';
import { PostForm } from '../../components/forms/Form';
import { QuestionFields } from '../../components/forms/QuestionField';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { NotInFrame } from '../../components/frame/shell';
import { letterTitled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { AppointmentFacts } from '../../components/times/AppointmentFacts';
import { AskForDeposit } from '../../components/times/AskForDeposit';
import { CancelUntil, TooLateToChange } from '../../components/times/Deadline';
import { AllToCalendar, AlsoLater, laterIn, SeriesList } from '../../components/times/Series';
import { WebCalendars } from '../../components/times/WebCalendars';
import { useWords } from '../../components/words';
import { type Appointment, cancellation } from '../../domain/bookings/appointments';
import { cancelAppointment, submitAnswers } from '../../domain/bookings/book.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { depositWithCode } from '../../domain/bookings/deposit-code.server';
import { getByKey, linkedBooking } from '../../domain/bookings/link-owners.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOf } from '../../domain/bookings/template-of.server';
import { appointmentTitle } from '../../domain/calendar/entries';
import { invalid, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { findUnseen, markSeenByLink } from '../../domain/messages/news.server';
import { noticeLine } from '../../domain/messages/notices';
import { mailedTo } from '../../domain/messages/ways';
import { findWaysByLink } from '../../domain/messages/ways.server';
import { sendWithheldMailByLink } from '../../domain/messages/withheld-booking-mail.server';
import { setBookingEmail } from '../../domain/parties/link-contact.server';
import { contact } from '../../domain/parties/party-input';
import { providerWords } from '../../domain/profile/former';
import { listSeriesByLink } from '../../domain/series/appointments.server';
import { locationOf } from '../../domain/services/where';
import { providerInShop } from '../../domain/shop/in-shop';
import { answersFromForm, type Template } from '../../domain/templates/questions';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { moveToReader } from '../../http/linked.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { waitPath } from '../with/paths';
import { ContactForm } from './ContactForm';
import { InAccount } from './InAccount';
import { Keep } from './Keep';
import { WhereMailGoes } from './WhereMailGoes';

const timesOf = ({ startsAt, endsAt }: Appointment) => ({ startsAt, endsAt });

export const handle = { isLetter: true };
export const meta = letterTitled(msg`Your appointment`, msg`An appointment, for whoever has its link.`);

/** A booking, for whoever has its personal link. The query says which of its forms is open. */
export const loader = pageLoader('anyone', async (context, { params: { key = '' }, url }) => {
  const { db, now, links, pageHeaders, hasMail } = context;
  const [{ appointment }, template, told, ways, series] = await Promise.all([
    getByKey(db, links, key),
    findTemplateOf(db, 'booking', key),
    findUnseen(db, key),
    findWaysByLink(db, key, hasMail),
    listSeriesByLink(db, links, key),
  ]);
  const notice = told && noticeLine(told, appointment.timeZone);
  const isLive = appointment.status === status.booked && appointment.startsAt > now;
  // Forms without script need the policy that all pages have.
  if (!isLive && !told) pageHeaders['Referrer-Policy'] = 'no-referrer';
  const path = paths.booking(key);
  const step = url.searchParams.get('step');
  const isSaved = url.searchParams.has('saved');
  const canCancel = isLive && isChangeable(appointment, now);
  return {
    appointment,
    template: template ?? null,
    told: notice && { ...notice, isCancellation: told?.kind === 'canceled' },
    series,
    isSeriesBooked: url.searchParams.has('series'),
    isMoved: url.searchParams.has('moved'),
    isInAccount: url.searchParams.has('joined'),
    isLive,
    canCancel,
    deposit: isLive ? depositWithCode(appointment, step === 'code') : null,
    mailedTo: mailedTo(ways),
    withheld: ways?.withheld ?? null,
    email: ways?.bookerEmail ?? null,
    canChangeEmail: hasMail && isLive && appointment.username === null,
    isContactSaved: url.searchParams.has('contact'),
    toProvider: ways?.toProvider ?? 'news',
    path,
    bookingKey: key,
    link: url.origin + path,
    step,
    isSaved,
  };
});

export const action = formAction('anyone', async (context, typed, { params: { key = '' } }) => {
  const { db, now, links } = context;
  const { appointment, owner } = await getByKey(db, links, key);
  const { id } = appointment;
  const intent = typed.intent?.[0];
  if (intent === 'answers') {
    await submitAnswers(db, owner, { id, submitted: (questions) => answersFromForm(questions, typed) }, now);
    return redirect(paths.booking(key, { saved: 'answers' }), 303);
  }
  if (intent === 'contact') {
    const { email } = parse(contact, fields(typed));
    await setBookingEmail(db, owner, email, { now, origin: await originOf(context) });
    return redirect(paths.booking(key, { contact: 'saved' }), 303);
  }
  if (intent === 'send-mail') {
    await sendWithheldMailByLink(db, owner, now);
    return redirect(paths.booking(key), 303);
  }
  if (intent === 'seen') {
    await markSeenByLink(db, key);
    return redirect(paths.booking(key), 303);
  }
  if (intent === 'keep') {
    await moveToReader(context, linkedBooking(owner), paths.booking(key));
    return redirect(paths.booking(key, { joined: 'yes' }), 303);
  }
  if (intent !== 'cancel') throw invalid(null, msg`Say what to do with this appointment.`);
  const following = typed.following?.[0] === 'true';
  await cancelAppointment(db, owner, { id, ...parse(cancellation, fields(typed)), following }, now);
  return redirect(paths.booking(key), 303);
});

export default function Booking() {
  const {
    series,
    isSeriesBooked,
    appointment,
    template,
    told,
    isLive,
    canCancel,
    deposit,
    mailedTo,
    withheld,
    email,
    canChangeEmail,
    isContactSaved,
    toProvider,
    path,
    bookingKey,
    link,
    step,
    isSaved,
    isMoved,
    isInAccount,
  } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const { provider, providerName, answers } = appointment;
  const name = words(providerInShop(appointment, true));
  const { length: count } = series;
  const hasQuestions = template !== null && template.questions.length > 0;
  // Whom to ring stands once, where it says that nothing can be changed here.
  const isPhoneSaid = isLive && !canCancel && !told?.isCancellation;
  const isAsking = canCancel && (step === 'cancel' || refused?.typed.intent?.[0] === 'cancel');
  // The open code takes the room of what is not needed to pay, so that the letter stays small.
  const isPaying = deposit?.code != null;
  const isAnswering = step === 'answers' || refused?.typed.intent?.[0] === 'answers' || appointment.answeredAt === null;
  return (
    <Page title={t`Your appointment`} subtitle={<bdi>{name}</bdi>} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        {isSaved && !refused && <Notice tone="good" title={t`Your answers are saved.`} />}
        {isContactSaved && !refused && <Notice tone="good" title={t`Saved: the next mails go there.`} />}
        {isSeriesBooked && !refused && (
          <Notice
            tone="good"
            title={<Plural value={count} one="# appointment is booked." other="All # appointments are booked." />}
          />
        )}
        {isMoved && !refused && <Notice tone="good" title={t`It is moved. This is the new time.`} />}
        {isInAccount && !refused && appointment.username !== null && (
          <Notice tone="good" title={t`It is in your account now. This link still opens it.`} />
        )}
        {told && (
          <HostNotice {...told} path={path}>
            {told.isCancellation && <AnotherTime {...appointment} />}
          </HostNotice>
        )}
        {!told?.isCancellation && (
          <>
            <Status appointment={appointment} isLive={isLive} canCancel={canCancel} />
            <AnotherTime {...appointment} />
          </>
        )}
        {isLive && !isAsking && (
          <WhereMailGoes
            goesTo={mailedTo && t`The appointment with this link is mailed to ${mailedTo}.`}
            withheld={withheld}
            path={path}
          />
        )}
        {deposit && !isAsking && <AskForDeposit deposit={deposit} codeAt={`${path}?step=code#code`} />}
        {isPaying && (
          <p>
            <TextLink to={path}>
              <Trans>Back to the appointment</Trans>
            </TextLink>
          </p>
        )}
        <NotInFrame>
          {canChangeEmail && !isAsking && !isPaying && <ContactForm email={email} action={path} refused={refused} />}
        </NotInFrame>
        <div className="text-start">
          <AppointmentFacts appointment={isPhoneSaid ? { ...appointment, providerPhone: null } : appointment} />
        </div>
        {series.length > 1 && (
          <SeriesList
            list={series}
            id={appointment.id}
            pathOf={(one) => series.find(({ id }) => id === one.id)?.to ?? path}
          />
        )}
        {isAsking && (
          <AskToCancel path={path} refused={refused} later={laterIn(series, appointment)}>
            <HowTold name={providerName} way={toProvider} withReason />
          </AskToCancel>
        )}
        {isLive && !isAsking && (
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink isFile to={paths.bookingFile(bookingKey)}>
              <Trans>Add to calendar</Trans>
            </ButtonLink>
            <AllToCalendar list={series} file={paths.bookingFile(bookingKey, { series: 'yes' })} />
            <NotInFrame>
              {hasQuestions && !isAnswering && (
                <ButtonLink quiet to={`${path}?step=answers#answers`}>
                  <Trans>Change my answers</Trans>
                </ButtonLink>
              )}
            </NotInFrame>
            {canCancel && (
              <ButtonLink quiet to={paths.moveBooking(bookingKey)}>
                <Trans>Change the time</Trans>
              </ButtonLink>
            )}
            <NotInFrame>
              <ButtonLink quiet to={paths.bookingAgain(bookingKey)}>
                <Trans>The same time again</Trans>
              </ButtonLink>
            </NotInFrame>
            {canCancel && (
              <ButtonLink ends to={`${path}?step=cancel`}>
                <Trans context="appointment">Cancel</Trans>
              </ButtonLink>
            )}
          </div>
        )}
        <NotInFrame>
          {canCancel && !isAsking && !isPaying && provider && (
            <p>
              <TextLink to={waitPath(provider, { booking: bookingKey })}>
                <Trans>Tell me if an earlier time comes free</Trans>
              </TextLink>
            </p>
          )}
          {isLive && !isAsking && !isPaying && (
            <WebCalendars
              file={paths.bookingFile(bookingKey)}
              title={words(appointmentTitle(appointment.service?.name ?? null, name))}
              {...timesOf(appointment)}
              location={words(locationOf(appointment, appointment.providerAddress, false) ?? '')}
              link={link}
            />
          )}
        </NotInFrame>
        {hasQuestions && isLive && isAnswering && (
          <Questions template={template} appointment={appointment} refused={refused} />
        )}
        <NotInFrame>
          {hasQuestions && !(isLive && isAnswering) && answers.length > 0 && (
            <div className="text-start">
              <AnswerTable answers={answers} questions={template.questions} />
            </div>
          )}
          {isLive && !isAsking && !isPaying && (
            <InAccount username={appointment.username} letter={path} own={paths.appointment(appointment.id)} />
          )}
        </NotInFrame>
        {isLive && !isAsking && !isPaying && (
          <Keep link={link} subject={t`Appointment with ${{ providerName: name }}`} canChange={canCancel} />
        )}
        {provider && appointment.status !== status.canceled && (
          <p>
            <TextLink to={paths.provider(provider)}>
              <Trans>More times with {providerName}</Trans>
            </TextLink>
          </p>
        )}
      </Sheet>
    </Page>
  );
}

type HostNoticeProps = { title: Words; text: Words; path: string; children?: ReactNode };

/** The provider's change, until the booker has seen it. */
function HostNotice({ title, text, path, children }: HostNoticeProps) {
  const words = useWords();
  return (
    <Notice tone="warn" title={words(title)}>
      <p>{words(text)}</p>
      <PostForm action={path} className="flex flex-wrap justify-center gap-3">
        {children}
        <Button quiet name="intent" value="seen">
          <Trans>Mark as read</Trans>
        </Button>
      </PostForm>
    </Notice>
  );
}

/** The way to another time, once this one is canceled. */
const AnotherTime = ({ provider, status: now, service }: Appointment) =>
  provider !== '' &&
  now === status.canceled && (
    <div>
      <ButtonLink to={paths.provider(provider, { service: service?.id })}>
        <Trans>Book another time</Trans>
      </ButtonLink>
    </div>
  );

type StatusProps = { appointment: Appointment; isLive: boolean; canCancel: boolean };

function Status({ appointment, isLive, canCancel }: StatusProps) {
  const { bookerName, canceledBy, cancelReason, providerName } = appointment;
  const { t } = useLingui();
  const words = useWords();
  if (appointment.status === status.canceled) {
    const name = words(providerWords(providerName));
    return (
      <div className="grid gap-2">
        <p className="font-semibold text-accent">
          <Trans>This appointment is canceled.</Trans>
        </p>
        {canceledBy === 'provider' && <p>{t`It was canceled by ${name}.`}</p>}
        {cancelReason && (
          <p className="whitespace-pre-line">
            <bdi>{cancelReason}</bdi>
          </p>
        )}
      </div>
    );
  }
  if (!isLive) return <p className="text-muted">{t`It has started, so it can't be canceled any more.`}</p>;
  return (
    <div className="grid gap-2">
      <p role="status" className="font-semibold text-good">
        <Trans>
          Booked for <bdi>{bookerName}</bdi>.
        </Trans>
      </p>
      {canCancel ? <CancelUntil {...appointment} /> : <TooLateToChange {...appointment} />}
    </div>
  );
}

type AskProps = { path: string; refused?: Refusal; later: number; children: ReactNode };

/** @param children how the provider hears of it */
function AskToCancel({ path, refused, later, children }: AskProps) {
  const { t } = useLingui();
  return (
    <PostForm action={path} className="grid gap-4 text-start">
      <h2 className="text-center text-xl">{t`Cancel this appointment?`}</h2>
      <p className="text-muted">{children}</p>
      <TextArea name="reason" label={t`Reason`} maxLength={limits.reason} refused={refused} isOptional />
      <AlsoLater count={later} isOn={refused?.typed.following !== undefined} />
      <div className="flex flex-wrap justify-center gap-3">
        <Button name="intent" value="cancel">
          {t`Yes, cancel it`}
        </Button>
        <ButtonLink quiet to={path}>
          {t`Keep it`}
        </ButtonLink>
      </div>
    </PostForm>
  );
}

type QuestionsProps = { template: Template; appointment: Appointment; refused?: Refusal };

const Questions = ({ template, appointment: { answers }, refused }: QuestionsProps) => (
  <PostForm id="answers" className="grid gap-5 text-start">
    <QuestionFields questions={template.questions} answers={answers} refused={refused} />
    <div>
      <Button name="intent" value="answers">
        <Trans>Save answers</Trans>
      </Button>
    </div>
  </PostForm>
);
