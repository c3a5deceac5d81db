import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { AnswerTable } from '../../components/AnswerTable';
import { ButtonLink, TextAction } from '../../components/Button';
import { Card, type Fact, Notice } from '../../components/Card';
import { Face } from '../../components/Face';
import { CancelForm } from '../../components/forms/CancelForm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { OfferAgain } from '../../components/forms/OfferAgain';
import { useRefusals } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { mailtoOf } from '../../components/mailto';
import { ReachIcons } from '../../components/Reach';
import { AppointmentFacts, Name } from '../../components/times/AppointmentFacts';
import { Cancellation, StatusBadge } from '../../components/times/AppointmentLine';
import { AllToCalendar, AlsoLater, laterIn, SeriesList } from '../../components/times/Series';
import { WithheldMail } from '../../components/WithheldMail';
import { useWords } from '../../components/words';
import { booked, cancellation, mark } from '../../domain/bookings/appointments';
import { markAttendance } from '../../domain/bookings/attendance.server';
import { cancelAppointment } from '../../domain/bookings/book.server';
import { bookForPerson } from '../../domain/bookings/book-for.server';
import { referenceOf } from '../../domain/bookings/deposits';
import { markPaid } from '../../domain/bookings/paid.server';
import { codeWords } from '../../domain/bookings/paper-codes';
import { getOwnSlot } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { bookFor, findMadeLink, replaceBookingLink, setNote, walkInOf } from '../../domain/bookings/walk-ins.server';
import { isPassedOn } from '../../domain/bookings/with-colleague.server';
import { invalid } from '../../domain/errors';
import { walkIn } from '../../domain/guests/guests';
import { findHours } from '../../domain/hours/hours.server';
import { isWanted } from '../../domain/hours/planned-slots';
import { parse } from '../../domain/input/fields';
import { bookingPath } from '../../domain/links.server';
import { listMembers } from '../../domain/messages/class-members.server';
import { wayWords } from '../../domain/messages/ways';
import { findWays } from '../../domain/messages/ways.server';
import { findWithheldBookingMail, sendWithheldBookingMail } from '../../domain/messages/withheld-booking-mail.server';
import { type AttendanceCounts, visitsWords } from '../../domain/people/attendance-words';
import { findRecord, listPeople } from '../../domain/people/people.server';
import { aboutBooking, withText, withTexts } from '../../domain/people/texts.server';
import { qrCodeOf } from '../../domain/qr-code.server';
import { listSeries } from '../../domain/series/appointments.server';
import { listServices } from '../../domain/services/services.server';
import { change, changed } from '../../domain/slots/change';
import { changeOpenSlots } from '../../domain/slots/change.server';
import { answersFromForm, hasAnswers, type Question } from '../../domain/templates/questions';
import { listNamesForOpen } from '../../domain/templates/templates.server';
import { type Instant, wireDate } from '../../domain/time/clock';
import { inBook } from '../../http/book-of.server';
import { fields, onceOf } from '../../http/form.server';
import { isMadeLately, madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import { ChangeOpen } from './ChangeOpen';
import { ClassPeople, HowMembersAreTold } from './ClassPeople';
import { ForSomeone } from './ForSomeone';
import { ForYou } from './ForYou';
import { MadeLink } from './MadeLink';
import { MarkAttendance, markedWords } from './MarkAttendance';
import { MarkPaid } from './MarkPaid';

export const meta = titled(msg`Appointment`);

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { params: { id = '' }, url }) => {
    const { db, actor, now, links, hasMail, desk } = context;
    const isMade = isMadeLately(context, id, url);
    const q = url.searchParams.get('q') ?? '';
    const serviceId = url.searchParams.get('service');
    const [
      appointment,
      template,
      made,
      record,
      templates,
      hours,
      ways,
      withheld,
      known,
      members,
      services,
      series,
      sender,
    ] = await Promise.all([
      getOwnSlot(db, actor, id),
      findTemplateOfSlot(db, id, serviceId),
      isMade ? findMadeLink(db, links, actor, id) : null,
      findRecord(db, actor, id),
      listNamesForOpen(db, actor, id),
      findHours(db, actor),
      findWays(db, id, hasMail),
      hasMail ? findWithheldBookingMail(db, actor, id) : null,
      q.trim() === '' ? null : listPeople(db, actor, { q, page: 0 }, now),
      listMembers(db, actor, id, hasMail),
      listServices(db, actor),
      listSeries(db, actor, id),
      senderOf(context, url),
    ]);
    if (appointment.movedTo && !isPassedOn(appointment)) throw redirect(desk.providerView(appointment.movedTo));
    const phone = appointment.bookerPhone ?? record?.phone ?? null;
    const about = ways ? aboutBooking(appointment, ways, phone) : null;
    const madeLink = made && url.origin + bookingPath(links, made.linkSource);
    return {
      record,
      known: { q, found: known?.rows ?? null },
      members: await withTexts(sender, members),
      ...(await withText(sender, { phone, about })),
      // Only services for one person at a time fit into free time.
      services: services.filter(({ isOffered, seats }) => isOffered && seats === 1),
      serviceId,
      // The provider need not read their own address and phone number.
      appointment: { ...appointment, providerAddress: null, providerPhone: null },
      isAhead: appointment.startsAt > now,
      isOver: appointment.endsAt <= now,
      questions: template?.questions ?? [],
      isTimeWanted: hours !== undefined && isWanted(hours, appointment, now),
      madeLink: madeLink && {
        link: madeLink,
        qr: qrCodeOf(madeLink),
        code: made.code && codeWords(made.code),
        at: url.host + paths.paperCode(),
        isRenewed: url.searchParams.has('renewed'),
      },
      templates,
      way: ways?.toBooker ?? 'call',
      toldBooker: ways?.toldBooker ?? 'call',
      changed: url.searchParams.get('changed'),
      series,
      isSeriesBooked: url.searchParams.has('series'),
      isMoved: url.searchParams.has('moved'),
      saved: url.searchParams.get('saved'),
      withheld,
      isMailed: url.searchParams.has('mailed'),
    };
  }),
);

/** The service, the number of people, and the address where it takes place, of a booking that the provider makes for somebody. */
const serviceFields = z.object({
  service: booked.shape.service,
  people: booked.shape.people,
  address: walkIn.shape.address,
});

export const action = formAction(
  'Provider',
  inBook(async (context, typed, { params: { id = '' } }) => {
    const { db, actor, now, links, desk } = context;
    const showLink = (madeAt: Instant, bookingId: string, of?: { isRenewed: boolean }) =>
      redirect(madePath(context, bookingId, madeAt, of), 303);
    switch (typed.intent?.[0]) {
      case 'book-for': {
        const submitted = hasAnswers(typed) ? (questions: Question[]) => answersFromForm(questions, typed) : null;
        const key = onceOf(typed);
        const { service, people, address } = parse(serviceFields, fields(typed));
        const [personId] = typed.personId ?? [];
        if (personId) {
          const wish = { id, service, people, personId, note: null, phone: null, address, key, submitted: null };
          const booking = await bookForPerson(db, links, actor, wish, now);
          return showLink(booking.bookedAt, booking.id);
        }
        const client = { id, ...parse(walkIn, fields(typed)), key, submitted };
        const booking = await bookFor(db, actor, { id, service, people }, walkInOf(links, actor, client), now);
        return showLink(booking.bookedAt, booking.id);
      }
      case 'new-link':
        await replaceBookingLink(db, links, actor, id, now);
        return showLink(now, id, { isRenewed: true });
      case 'change': {
        const form = fields(typed);
        const { for: scope = 'slot' } = parse(changed, { ...form, id });
        const count = await changeOpenSlots(db, actor, { id, scope, ...parse(change, form) }, now);
        return redirect(desk.providerDetails(id, { changed: count }), 303);
      }
      case 'send-mail':
        await sendWithheldBookingMail(db, actor, id, now);
        return redirect(desk.providerDetails(id, { mailed: 'yes' }), 303);
      case 'note':
        await setNote(db, actor, { id, ...parse(z.object({ note: walkIn.shape.note }), fields(typed)) }, now);
        return redirect(desk.providerDetails(id, { saved: 'note' }), 303);
      case 'mark':
        await markAttendance(db, actor, parse(mark, { id, as: typed.as?.[0] }), now);
        return redirect(desk.providerDetails(id, { saved: 'mark' }), 303);
      case 'paid':
        await markPaid(db, actor, { id, paid: typed.paid?.[0] === 'true' }, now);
        return redirect(desk.providerDetails(id, { saved: 'paid' }), 303);
      // The page's main form cancels, so a form without an intent means that.
      case undefined:
      case 'cancel': {
        const republish = typed.republish?.[0] === 'true';
        const following = typed.following?.[0] === 'true';
        const cancel = { id, ...parse(cancellation, fields(typed)), republish, following };
        await cancelAppointment(db, actor, cancel, now);
        const also = { following: following ? 'yes' : null, republished: republish ? 'yes' : null };
        return redirect(desk.booked({ canceled: id, ...also }), 303);
      }
      default:
        throw invalid(null, msg`Say what to do with this appointment.`);
    }
  }),
);

export default function Details() {
  const desk = useBookPaths();
  const { book } = useShell();
  const { t } = useLingui();
  const words = useWords();
  const {
    record,
    known,
    appointment,
    isAhead,
    isOver,
    questions,
    isTimeWanted,
    templates,
    way,
    changed,
    madeLink,
    phone,
    text,
    ...done
  } = useLoaderData<typeof loader>();
  const { series, isSeriesBooked, toldBooker, isMoved, saved, withheld, isMailed, members, services, serviceId } = done;
  const lacksAnswers = questions.length > 0 && appointment.answeredAt === null;
  const { refused, refusedFor } = useRefusals();
  const { id, bookerName, answers, seats } = appointment;
  const told = words(wayWords(bookerName ?? '', toldBooker, phone, false));
  const { length: count } = series;
  const reference = referenceOf(appointment);
  const isClass = seats > 1 && bookerName === null;
  const isSeat = seats > 1 && bookerName !== null;
  const isFilled = isClass && members.length > 0;
  const isWithdrawn = bookerName === null && !isClass;
  // Who of the provider's side has ended it; null if the reader did.
  const ownSide = appointment.by?.displayName ?? book?.displayName ?? null;
  const canMove = appointment.status === status.booked && isAhead && !isClass;
  return (
    <Page
      title={isClass ? t`Class` : t`Appointment`}
      subtitle={isClass ? appointment.service?.name : (bookerName ?? undefined)}
    >
      <ErrorSummary refused={refused} />
      {isSeriesBooked && !refused && (
        <Notice
          tone="good"
          title={
            <Trans>
              <Plural value={count} one="The appointment is booked." other="All # appointments are booked." /> {told}
            </Trans>
          }
        />
      )}
      {isMoved && !refused && <Notice tone="good" title={t`It is moved. ${told}`} />}
      {saved === 'note' && !refused && <Notice tone="good" title={t`Your note is saved.`} />}
      {saved === 'mark' && !refused && <Notice tone="good" title={words(markedWords(appointment.attendance))} />}
      {saved === 'paid' && !refused && (
        <Notice tone="good" title={appointment.paid ? t`Noted: the deposit has come.` : t`The mark is taken back.`} />
      )}
      {changed !== null && !refused && <Changed count={Number(changed)} />}
      {madeLink && <MadeLink {...madeLink} appointment={appointment} way={toldBooker} phone={phone} text={text} />}
      {withheld && <WithheldMail withheld={withheld} isTried={isMailed} />}
      {isMailed && !withheld && !refused && <Notice tone="good" title={t`The mail to ${bookerName} is on its way.`} />}
      <div className="columns">
        <Card>
          <div className="grid justify-items-start gap-2">
            {!isAhead && bookerName === null && appointment.status !== status.canceled ? (
              <span className="badge bg-paper text-muted">
                {isOver ? t({ message: 'Over', context: 'state' }) : t({ message: 'Under way', context: 'state' })}
              </span>
            ) : isClass && appointment.status === status.booked ? (
              <span className="badge bg-good-wash text-good">{t`Full`}</span>
            ) : (
              <StatusBadge {...appointment} />
            )}
            {appointment.canceledAt !== null && (
              <Cancellation
                at={appointment.canceledAt}
                by={appointment.canceledBy === 'provider' ? ownSide : (bookerName ?? '')}
                isWithdrawn={isWithdrawn}
                reason={appointment.cancelReason}
              />
            )}
          </div>
          {series.length > 1 && (
            <SeriesList list={series} id={id} pathOf={(appointment) => desk.providerDetails(appointment.id)} />
          )}
          <AppointmentFacts
            appointment={appointment}
            isProvider
            person={bookerName && <Client {...appointment} name={bookerName} phone={phone} text={text} />}
            own={[
              ...(isSeat ? ([[t`Class`, <ToClass key="class" slotId={appointment.slotId} />]] as Fact[]) : []),
              ...(appointment.by && appointment.status === status.booked
                ? ([
                    [
                      appointment.movedFrom ? t`Moved by` : t`Booked by`,
                      <bdi key="by">{appointment.by.displayName}</bdi>,
                    ],
                  ] as Fact[])
                : []),
              ...(record ? ([[t`Visits`, <Visits key="visits" {...record} />]] as Fact[]) : []),
              ...(reference
                ? ([
                    [t`Deposit`, <bdi key="deposit">{appointment.service?.deposit}</bdi>],
                    [
                      t`Reference`,
                      <bdi key="reference" dir="ltr">
                        {reference}
                      </bdi>,
                    ],
                  ] as Fact[])
                : []),
              ...(phone
                ? ([
                    [
                      t`Phone`,
                      <bdi key="phone" className="whitespace-nowrap">
                        {phone}
                      </bdi>,
                    ],
                  ] as Fact[])
                : []),
              ...(appointment.bookerEmail
                ? ([[t`E-mail`, <Email key="email" address={appointment.bookerEmail} />]] as Fact[])
                : []),
            ]}
          />
          {answers.length > 0 && <AnswerTable answers={answers} questions={questions} />}
          {appointment.attendance !== null && bookerName && (
            <MarkAttendance name={bookerName} attendance={appointment.attendance} />
          )}
          {reference && appointment.status === status.booked && (
            <MarkPaid deposit={appointment.service?.deposit ?? ''} isPaid={appointment.paid} />
          )}
          {lacksAnswers && bookerName && <p className="text-muted">{t`The questions are not answered yet.`}</p>}
          {canMove && (
            <div>
              <ButtonLink to={desk.move(id)}>{t`Move`}</ButtonLink>
            </div>
          )}
          {isFilled && !isAhead && appointment.status !== status.canceled && (
            <div>
              <ButtonLink to={desk.day({ date: wireDate(appointment.date) })}>{t`Mark who came`}</ButtonLink>
            </div>
          )}
          <div className="acts">
            {appointment.status === status.booked && !isClass && (
              <TextAction icon="again" to={desk.again(id)}>
                <Trans>The same time again</Trans>
              </TextAction>
            )}
            {bookerName && !book && (
              <TextAction icon="free" to={paths.appointmentFile(id)} isFile>
                {appointment.status === status.canceled ? t`Remove from calendar` : t`Add to calendar`}
              </TextAction>
            )}
            {!book && <AllToCalendar isText list={series} file={paths.appointmentFile(id, { series: 'yes' })} />}
            {isFilled && isAhead && (
              <CancelForm
                button={t`Cancel the class`}
                question={t`Cancel it for everyone?`}
                refused={refusedFor('cancel')}
              >
                <HowMembersAreTold members={members} />
              </CancelForm>
            )}
            {canMove && (
              <CancelForm
                button={t`Cancel Appointment`}
                question={t`Cancel this appointment?`}
                refused={refusedFor('cancel')}
                more={
                  <>
                    {!isSeat && <OfferAgain isOn={isTimeWanted} refused={refusedFor('cancel')} />}
                    <AlsoLater
                      count={laterIn(series, appointment)}
                      isOn={refusedFor('cancel')?.typed.following !== undefined}
                    />
                  </>
                }
              >
                {isSeat && `${t`The place is free for others again at once.`} `}
                <HowTold name={bookerName ?? ''} way={way} phone={phone} text={text} withReason />
              </CancelForm>
            )}
            {appointment.status === status.open && isAhead && !isFilled && (
              <CancelForm
                button={t`Remove this time`}
                question={t`Remove this time?`}
                refused={refusedFor('cancel')}
                hasReason={false}
              >
                <Trans>Nobody can book its time any more.</Trans>
              </CancelForm>
            )}
          </div>
        </Card>
        {isClass && appointment.status !== status.canceled && (
          <ClassPeople appointment={appointment} members={members} />
        )}
        {appointment.status === status.open && isAhead && (
          <ForSomeone {...{ appointment, known, questions, services, serviceId }} refused={refusedFor('book-for')} />
        )}
        {appointment.status === status.open && isAhead && (
          <ChangeOpen {...{ appointment, templates }} refused={refusedFor('change')} />
        )}
        {bookerName && <ForYou appointment={appointment} refusedFor={refusedFor} />}
      </div>
    </Page>
  );
}

const Changed = ({ count }: { count: number }) => (
  <Notice
    tone="good"
    title={
      <Plural
        value={count}
        one="One free time has these notes and questions now."
        other="# free times have these notes and questions now."
      />
    }
  />
);

type ClientProps = { name: string; username: string | null; phone: string | null; text: string | null };

const Client = ({ name, username, phone, text }: ClientProps) => (
  <div className="flex flex-wrap items-center gap-3">
    <Face name={name} />
    <p className="min-w-0 flex-1 basis-40 font-semibold break-words">
      {username ? (
        <Trans>
          <span className="sr-only">Booked by </span>
          <Name name={name} username={username} />
        </Trans>
      ) : (
        <Trans>
          <span className="sr-only">Booked by </span>
          <bdi>{name}</bdi> (guest)
        </Trans>
      )}
    </p>
    {phone && <ReachIcons {...{ phone, name, text }} />}
  </div>
);

const ToClass = ({ slotId }: { slotId: string }) => {
  const desk = useBookPaths();
  return (
    <a href={desk.providerDetails(slotId)} className="underline underline-offset-4">
      <Trans>All who come</Trans>
    </a>
  );
};

const Visits = ({ id, ...came }: AttendanceCounts & { id: string }) => {
  const desk = useBookPaths();
  return (
    <>
      {useWords()(visitsWords(came))}
      <a href={desk.person(id)} className="block underline underline-offset-4">
        <Trans>All appointments</Trans>
      </a>
    </>
  );
};

const Email = ({ address }: { address: string }) => (
  <a href={mailtoOf(address)} className="underline underline-offset-4">
    {address}
  </a>
);
