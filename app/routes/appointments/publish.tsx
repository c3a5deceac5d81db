import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useEffect, useMemo, useRef } from 'react';
import { Card } from '../../components/Card';
import { isTyping } from '../../components/forms/controls';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextArea, TextField } from '../../components/forms/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { ServiceSelect } from '../../components/forms/ServiceSelect';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Calendar } from '../../components/times/Calendar';
import { Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { notLoggedIn, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { listServices } from '../../domain/services/services.server';
import { pastDays, publication } from '../../domain/slots/publication';
import { findPublished, publishSlots } from '../../domain/slots/publish.server';
import { editRanges, typedRanges } from '../../domain/slots/range-editor';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { type LocalDate, lengthWords, localTimePattern, parseWireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import type { DayRange } from '../../domain/time/ranges';
import { todayIn } from '../../domain/time/zones';
import { inBook } from '../../http/book-of.server';
import { fields, inShownZone, onceOf, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { RangeFields, rangesAnchor } from './RangeFields';

export const meta = titled(msg`Create Appointments`);

const usual: DayRange = { start: '09:00', end: '17:00' };

/** The day and hour that a link from the week names, to fill into the form. */
function askedFor(query: URLSearchParams, today: LocalDate) {
  const date = parseWireDate(query.get('date') ?? '');
  const start = query.get('start') ?? '';
  const hour = localTimePattern.test(start) ? Number(start.slice(0, 2)) + 1 : null;
  return {
    asked: date && date >= today ? date : null,
    range:
      hour === null
        ? usual
        : { start, end: `${String(hour % 24).padStart(2, '0')}:${hour === 24 ? '00' : start.slice(3)}` },
  };
}

export const loader = pageLoader(
  'Provider',
  inBook(async ({ db, actor, viewer, now }, { url }) => {
    const key = url.searchParams.get('like');
    const [account, templates, services, published] = await Promise.all([
      viewer(),
      listTemplateNames(db, actor),
      listServices(db, actor),
      key ? findPublished(db, actor, key, now) : undefined,
    ]);
    if (!account) throw notLoggedIn();
    const today = todayIn(account.timeZone, now);
    const { asked, range } = askedFor(url.searchParams, today);
    const { ranges = [range], len = null, templateId = null, serviceId = null, notes = null } = published?.like ?? {};
    // If the template was edited or deleted since, new slots can't ask its questions.
    const isCurrent = templates.some(({ id }) => id === templateId);
    return {
      asked,
      today,
      timeZone: account.timeZone,
      templates,
      services: services.map(({ id, name, minutes }) => ({ id, name, minutes })),
      like: { ranges, len, notes, serviceId, templateId: isCurrent ? templateId : null },
    };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async ({ db, now, desk, book, ...context }, typed) => {
    // A month button only changes the month of the calendar, and sends back all that was typed.
    if (typed.month) return json({ faults: [], typed } satisfies Refusal);
    const ranges = typedRanges(typed);
    const [first, ...more] = ranges;
    if (typed.press) {
      const after = editRanges(ranges, typed.press[0] ?? '');
      const rest = { start: after.map(({ start }) => start), end: after.map(({ end }) => end) };
      return json({ faults: [], typed: { ...typed, ...rest } } satisfies Refusal);
    }
    const actor = inShownZone(context.actor, typed);
    const key = onceOf(typed);
    const form = { ...withWireDates(fields(typed, 'dates'), 'until'), ...first, ranges: more };
    const input = parse(publication, form, () => pastDays(actor, form, now));
    await publishSlots(db, actor, input, { now, key });
    // Only the reader's own book has a first page that says so.
    return redirect(book ? desk.freeTimes({ published: key }) : paths.home({ published: key }), 303);
  }),
);

// With script: scrolls to the ranges after a button has changed them. Without script the browser follows the fragment.
function useRangesInView(answered: Refusal | undefined) {
  const arrived = useRef(answered);
  useEffect(() => {
    if (answered === arrived.current || !answered?.typed.press || isTyping()) return;
    const ranges = document.getElementById(rangesAnchor);
    (ranges?.querySelector<HTMLElement>('[data-first]') ?? ranges)?.focus();
  }, [answered]);
}

export default function Publish() {
  const { t } = useLingui();
  const usualLength = useWords()(lengthWords(limits.minutes.usual));
  const { today, timeZone, templates, services, asked, like } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const live = useActionData<Refusal>();
  const ranges = useMemo(() => (refused ? typedRanges(refused.typed) : like.ranges), [refused, like]);
  const [button, removed] = live?.typed.press?.[0]?.split(':') ?? [];
  const isAdded = refused?.typed.press?.[0] === 'add';
  useRangesInView(refused);
  const typed = (refused?.typed.dates ?? []).map(parseWireDate).filter((date) => date !== null);
  const chosen = refused || !asked ? typed : [asked];
  const month = refused?.typed.month?.[0] ?? refused?.typed.shown?.[0] ?? '';
  return (
    <Page title={t`Create Appointments`}>
      <ErrorSummary refused={refused} />
      <PostForm>
        <EnterSubmits />
        <input type="hidden" name="zone" value={timeZone} />
        <Card>
          <div className="grid gap-8 lg:grid-cols-2">
            <div className="grid content-start gap-3">
              <Calendar
                legend={t`Appointment Days`}
                today={today}
                month={isMonth(month) ? month : monthOf(asked ?? today)}
                chosen={chosen}
                refused={refused}
              />
            </div>
            <div className="grid content-start gap-5">
              <RangeFields
                ranges={ranges}
                added={isAdded ? ranges.length - 1 : undefined}
                removed={button === 'remove' ? Number(removed) : undefined}
                refused={refused}
              />
              <TextField
                name="until"
                label={t`The same weekdays until`}
                type="date"
                isOptional
                refused={refused}
                help={t`Each day you choose repeats every week, up to this date.`}
              />
              <ServiceSelect services={services} chosen={like.serviceId} refused={refused} />
              <TextField
                name="len"
                label={t`Length in minutes`}
                type="number"
                inputMode="numeric"
                min={limits.minutes.min}
                max={limits.minutes.max}
                defaultValue={like.len ?? undefined}
                placeholder={String(limits.minutes.usual)}
                refused={refused}
                help={
                  services.length > 0
                    ? t`Each range is cut into appointments of this length. Blank means ${usualLength}, or the length of the service.`
                    : t`Each range is cut into appointments of this length. Blank means ${usualLength}.`
                }
              />
              <TemplateSelect templates={templates} chosen={like.templateId} refused={refused} />
              <TextArea
                name="notes"
                label={t`Notes`}
                maxLength={limits.notes}
                defaultValue={like.notes ?? undefined}
                refused={refused}
                isOptional
                placeholder={t`Bring a towel`}
                help={t`Everyone who books reads them.`}
              />
              <p className="text-sm text-muted">
                <Trans>
                  Days and times are in <Zone zone={timeZone} />. A time that overlaps one you already have is left out.
                </Trans>
              </p>
              <div>
                <Submit>{t`Create appointments`}</Submit>
              </div>
            </div>
          </div>
        </Card>
      </PostForm>
    </Page>
  );
}
