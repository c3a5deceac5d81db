import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type AppLoadContext, json, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { Button, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { isTyping } from '../../components/forms/controls';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextArea, TextField } from '../../components/forms/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/forms/Form';
import { SaveBar, savedId } from '../../components/forms/SaveBar';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import { useBookPaths } from '../../components/frame/book-paths';
import { useSavedActionData } from '../../components/frame/drafts';
import { FirstRun } from '../../components/frame/FirstRun';
import { Icon } from '../../components/frame/Icon';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { cancellation } from '../../domain/bookings/appointments';
import { DomainError, type Fault, notLoggedIn, type WordedFault } from '../../domain/errors';
import {
  type DayOff,
  daysAway,
  edited,
  type HoursState,
  inputOf,
  isIn,
  stateFaults,
  stateOf,
  typedState,
  withDaysOff,
} from '../../domain/hours/editor';
import { type HoursInput, hoursInput } from '../../domain/hours/hours';
import {
  findHours,
  findLostQuestions,
  listExistingSlots,
  listOutside,
  previewHours,
  setHours,
} from '../../domain/hours/hours.server';
import { picture } from '../../domain/hours/picture';
import { lossOf, neededStep, roomFor } from '../../domain/hours/room';
import { type AskedTime, whyOf } from '../../domain/hours/why';
import { readTimeContext } from '../../domain/hours/why.server';
import { countIn, parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { type Sender, withTexts } from '../../domain/people/texts.server';
import type { Actor } from '../../domain/profile/accounts';
import { lostWords } from '../../domain/services/services';
import { listServices } from '../../domain/services/services.server';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { isLocalDate, lengthWords, localTimePattern } from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';
import { inBook } from '../../http/book-of.server';
import { fields, inShownZone, onceOf, type Typed } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import { BookedOutside } from './BookedOutside';
import { DaysOffFields } from './DaysOffFields';
import { RoomForServices } from './RoomForServices';
import { WeekFields } from './WeekFields';
import { type Previewed, WhatChanges } from './WhatChanges';
import { WhyNot } from './WhyNot';

export const meta = titled(msg`Hours`);

/** The time that the reader asks about; null if they ask about none. */
function askedTime(query: URLSearchParams): AskedTime | null {
  const [date, time] = [query.get('date') ?? '', query.get('time') ?? ''];
  return isLocalDate(date) && localTimePattern.test(time) ? { date, time } : null;
}

/** Reads what was given. @throws DomainError invalid, with all faults */
function read(given: object, state: HoursState): HoursInput {
  const faults: Fault[] = stateFaults(state);
  const input = { ...given, ...(faults.length > 0 ? { hours: [], except: [] } : inputOf(state)) };
  const hours = parse(hoursInput, input, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  return hours;
}

/** The effect that these hours would have. If a press has closed days, it names only who is booked in them. */
async function previewOf(
  { db, now, hasMail }: AppLoadContext,
  actor: Actor,
  writer: Promise<Sender>,
  { hours, away }: { hours: HoursInput; away: DayOff | null },
): Promise<Previewed> {
  const [sender, { wanted, ...counts }, existing] = await Promise.all([
    writer,
    previewHours(db, actor, hours, now, hasMail),
    listExistingSlots(db, actor, hours.ahead, now),
  ]);
  const outside = away ? counts.outside.filter(({ date }) => isIn(away, date)) : counts.outside;
  return {
    ...counts,
    outside: await withTexts(sender, outside),
    outsideCount: counts.outsideCount - (counts.outside.length - outside.length),
    weeks: picture(wanted, existing, { zone: actor.timeZone, hours, now }),
  };
}

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { url }) => {
    const { db, actor, viewer, now, hasMail, edge } = context;
    const asked = askedTime(url.searchParams);
    const [created, withdrawn] = ['created', 'withdrawn'].map((name) => countIn(url.searchParams.get(name)));
    const isSaved = typeof created === 'number' && typeof withdrawn === 'number';
    const writer = senderOf(context, url);
    const [account, templates, services, hours, lostQuestions, around, left, sender] = await Promise.all([
      viewer(),
      listTemplateNames(db, actor),
      listServices(db, actor),
      findHours(db, actor),
      findLostQuestions(db, actor),
      asked && readTimeContext(db, actor, asked, now),
      isSaved ? listOutside(db, actor, { hasMail, now }) : null,
      writer,
    ]);
    if (!account) throw notLoggedIn();
    const today = todayIn(account.timeZone, now);
    const state = stateOf(hours ?? null, today);
    const away = hours && daysAway(url.searchParams.get('away') ?? '', today, edge.weekStart);
    const stateAway = away && withDaysOff(state, away);
    return {
      timeZone: account.timeZone,
      templates,
      services: services.map(({ id, name, minutes, gap, seats, isOffered }) => ({
        id,
        name,
        minutes,
        gap,
        seats,
        isOffered,
      })),
      hours: hours ?? null,
      lostQuestions,
      asked,
      isFirst: url.searchParams.has('start'),
      why: asked && around && whyOf(asked, actor.timeZone, hours ?? null, around, now),
      state: stateAway ?? state,
      preview: stateAway && (await previewOf(context, actor, writer, { hours: read(hours, stateAway), away })),
      left: left?.outsideCount ? { ...left, outside: await withTexts(sender, left.outside) } : null,
      done: isSaved ? { created, withdrawn, canceled: countIn(url.searchParams.get('canceled')) ?? 0 } : null,
    };
  }),
);

/** What was typed, and the button. Those that type for the reader show what changes: `step:15`, `away:week`. */
function readPress(sent: Typed, actor: Actor, { now, edge }: AppLoadContext) {
  const press = sent.press?.[0] ?? 'show';
  const [button, what = ''] = press.split(':');
  const state = typedState(sent);
  if (button === 'step') return { typed: { ...sent, len: [what] }, state, press: 'show', away: null };
  const away = button === 'away' ? daysAway(what, todayIn(actor.timeZone, now), edge.weekStart) : null;
  return away
    ? { typed: sent, state: withDaysOff(state, away), press: 'show', away }
    : { typed: sent, state, press, away };
}

export const action = formAction(
  'Provider',
  inBook(async (context, sent, { url }) => {
    const { db, now, desk } = context;
    const actor = inShownZone(context.actor, sent);
    const { typed, state, press, away } = readPress(sent, actor, context);
    const faults: WordedFault[] = [];
    if (!['show', 'save', 'cancel'].includes(press)) return json({ state: edited(state, press), faults, typed });
    const hours = read(fields(typed), state);
    if (press !== 'show') {
      const callOff =
        press === 'cancel' ? { ids: typed.booked ?? [], ...parse(cancellation, { reason: typed.reason?.[0] }) } : null;
      const { created, withdrawn, canceled } = await setHours(db, actor, hours, now, onceOf(typed), callOff);
      if (url.searchParams.has('start')) return redirect(paths.yourPage({ start: 'yes' }), 303);
      return redirect(`${desk.hours({ created, withdrawn, canceled: canceled || null })}#${savedId}`, 303);
    }
    const preview = await previewOf(context, actor, senderOf(context, url), { hours, away });
    return json({ state, faults, typed, preview });
  }),
  (typed) => ({ state: typedState(typed) }),
);

/** The number that was typed; the usual one if it is none that the field takes. */
function numberIn(text: string | undefined, { min, max }: { min: number; max: number }, usual: number): number {
  const number = Number(text || usual);
  return number >= min && number <= max ? number : usual;
}

/** The fragment of what stays booked, to which the message of the save bar leads. */
const stillBookedId = 'still-booked';

/** The fragment of the preview, to which the form leads. */
const previewId = 'preview';

/** With script: moves the focus to a preview that has just arrived, unless the reader goes on typing. */
function useFocusOnPreview() {
  const answer = useActionData<{ preview?: Previewed }>();
  useEffect(() => {
    if (answer?.preview && !isTyping()) document.getElementById(previewId)?.focus();
  }, [answer]);
}

export default function Hours() {
  const desk = useBookPaths();
  const {
    timeZone,
    templates,
    services,
    hours,
    lostQuestions,
    asked,
    why,
    state: loaded,
    preview: loadedPreview,
    left,
    done,
    isFirst,
  } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  const words = useWords();
  const live = useActionData<typeof action>();
  const actionData = useSavedActionData<typeof action>();
  const state = actionData?.state ?? loaded;
  const refused = actionData ? { faults: actionData.faults, typed: actionData.typed } : undefined;
  const { preview } = (actionData ?? { preview: loadedPreview }) as { preview?: Previewed | null };
  useFocusOnPreview();
  const step = neededStep(services);
  const len = hours?.len ?? step ?? limits.minutes.usual;
  const gap = hours?.gap ?? 0;
  const cut = {
    len: numberIn(refused?.typed.len?.[0], limits.minutes, len),
    gap: numberIn(refused?.typed.gap?.[0], { min: 0, max: limits.hours.gap }, gap),
  };
  const room = roomFor(services, state.week, cut);
  const isLosing = room.some((each) => lossOf(each) > 0);
  const [usual, midnight] = [words(lengthWords(limits.minutes.usual)), words({ clock: '00:00' })];
  const roomWithStep = step !== null && <RoomForServices room={room} step={step} />;
  return (
    <Page title={t`Hours`} subtitle={t`Times that publish themselves`}>
      <ErrorSummary refused={refused} />
      {isFirst && <FirstRun at={1} />}
      <PostForm
        action={`${desk.hours({ start: isFirst ? 'yes' : null })}#${previewId}`}
        className="grid gap-6"
        preventScrollReset
      >
        <EnterSubmits name="press" value="show" />
        <input type="hidden" name="zone" value={timeZone} />
        {preview && (
          <WhatChanges id={previewId} preview={preview} zone={timeZone} refused={refused}>
            {roomWithStep}
          </WhatChanges>
        )}
        {left && !actionData && (
          <Card title={<Trans>Still booked</Trans>} id={stillBookedId}>
            <BookedOutside {...left} isSaved />
          </Card>
        )}
        <Card
          title={<Trans>Your week</Trans>}
          aside={
            <Button isText name="press" value="break:all">
              <Icon name="plus" />
              <Trans>Add a break on every open day</Trans>
            </Button>
          }
        >
          <p className="text-sm text-muted">
            <Trans>
              Times are in <Zone zone={timeZone} />. An end of {midnight} is midnight.
            </Trans>
          </p>
          <WeekFields week={state.week} services={services} refused={refused} press={live?.typed.press?.[0]} />
        </Card>
        <div className="columns">
          <Card>
            <DaysOffFields off={state.off} services={services} refused={refused} />
          </Card>
          <Card title={<Trans>Your times</Trans>}>
            <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-end gap-5">
              <TextField
                name="len"
                label={step === null ? t`Length in minutes` : t`Starts every … minutes`}
                type="number"
                inputMode="numeric"
                min={limits.minutes.min}
                max={limits.minutes.max}
                defaultValue={len}
                refused={refused}
              />
              <TextField
                name="gap"
                label={t`Gap in minutes`}
                type="number"
                inputMode="numeric"
                min={0}
                max={limits.hours.gap}
                defaultValue={gap}
                refused={refused}
              />
              <TextField
                name="ahead"
                label={t`Days ahead`}
                type="number"
                inputMode="numeric"
                min={1}
                max={limits.hours.ahead.max}
                defaultValue={hours?.ahead ?? limits.hours.ahead.usual}
                refused={refused}
              />
            </div>
            <p className="text-sm text-muted">
              {step === null ? (
                <Trans>
                  Each stretch of hours is cut into times of this length, {usual} if blank, with the gap between two.
                </Trans>
              ) : (
                <Trans>
                  A visit can begin at each start, and takes as long as its service. The gap is added between two
                  starts.
                </Trans>
              )}{' '}
              <Trans>People can book for so many days ahead, and each day one more opens.</Trans>{' '}
              {services.length > 0 && <Trans>Hours for a service have its length and gap.</Trans>}
            </p>
            {isLosing && !preview && roomWithStep}
            {lostQuestions !== null && <p className="break-words text-warn">{words(lostWords(lostQuestions))}</p>}
            <TemplateSelect templates={templates} chosen={hours?.templateId} refused={refused} />
            <TextArea
              name="notes"
              label={t`Notes`}
              maxLength={limits.notes}
              defaultValue={hours?.notes ?? ''}
              refused={refused}
              isOptional
              placeholder={t`Bring a towel`}
              help={t`Everyone who books reads them.`}
            />
          </Card>
        </div>
        <p className="text-sm text-muted">
          <Trans>What is booked stays booked, and so do times that you published by hand or removed.</Trans>
        </p>
        <SaveBar done={done && !actionData && <Saved {...done} left={left?.outsideCount ?? 0} />}>
          <Submit quiet name="press" value="show">
            <Trans>Show what changes</Trans>
          </Submit>
          <Submit quiet={Boolean(preview)} name="press" value="save">
            <Trans>Save</Trans>
          </Submit>
        </SaveBar>
      </PostForm>
      <WhyNot asked={asked} why={why} />
    </Page>
  );
}

type SavedProps = { created: number; withdrawn: number; canceled: number; left: number };

const Saved = ({ created, withdrawn, canceled, left }: SavedProps) => {
  const desk = useBookPaths();
  return (
    <p>
      <strong className="done">
        <Trans>Your hours are saved.</Trans>
      </strong>{' '}
      {created === 0 && withdrawn === 0 ? (
        <Trans>Nothing had to change in your free times.</Trans>
      ) : (
        <Trans>
          <Plural value={created} one="# time" other="# times" /> published,{' '}
          <Plural value={withdrawn} one="# removed" other="# removed" />.
        </Trans>
      )}{' '}
      {canceled > 0 && (
        <>
          <Plural value={canceled} one="# appointment canceled." other="# appointments canceled." />{' '}
        </>
      )}
      {left > 0 && (
        <>
          <Trans>
            <a href={`#${stillBookedId}`} className="underline underline-offset-4">
              <Plural
                value={left}
                one="# appointment outside of them stays booked"
                other="# appointments outside of them stay booked"
              />
            </a>
            .
          </Trans>{' '}
        </>
      )}
      <TextLink to={desk.freeTimes()}>
        <Trans>See your free times</Trans>
      </TextLink>
    </p>
  );
};
