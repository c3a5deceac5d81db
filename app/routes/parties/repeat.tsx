import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { LostQuestions, Tick } from '../../components/forms/EventFields';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { SpanTimes } from '../../components/times/Time';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { getRepeatable, repeatParty } from '../../domain/parties/copying.server';
import { firstCopy, weeklyDays, weeklyInput } from '../../domain/parties/weekly';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { dateWords, isLocalDate } from '../../domain/time/clock';
import { fields, onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { WeeklyDays } from './WeeklyDays';

export const meta = titled('Every week');

/** First asks for the last day, then shows each day. Both come from the address, and change nothing yet. */
export const loader = pageLoader('Provider', async ({ db, actor, now, hasMail }, { params: { id = '' }, url }) => {
  const until = url.searchParams.get('until');
  const asked = until !== null && isLocalDate(until) ? until : null;
  const [{ party, taken, withAddress }, templates] = await Promise.all([
    getRepeatable(db, actor, { id, until: asked }, now),
    asked === null ? undefined : listTemplateNames(db, actor),
  ]);
  const days = until === null ? [] : weeklyDays(party, until, now);
  const { kind, title, startsAt, endsAt, timeZone, date, sequence, templateId, invited } = party;
  return {
    party: { id, kind, title, startsAt, endsAt, timeZone, date, sequence, templateId, invited },
    templates: templates ?? [],
    first: firstCopy(party, now).date,
    until,
    days: Array.isArray(days) ? days.map((day) => ({ ...day, isTaken: taken.includes(day.date) })) : [],
    fault: Array.isArray(days) ? null : days,
    mailed: hasMail ? withAddress : 0,
  };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const input = parse(weeklyInput, fields(typed, 'dates'));
  const { kind } = await repeatParty(db, actor, id, input, { now, key: onceOf(typed) });
  return redirect(`/view-${kind === 'party' ? 'parties' : 'meetups'}?copied=yes`, 303);
});

export default function Repeat() {
  const { party, templates, first, until, days, fault, mailed } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const wrongUntil: Refusal | undefined = fault ? { faults: [fault], typed: { until: [until ?? ''] } } : undefined;
  const isParty = party.kind === 'party';
  const lostQuestions = party.templateId !== null && !templates.some(({ id }) => id === party.templateId);
  return (
    <Page title="Every week" subtitle={party.title}>
      <ErrorSummary refused={refused ?? wrongUntil} />
      <Card title={party.title}>
        <p>
          Each {dateWords(party.date).longWeekday}, <SpanTimes {...party} />
        </p>
        <p className="text-muted">
          Each copy has all that this {party.kind} has{isParty ? '' : ', its names with new links too'}, and no answers
          yet. First you see the days.
        </p>
        <form method="get" className="flex flex-wrap items-end gap-4">
          <div className="w-full max-w-60">
            <TextField
              name="until"
              label="Every week until"
              type="date"
              required
              defaultValue={until ?? first}
              refused={wrongUntil}
            />
          </div>
          <Button quiet={days.length > 0}>Show the days</Button>
          <ButtonLink quiet to={isParty ? paths.manageParty(party.id) : paths.manageMeetup(party.id)}>
            Back
          </ButtonLink>
        </form>
      </Card>
      {days.length > 0 && (
        <Card title="The days" id="preview">
          <PostForm key={until} className="grid max-w-2xl gap-5">
            <input type="hidden" name="sequence" value={party.sequence} />
            <WeeklyDays days={days} kind={party.kind} zone={party.timeZone} refused={refused} />
            {isParty && lostQuestions && <LostQuestions />}
            {isParty && (
              <TemplateSelect
                templates={templates}
                chosen={lostQuestions ? null : party.templateId}
                refused={refused}
                help="Every guest is asked these."
              />
            )}
            {mailed > 0 && (
              <div>
                <Tick name="isMailed" refused={refused} isTicked>
                  {`Mail the invitations now: one for each day to ${mailed === 1 ? 'the name' : `each of the ${mailed} names`} with an address`}
                </Tick>
                <p className="text-sm text-muted">Else they hear of each day by the reminder before it.</p>
              </div>
            )}
            <div>
              <Submit>Make the copies</Submit>
            </div>
          </PostForm>
        </Card>
      )}
    </Page>
  );
}
