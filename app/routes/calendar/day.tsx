import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty, Notice, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { ScrollRegion } from '../../components/ScrollRegion';
import { Zone } from '../../components/Time';
import { titled } from '../../components/titled';
import { type Attendance, mark } from '../../domain/appointments/appointments';
import { markAll } from '../../domain/appointments/attendance.server';
import { cameWords } from '../../domain/calendar/came';
import { fullFrom, linesOnPaper } from '../../domain/calendar/paper';
import { readDaySheet, type SheetLine } from '../../domain/calendar/sheet.server';
import { parse } from '../../domain/input/fields';
import { addDays, dateWords, type LocalDate, parseWireDate, wireDate } from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';
import { answerForm, answerPage } from '../../http/page.server';
import styles from '../../sheet.css?url';
import { attendanceWords } from './kinds';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled('Day sheet');

const dayPath = (date: LocalDate) => `/day?date=${wireDate(date)}`;

export const loader = answerPage('Provider', async ({ db, actor, now }, { url }) => {
  const date = parseWireDate(url.searchParams.get('date') ?? '') ?? todayIn(actor.timeZone, now);
  const sheet = await readDaySheet(db, actor, date, now);
  return { ...sheet, date, zone: actor.timeZone, marked: url.searchParams.get('marked') };
});

/** The fields of the form: `as.` and the id of an appointment. */
const prefix = 'as.';

export const action = answerForm('Provider', async ({ db, actor, now }, typed, { url }) => {
  const marks = Object.entries(typed)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, [as]]) => parse(mark, { id: name.slice(prefix.length), as }));
  const marked = await markAll(db, actor, marks, now);
  const date = parseWireDate(url.searchParams.get('date') ?? '') ?? todayIn(actor.timeZone, now);
  return redirect(`${dayPath(date)}&marked=${marked}`, 303);
});

const marks = Object.entries(attendanceWords) as [Attendance, string][];
/** Lines for whoever comes without an appointment. */
const walkIns = [1, 2, 3, 4];

export default function Day() {
  const { lines, isCut, date, zone, marked } = useLoaderData<typeof loader>();
  const { full } = dateWords(date);
  const refused = useRefusal();
  const begun = lines.filter(({ hasBegun }) => hasBegun);
  return (
    <Page title="Day sheet" subtitle={full}>
      <RefusalNotice refused={refused} />
      {marked !== null && !refused && (
        <Notice
          tone="good"
          title={marked === '1' ? 'One appointment is marked.' : `${marked} appointments are marked.`}
        />
      )}
      <nav aria-label="Days" className="no-print flex flex-wrap gap-x-6 gap-y-2">
        <TextLink to={dayPath(addDays(date, -1))}>Day before</TextLink>
        <TextLink to="/day">Today</TextLink>
        <TextLink to={dayPath(addDays(date, 1))}>Day after</TextLink>
        <TextLink to={`/week?from=${wireDate(date)}`}>Week</TextLink>
      </nav>
      <ScrollRegion label="The sheet" className="sheet">
        <h2 className="text-xl">{full}</h2>
        <p className="text-sm text-muted">
          {countWords(lines.length)}Times are in <Zone zone={zone} />.
        </p>
        {isCut && <p>There are more than fit here.</p>}
        {lines.length === 0 && <Empty>No appointments on this day</Empty>}
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
            {lines.map((line) => (
              <SheetRow key={line.id} line={line} />
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
      {begun.length > 0 && (
        <div className="no-print">
          <Card title="Who came">
            <PostForm className="grid gap-4">
              {begun.map((line) => (
                <fieldset key={line.id} className="grid gap-1 border-b border-dashed border-rule pb-3">
                  <legend className="font-semibold">
                    {line.times} <bdi>{line.name}</bdi>
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
          </Card>
        </div>
      )}
    </Page>
  );
}

/** How the sheet is printed: how small, and with how many lines of answers. */
const sheetClass = (lines: SheetLine[]) =>
  lines.length === 0 ? 'is-empty' : `said-${linesOnPaper(lines)}${lines.length >= fullFrom ? ' is-full' : ''}`;

const countWords = (count: number) =>
  count === 0 ? '' : count === 1 ? 'One appointment. ' : `${count} appointments. `;

function SheetRow({ line }: { line: SheetLine }) {
  const { id, times, name, username, answers, isOwed, privateNote, attendance, came } = line;
  const record = cameWords(came);
  return (
    <tr>
      <td>
        <span className={`tick is-${attendance}`} role="img" aria-label={attendanceWords[attendance]} />
      </td>
      <td>{times}</td>
      <th scope="row">
        <a href={`/details-provider/${id}`}>
          <bdi>{name}</bdi>
        </a>
        {username && <small> {username}</small>}
        {record && <small className="record">{record}</small>}
      </th>
      <td>
        <div className="said">
          {privateNote && (
            <span>
              <i>Note</i> {privateNote}{' '}
            </span>
          )}
          {isOwed && <span>Answers are owed. </span>}
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
