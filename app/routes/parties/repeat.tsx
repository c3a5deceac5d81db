import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
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
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { getRepeatable, repeatParty } from '../../domain/parties/copying.server';
import { firstCopy, weeklyDays, weeklyInput } from '../../domain/parties/weekly';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { dateWords, isLocalDate } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { fields, onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { WeeklyDays } from './WeeklyDays';

export const meta = titled(msg`Every week`);

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

const mailWords = (count: number): Words =>
  msg({
    message: plural(
      { count },
      {
        one: 'Mail the invitations now: one for each day to the name with an address',
        other: 'Mail the invitations now: one for each day to each of the # names with an address',
      },
    ),
  });

export default function Repeat() {
  const { party, templates, first, until, days, fault, mailed } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  const wrongUntil: Refusal | undefined = fault
    ? { faults: [{ field: fault.field, message: words(fault.message) }], typed: { until: [until ?? ''] } }
    : undefined;
  const weekday = words(dateWords(party.date).longWeekday);
  const isParty = party.kind === 'party';
  const lostQuestions = party.templateId !== null && !templates.some(({ id }) => id === party.templateId);
  return (
    <Page title={t`Every week`} subtitle={party.title}>
      <ErrorSummary refused={refused ?? wrongUntil} />
      <Card title={party.title}>
        <p>
          <Trans>
            Each {weekday}, <SpanTimes {...party} />
          </Trans>
        </p>
        <p className="text-muted">
          {isParty ? (
            <Trans>Each copy has all that this party has, and no answers yet. First you see the days.</Trans>
          ) : (
            <Trans>
              Each copy has all that this meetup has, its names with new links too, and no answers yet. First you see
              the days.
            </Trans>
          )}
        </p>
        <form method="get" className="flex flex-wrap items-end gap-4">
          <div className="w-full max-w-60">
            <TextField
              name="until"
              label={t`Every week until`}
              type="date"
              required
              defaultValue={until ?? first}
              refused={wrongUntil}
            />
          </div>
          <Button quiet={days.length > 0}>{t`Show the days`}</Button>
          <ButtonLink quiet to={isParty ? paths.manageParty(party.id) : paths.manageMeetup(party.id)}>
            {t`Back`}
          </ButtonLink>
        </form>
      </Card>
      {days.length > 0 && (
        <Card title={t`The days`} id="preview">
          <PostForm key={until} className="grid max-w-2xl gap-5">
            <input type="hidden" name="sequence" value={party.sequence} />
            <WeeklyDays days={days} kind={party.kind} zone={party.timeZone} refused={refused} />
            {isParty && lostQuestions && <LostQuestions />}
            {isParty && (
              <TemplateSelect
                templates={templates}
                chosen={lostQuestions ? null : party.templateId}
                refused={refused}
                help={t`Every guest is asked these.`}
              />
            )}
            {mailed > 0 && (
              <div>
                <Tick name="isMailed" refused={refused} isTicked>
                  {words(mailWords(mailed))}
                </Tick>
                <p className="text-sm text-muted">{t`Else they hear of each day by the reminder before it.`}</p>
              </div>
            )}
            <div>
              <Submit>{t`Make the copies`}</Submit>
            </div>
          </PostForm>
        </Card>
      )}
    </Page>
  );
}
