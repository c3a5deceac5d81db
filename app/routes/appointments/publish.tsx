import { json, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Calendar } from '../../components/Calendar';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { TextArea, TextField } from '../../components/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { TemplateSelect } from '../../components/TemplateSelect';
import { Zone } from '../../components/Time';
import { titled } from '../../components/titled';
import { pastDays, publication } from '../../domain/appointments/appointments';
import { publishSlots } from '../../domain/appointments/publishing.server';
import { notLoggedIn, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { type LocalDate, lengthWords, localTimePattern, parseWireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { fields, inShownZone, onceOf } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = titled('Create Appointments');

/** The day and the hour that a link of the week names, to begin with. */
function askedFor(query: URLSearchParams, today: LocalDate) {
  const date = parseWireDate(query.get('date') ?? '');
  const start = query.get('start') ?? '';
  const hour = localTimePattern.test(start) ? Number(start.slice(0, 2)) + 1 : null;
  return {
    asked: date && date >= today ? date : null,
    range:
      hour === null
        ? null
        : { start, end: `${String(hour % 24).padStart(2, '0')}:${hour === 24 ? '00' : start.slice(3)}` },
  };
}

export const loader = answerPage('Provider', async ({ db, actor, viewer, now }, { url }) => {
  const [account, templates] = await Promise.all([viewer(), listTemplateNames(db, actor)]);
  if (!account) throw notLoggedIn();
  const today = todayIn(account.timeZone, now);
  return {
    ...askedFor(url.searchParams, today),
    today,
    timeZone: account.timeZone,
    templates,
  };
});

export const action = answerForm('Provider', async ({ db, now, ...context }, typed) => {
  // A month button only changes the calendar's month: send everything typed back.
  if (typed.month) return json({ faults: [], typed } satisfies Refusal);
  const actor = inShownZone(context.actor, typed);
  const key = await onceOf(typed);
  const sent = fields(typed, 'dates');
  const input = parse(publication, sent, () => pastDays(actor, sent, now));
  await publishSlots(db, actor, input, { now, key });
  return redirect(`/?published=${encodeURIComponent(key)}`, 303);
});

export default function Publish() {
  const { today, timeZone, templates, asked, range } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const typed = (refused?.typed.dates ?? []).map(parseWireDate).filter((date) => date !== null);
  const chosen = refused || !asked ? typed : [asked];
  const month = refused?.typed.month?.[0] ?? refused?.typed.shown?.[0] ?? '';
  return (
    <Page title="Create Appointments">
      <ErrorSummary refused={refused} />
      <PostForm>
        <EnterSubmits />
        <input type="hidden" name="zone" value={timeZone} />
        <Card>
          <div className="grid gap-8 lg:grid-cols-2">
            <div className="grid content-start gap-3">
              <Calendar
                legend="Appointment Days"
                today={today}
                month={isMonth(month) ? month : monthOf(asked ?? today)}
                chosen={chosen}
                refused={refused}
              />
            </div>
            <div className="grid content-start gap-5">
              <div className="grid gap-5 sm:grid-cols-2">
                <TextField
                  name="start"
                  label="Range start time"
                  type="time"
                  required
                  defaultValue={range?.start ?? '09:00'}
                  refused={refused}
                />
                <TextField
                  name="end"
                  label="Range end time"
                  type="time"
                  required
                  defaultValue={range?.end ?? '17:00'}
                  refused={refused}
                />
              </div>
              <TextField
                name="len"
                label="Length in minutes"
                type="number"
                inputMode="numeric"
                min={limits.minutes.min}
                max={limits.minutes.max}
                placeholder={String(limits.minutes.usual)}
                refused={refused}
                help={`Each day's range is cut into appointments of this length. Blank means ${lengthWords(limits.minutes.usual)}.`}
              />
              <TemplateSelect templates={templates} refused={refused} />
              <TextArea
                name="notes"
                label="Notes"
                maxLength={limits.notes}
                refused={refused}
                isOptional
                placeholder="Bring a towel"
                help="Everyone who books reads them."
              />
              <p className="text-sm text-muted">
                Days and times are in <Zone zone={timeZone} />. A time that overlaps one you already have is left out.
              </p>
              <div>
                <Submit>Create appointments</Submit>
              </div>
            </div>
          </div>
        </Card>
      </PostForm>
    </Page>
  );
}
