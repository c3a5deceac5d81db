import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Fragment } from 'react';
import type { BookPaths } from '../../book-paths';
import { Button, ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { GetForm } from '../../components/forms/GetForm';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { PrintButton } from '../../components/PrintButton';
import { NumberInTable, VideoLink } from '../../components/Reach';
import { ScrollRegion } from '../../components/ScrollRegion';
import { Steps } from '../../components/Steps';
import { Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { mark } from '../../domain/bookings/appointments';
import { markAll } from '../../domain/bookings/attendance.server';
import { paidWords } from '../../domain/bookings/deposits';
import { markPaid } from '../../domain/bookings/paid.server';
import { fullFrom, linesOnPaper } from '../../domain/calendar/paper';
import type { SheetLine, TextedLine } from '../../domain/calendar/sheet';
import { readDaySheet } from '../../domain/calendar/sheet.server';
import { readBusyTimesOf } from '../../domain/calendar/today.server';
import { findHours } from '../../domain/hours/hours.server';
import { countIn, parse } from '../../domain/input/fields';
import type { Attendance } from '../../domain/people/attendance-words';
import { attendanceSummary, attendanceWords } from '../../domain/people/attendance-words';
import { withTexts } from '../../domain/people/texts.server';
import { locationOf } from '../../domain/services/where';
import { addDays, dateWords, type LocalDate, wireDate } from '../../domain/time/clock';
import { dateOrToday, todayIn } from '../../domain/time/zones';
import { withCommas } from '../../domain/words/joined';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import styles from '../../styles/sheet.css?url';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled(msg`Day sheet`);

const dayPath = (desk: BookPaths, date: LocalDate, query?: { marked: number }) =>
  desk.day({ date: wireDate(date), ...query });

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { url }) => {
    const { db, actor, now } = context;
    const date = dateOrToday(url.searchParams.get('date'), actor.timeZone, now);
    const [sheet, busy, hours, sender] = await Promise.all([
      readDaySheet(db, actor, date, now),
      readBusyTimesOf(db, actor, date),
      findHours(db, actor),
      senderOf(context, url),
    ]);
    const lines = await withTexts(sender, sheet.lines);
    const canBeClosed = hours !== undefined && date >= todayIn(actor.timeZone, now);
    const marked = countIn(url.searchParams.get('marked'));
    return { ...sheet, lines, busy, date, canBeClosed, zone: actor.timeZone, marked };
  }),
);

/** The fields of the form are named `as.` and the id of an appointment. */
const prefix = 'as.';
/** The name of the button that notes a deposit: this and the id. */
const paidPrefix = 'paid.';

export const action = formAction(
  'Provider',
  inBook(async ({ db, actor, now, desk }, typed, { url }) => {
    const marks = Object.entries(typed)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, [as]]) => parse(mark, { id: name.slice(prefix.length), as }));
    const paid = Object.entries(typed)
      .filter(([name]) => name.startsWith(paidPrefix))
      .map(([name, [value]]) => ({ id: name.slice(paidPrefix.length), paid: value === 'true' }));
    for (const one of paid) await markPaid(db, actor, one, now);
    const marked = paid.length > 0 ? paid.length : await markAll(db, actor, marks, now);
    const date = dateOrToday(url.searchParams.get('date'), actor.timeZone, now);
    if (typed.from?.[0] === 'home') return redirect(paths.home({ marked }), 303);
    return redirect(dayPath(desk, date, { marked }), 303);
  }),
);

const marks = Object.entries(attendanceWords) as [Attendance, Words][];
const walkIns = [1, 2, 3, 4];

export default function Day() {
  const desk = useBookPaths();
  const { lines, held, busy, isCut, date, canBeClosed, zone, marked } = useLoaderData<typeof loader>();
  const { book } = useShell();
  const { t } = useLingui();
  const words = useWords();
  const full = words(dateWords(date).full);
  const refused = useRefusal();
  const count = lines.length;
  const begun = lines.filter(({ hasBegun }) => hasBegun);
  return (
    <Page title={t`Day sheet`} subtitle={full}>
      <ErrorSummary refused={refused} />
      {marked !== null && !refused && (
        <Notice
          tone="good"
          title={
            <Plural
              value={marked}
              _0="Nothing had to change."
              _1="One mark has changed."
              one="# mark has changed."
              other="# marks have changed."
            />
          }
        />
      )}
      <Steps
        label={t`Days`}
        before={{ to: dayPath(desk, addDays(date, -1)), words: t`Day before` }}
        now={{ to: desk.day(), words: t`Today` }}
        after={{ to: dayPath(desk, addDays(date, 1)), words: t`Day after` }}
      >
        <TextLink to={desk.week({ from: wireDate(date) })}>
          <Trans>Week</Trans>
        </TextLink>
        {canBeClosed && !book && (
          <TextAction icon="cancel" to={`${paths.hours({ away: wireDate(date) })}#preview`}>
            <Trans>Away this day</Trans>
          </TextAction>
        )}
      </Steps>
      <div className="no-print flex flex-wrap items-end justify-between gap-3">
        <GetForm
          reloadDocument
          action={desk.day()}
          className="grid w-full max-w-sm grid-cols-[1fr_auto] items-end gap-3"
        >
          <TextField name="date" label={t`Date`} type="date" required key={date} defaultValue={date} />
          <Button quiet>
            <Trans>Show day</Trans>
          </Button>
        </GetForm>
        <PrintButton>{t`Print the sheet`}</PrintButton>
      </div>
      <ScrollRegion label={t`The sheet`} className="sheet">
        <h2 className="text-xl">{full}</h2>
        <p className="text-sm text-muted">
          {count > 0 && (
            <>
              <Plural value={count} _1="One appointment." one="# appointment." other="# appointments." />{' '}
            </>
          )}
          <Trans>
            Times are in <Zone zone={zone} />.
          </Trans>
        </p>
        {isCut && (
          <p>
            <Trans>There are more than fit here.</Trans>
          </p>
        )}
        {held
          .map((span) => words(span.words))
          .map((line) => (
            <p key={line}>{line}</p>
          ))}
        {lines.length === 0 && (
          <Empty
            next={
              <ButtonLink to={desk.createTimes({ date: wireDate(date) })}>
                <Trans>Create appointments</Trans>
              </ButtonLink>
            }
          >
            <Trans>No appointments on this day. Who books one stands here, with answers and your notes.</Trans>
          </Empty>
        )}
        <table className={sheetClass(lines)}>
          <caption className="sr-only">
            <Trans>Appointments of {full}</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">{t({ message: 'Came', context: 'whether they came' })}</th>
              <th scope="col">{t`Time`}</th>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`Answers and note`}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, place) => (
              <Fragment key={line.id}>
                {line.classId !== null && line.classId !== lines[place - 1]?.classId && (
                  <ClassRow line={line} lines={lines} />
                )}
                <SheetRow line={line} date={date} />
              </Fragment>
            ))}
            {walkIns.map((line) => (
              <tr key={line} className="walk-in">
                <td>
                  <span className="tick" />
                </td>
                <td />
                <td />
                <td />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {busy.length > 0 && (
        <Card title={<Trans>Also on this day</Trans>}>
          <ul className="grid gap-1">
            {busy
              .map((span) => words(withCommas([span.times, span.words])))
              .map((line) => (
                <li key={line}>{line}</li>
              ))}
          </ul>
        </Card>
      )}
      {begun.length > 0 && (
        <div className="no-print">
          <Fold summary={t`Who came, was excused or missed it`} isOpen={refused !== undefined}>
            <PostForm className="grid gap-4">
              {begun.map((line) => (
                <fieldset key={line.id} className="grid gap-1 border-b border-dashed border-rule pb-3">
                  <legend className="font-semibold">
                    {words(line.times)} <bdi>{line.name}</bdi>
                    {line.service && <span className="text-muted">{`, ${line.service}`}</span>}
                  </legend>
                  <div className="flex flex-wrap gap-x-5">
                    {marks.map(([as, mark]) => (
                      <label key={as} className="flex min-h-11 items-center gap-2">
                        <input
                          type="radio"
                          name={`${prefix}${line.id}`}
                          value={as}
                          defaultChecked={(refused?.typed[`${prefix}${line.id}`]?.[0] ?? line.attendance) === as}
                          className="size-5 accent-accent"
                        />
                        {words(mark)}
                      </label>
                    ))}
                  </div>
                </fieldset>
              ))}
              <div>
                <Submit>
                  <Trans>Save all marks</Trans>
                </Submit>
              </div>
            </PostForm>
          </Fold>
        </div>
      )}
    </Page>
  );
}

/** The class for print: how small the sheet is, and how many lines the answers get. */
const sheetClass = (lines: SheetLine[]) =>
  lines.length === 0 ? 'is-empty' : `said-${linesOnPaper(lines)}${lines.length >= fullFrom ? ' is-full' : ''}`;

function ClassRow({ line: { classId, times, service }, lines }: { line: SheetLine; lines: SheetLine[] }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const people = lines.reduce((sum, one) => sum + (one.classId === classId ? one.people : 0), 0);
  return (
    <tr className="class-row">
      <th scope="rowgroup" colSpan={4}>
        <a href={desk.providerDetails(classId ?? '')}>
          {`${words(times)}, ${service ?? t`Class`}, `}
          <Plural value={people} one="# person" other="# people" />
        </a>
      </th>
    </tr>
  );
}

function SheetRow({ line, date }: { line: TextedLine; date: LocalDate }) {
  const desk = useBookPaths();
  const {
    id,
    times,
    name,
    username,
    service,
    people,
    classId,
    deposit,
    paid,
    phone,
    text,
    answers,
    lacksAnswers,
    privateNote,
    attendance,
    attendanceCounts,
  } = line;
  const { hasBegun, isStanding, by } = line;
  const { t } = useLingui();
  const words = useWords();
  const more = people - 1;
  const record = attendanceSummary(attendanceCounts);
  const at = locationOf(line, null, true);
  return (
    <tr>
      <td>
        {hasBegun && (
          <PostForm action={dayPath(desk, date)}>
            <button
              type="submit"
              name={`${prefix}${id}`}
              value={attendance === 'seen' ? 'unknown' : 'seen'}
              aria-pressed={attendance === 'seen'}
              aria-label={t`${name} came`}
              className={`tick is-${attendance}`}
            />
          </PostForm>
        )}
        <span
          className={`tick is-${attendance}${hasBegun ? ' paper-only' : ''}`}
          role="img"
          aria-label={words(attendanceWords[attendance])}
        />
      </td>
      <td>{words(times)}</td>
      <th scope="row">
        <a href={desk.providerDetails(id)}>
          <bdi>{name}</bdi>
        </a>
        {more > 0 && (
          <small>
            {' '}
            <Plural value={more} one="and # more" other="and # more" />
          </small>
        )}
        {username && <small> {username}</small>}
        {service && classId === null && <span className="service">{service}</span>}
        {isStanding && (
          <small>
            {' '}
            <Trans>Standing time</Trans>
          </small>
        )}
        {by && (
          <small>
            {' '}
            <Trans context="who of the shop did it">
              by <bdi>{by}</bdi>
            </Trans>
          </small>
        )}
        {at && (
          <small className="record">
            {line.where === 'video' && line.place ? <VideoLink href={line.place} /> : words(at)}
          </small>
        )}
        {deposit && (
          <PostForm action={dayPath(desk, date)}>
            <small>
              {words(paidWords(deposit, paid))}{' '}
              <button
                type="submit"
                name={`${paidPrefix}${id}`}
                value={String(!paid)}
                aria-pressed={paid}
                aria-label={t`The deposit of ${name} has come`}
                className={`tick ${paid ? 'is-seen' : 'is-unknown'}`}
              />
            </small>
          </PostForm>
        )}
        {phone && <NumberInTable phone={phone} name={name} text={text} />}
        {record && <small className="record">{words(record)}</small>}
      </th>
      <td>
        <div className="said">
          {privateNote && (
            <span>
              <i>
                <Trans>Note</Trans>
              </i>{' '}
              {privateNote}{' '}
            </span>
          )}
          {lacksAnswers && (
            <span>
              <Trans>Answers are owed.</Trans>{' '}
            </span>
          )}
          {answers.map(({ question, answer }) => (
            <span key={question}>
              <i>{question}</i> {answer}{' '}
            </span>
          ))}
        </div>
      </td>
    </tr>
  );
}
