import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Fragment } from 'react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, Notice, RefusalNotice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { PrintButton } from '../../components/PrintButton';
import { NumberInTable } from '../../components/Reach';
import { ScrollRegion } from '../../components/ScrollRegion';
import { Steps } from '../../components/Steps';
import { Zone } from '../../components/times/Time';
import { mark } from '../../domain/bookings/appointments';
import { markAll } from '../../domain/bookings/attendance.server';
import { fullFrom, linesOnPaper } from '../../domain/calendar/paper';
import type { SheetLine } from '../../domain/calendar/sheet';
import { readDaySheet } from '../../domain/calendar/sheet.server';
import { readBusyTimesOf } from '../../domain/calendar/today.server';
import { countIn, parse } from '../../domain/input/fields';
import type { Attendance } from '../../domain/people/attendance-words';
import { attendanceSummary, attendanceWords } from '../../domain/people/attendance-words';
import {
  addDays,
  dateWords,
  type Instant,
  isLocalDate,
  type LocalDate,
  parseWireDate,
  wireDate,
} from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import styles from '../../styles/sheet.css?url';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled('Day sheet');

const dayPath = (date: LocalDate) => paths.day({ date: wireDate(date) });

/** The day in the address, as a link writes it or as the date field sends it; else today. */
function dateIn({ searchParams }: URL, timeZone: string, now: Instant): LocalDate {
  const text = searchParams.get('date') ?? '';
  return isLocalDate(text) ? text : (parseWireDate(text) ?? todayIn(timeZone, now));
}

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const date = dateIn(url, actor.timeZone, now);
  const [sheet, busy] = await Promise.all([readDaySheet(db, actor, date, now), readBusyTimesOf(db, actor, date)]);
  return { ...sheet, busy, date, zone: actor.timeZone, marked: countIn(url.searchParams.get('marked')) };
});

const markedWords = (count: number) =>
  count === 0 ? 'Nothing had to change.' : count === 1 ? 'One mark has changed.' : `${count} marks have changed.`;

/** The fields of the form are named `as.` and the id of an appointment. */
const prefix = 'as.';

export const action = formAction('Provider', async ({ db, actor, now }, typed, { url }) => {
  const marks = Object.entries(typed)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, [as]]) => parse(mark, { id: name.slice(prefix.length), as }));
  const marked = await markAll(db, actor, marks, now);
  const date = dateIn(url, actor.timeZone, now);
  if (typed.from?.[0] === 'home') return redirect(paths.home({ marked }), 303);
  return redirect(`${dayPath(date)}&marked=${marked}`, 303);
});

const marks = Object.entries(attendanceWords) as [Attendance, string][];
const walkIns = [1, 2, 3, 4];

export default function Day() {
  const { lines, held, busy, isCut, date, zone, marked } = useLoaderData<typeof loader>();
  const { full } = dateWords(date);
  const refused = useRefusal();
  const begun = lines.filter(({ hasBegun }) => hasBegun);
  return (
    <Page title="Day sheet" subtitle={full}>
      <RefusalNotice refused={refused} />
      {marked !== null && !refused && <Notice tone="good" title={markedWords(marked)} />}
      <Steps
        label="Days"
        before={{ to: dayPath(addDays(date, -1)), words: 'Day before' }}
        now={{ to: paths.day(), words: 'Today' }}
        after={{ to: dayPath(addDays(date, 1)), words: 'Day after' }}
      >
        <TextLink to={paths.week({ from: wireDate(date) })}>Week</TextLink>
      </Steps>
      <div className="no-print flex flex-wrap items-end justify-between gap-3">
        <form method="get" action={paths.day()} className="grid w-full max-w-sm grid-cols-[1fr_auto] items-end gap-3">
          <TextField name="date" label="Date" type="date" required key={date} defaultValue={date} />
          <Button quiet>Show day</Button>
        </form>
        <PrintButton>Print the sheet</PrintButton>
      </div>
      <ScrollRegion label="The sheet" className="sheet">
        <h2 className="text-xl">{full}</h2>
        <p className="text-sm text-muted">
          {countWords(lines.length)}Times are in <Zone zone={zone} />.
        </p>
        {isCut && <p>There are more than fit here.</p>}
        {held.map((words) => (
          <p key={words}>{words}</p>
        ))}
        {lines.length === 0 && (
          <Empty next={<ButtonLink to={paths.createTimes({ date: wireDate(date) })}>Create appointments</ButtonLink>}>
            No appointments on this day. Who books one stands here, with answers and your notes.
          </Empty>
        )}
        <table className={sheetClass(lines)}>
          <caption className="sr-only">Appointments of {full}</caption>
          <thead>
            <tr>
              <th scope="col">Came</th>
              <th scope="col">Time</th>
              <th scope="col">Name</th>
              <th scope="col">Answers and note</th>
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
        <Card title="Also on this day">
          <ul className="grid gap-1">
            {busy.map(({ times, words }) => (
              <li key={`${times} ${words}`}>
                {times}, {words}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {begun.length > 0 && (
        <div className="no-print">
          <Fold summary="Who came, was excused or missed it" isOpen={refused !== undefined}>
            <PostForm className="grid gap-4">
              {begun.map((line) => (
                <fieldset key={line.id} className="grid gap-1 border-b border-dashed border-rule pb-3">
                  <legend className="font-semibold">
                    {line.times} <bdi>{line.name}</bdi>
                    {line.service && <span className="text-muted">{`, ${line.service}`}</span>}
                  </legend>
                  <div className="flex flex-wrap gap-x-5">
                    {marks.map(([as, words]) => (
                      <label key={as} className="flex min-h-11 items-center gap-2">
                        <input
                          type="radio"
                          name={`${prefix}${line.id}`}
                          value={as}
                          defaultChecked={(refused?.typed[`${prefix}${line.id}`]?.[0] ?? line.attendance) === as}
                          className="size-5 accent-accent"
                        />
                        {words}
                      </label>
                    ))}
                  </div>
                </fieldset>
              ))}
              <div>
                <Submit>Save all marks</Submit>
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

const countWords = (count: number) =>
  count === 0 ? '' : count === 1 ? 'One appointment. ' : `${count} appointments. `;

function ClassRow({ line: { classId, times, service }, lines }: { line: SheetLine; lines: SheetLine[] }) {
  const people = lines.reduce((sum, one) => sum + (one.classId === classId ? one.people : 0), 0);
  return (
    <tr className="class-row">
      <th scope="rowgroup" colSpan={4}>
        <a href={paths.providerDetails(classId ?? '')}>
          {`${times}, ${service ?? 'Class'}, ${people === 1 ? '1 person' : `${people} people`}`}
        </a>
      </th>
    </tr>
  );
}

function SheetRow({ line, date }: { line: SheetLine; date: LocalDate }) {
  const {
    id,
    times,
    name,
    username,
    service,
    people,
    classId,
    phone,
    answers,
    lacksAnswers,
    privateNote,
    attendance,
    attendanceCounts,
  } = line;
  const { hasBegun, isStanding } = line;
  const record = attendanceSummary(attendanceCounts);
  return (
    <tr>
      <td>
        {hasBegun && (
          <PostForm action={dayPath(date)}>
            <button
              type="submit"
              name={`${prefix}${id}`}
              value={attendance === 'seen' ? 'unknown' : 'seen'}
              aria-pressed={attendance === 'seen'}
              aria-label={`${name} came`}
              className={`tick is-${attendance}`}
            />
          </PostForm>
        )}
        <span
          className={`tick is-${attendance}${hasBegun ? ' paper-only' : ''}`}
          role="img"
          aria-label={attendanceWords[attendance]}
        />
      </td>
      <td>{times}</td>
      <th scope="row">
        <a href={paths.providerDetails(id)}>
          <bdi>{name}</bdi>
        </a>
        {people > 1 && <small> and {people - 1} more</small>}
        {username && <small> {username}</small>}
        {service && classId === null && <span className="service">{service}</span>}
        {isStanding && <small> Standing time</small>}
        {phone && <NumberInTable phone={phone} name={name} />}
        {record && <small className="record">{record}</small>}
      </th>
      <td>
        <div className="said">
          {privateNote && (
            <span>
              <i>Note</i> {privateNote}{' '}
            </span>
          )}
          {lacksAnswers && <span>Answers are owed. </span>}
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
