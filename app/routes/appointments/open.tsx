import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { BookingLink } from '../../components/times/BookingLink';
import { JustPublished } from '../../components/times/JustPublished';
import { useWords } from '../../components/words';
import { invalid, notLoggedIn, type Refusal } from '../../domain/errors';
import type { Choice } from '../../domain/slots/chosen-slots.server';
import { readOpenMonth } from '../../domain/slots/own-open-slots.server';
import { findPublished } from '../../domain/slots/publish.server';
import { bringBack, findWithdrawn, type Withdrawn, withdrawSlots } from '../../domain/slots/withdraw.server';
import { dateWords, isLocalDate, type LocalDate } from '../../domain/time/clock';
import { isMonth } from '../../domain/time/month';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { onceOf, type Typed } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { MonthStrip } from './MonthStrip';
import { OpenDay } from './OpenDay';
import { dayPath } from './open-paths';

export const meta = titled(msg`Free times`);

/** The date in a page's address or a form; null if it is not one. */
const dayIn = (text: string | null | undefined) => (text && isLocalDate(text) ? text : undefined);

export const loader = pageLoader(
  'Provider',
  inBook(async ({ db, actor, viewer, now, book }, { url }) => {
    const parameter = (name: string) => url.searchParams.get(name) ?? '';
    const view = { day: dayIn(parameter('day')), month: isMonth(parameter('month')) ? parameter('month') : undefined };
    const [account, open, withdrawn, published] = await Promise.all([
      viewer(),
      readOpenMonth(db, actor, view, now),
      parameter('done') ? findWithdrawn(db, actor, parameter('done'), now) : undefined,
      parameter('published') ? findPublished(db, actor, parameter('published'), now) : undefined,
    ]);
    if (!account) throw notLoggedIn();
    const username = book?.username ?? account.username ?? '';
    return { ...open, withdrawn, published, link: url.origin + paths.provider(username) };
  }),
);

/** Reads a button: it withdraws some slots, a day, a publication, or everything. */
function chosen(typed: Typed): Choice {
  const { press: [press] = [], publication: [publication] = [], id: ids = [] } = typed;
  if (publication) return { publication };
  if (typed.all) return 'all';
  const day = dayIn(typed.day?.[0]);
  if (press === 'day' && day) return { date: day };
  if (ids.length > 0) return { ids };
  throw invalid('id', msg`Tick the times that you want to remove.`);
}

export const action = formAction(
  'Provider',
  inBook(async ({ db, actor, now, desk }, typed) => {
    // Enter in the list only sends back what is ticked.
    if (typed.press?.[0] === 'ask') return json({ faults: [], typed } satisfies Refusal);
    const day = dayIn(typed.day?.[0]) ?? null;
    const [undone] = typed.bring ?? [];
    if (undone) {
      await bringBack(db, actor, undone, now);
      return redirect(dayPath(desk, day, undone), 303);
    }
    const key = onceOf(typed);
    await withdrawSlots(db, actor, chosen(typed), { now, key });
    return redirect(dayPath(desk, day, key), 303);
  }),
);

export default function Open() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { month, months, days, day, slots, withdrawn, published, link } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { once } = useShell();
  return (
    <Page title={t`Free times`} subtitle={t`What people can book with you`}>
      <ErrorSummary refused={refused} />
      {published && !refused && <JustPublished published={published} />}
      {withdrawn && !refused && <JustWithdrawn day={day} {...withdrawn} />}
      {months ? (
        <Card>
          <MonthStrip {...{ month, months, days, day }} />
        </Card>
      ) : (
        <Card>
          <Empty
            about={t`The times that people can book stand here. Hours publish them week by week, or you create them by hand.`}
            next={
              <div className="flex flex-wrap gap-3">
                <ButtonLink to={desk.createTimes()}>{t`Create appointments`}</ButtonLink>
                <ButtonLink quiet to={desk.hours()}>
                  <Trans>Set your hours</Trans>
                </ButtonLink>
              </div>
            }
          >
            <Trans>No Appointments</Trans>
          </Empty>
        </Card>
      )}
      {day && (months || slots.length > 0) && <OpenDay key={day} {...{ day, slots, refused }} />}
      <Card title={t`Your booking page`}>
        <BookingLink link={link} />
      </Card>
      {months && (
        <PostForm>
          {day && <input type="hidden" name="day" value={day} />}
          <Confirm
            key={once}
            id="all"
            icon="delete"
            button={t`Remove all free times`}
            question={t`Remove all free times?`}
            happens={t`What is booked stays booked. Nobody can book the rest any more, and nobody is told.`}
            yes={t`Yes, remove them all`}
            press={{ name: 'all', value: 'yes' }}
            isInForm
          />
        </PostForm>
      )}
    </Page>
  );
}

const dayWords = (date: LocalDate): Words => {
  const { longWeekday, day, longMonth } = dateWords(date);
  return msg`${longWeekday} ${day} ${longMonth}`;
};

function undoWords({ withdrawn, ...days }: Pick<Withdrawn, 'withdrawn' | 'first' | 'last'>): Words {
  if (!days.first || !days.last) {
    return msg({
      message: plural({ withdrawn }, { one: 'Undo: bring back one time', other: 'Undo: bring back # times' }),
    });
  }
  const [first, last] = [dayWords(days.first), dayWords(days.last)];
  return days.first === days.last
    ? msg`Undo: bring back ${plural({ withdrawn }, { one: 'one time', other: '# times' })} of ${first}`
    : msg`Undo: bring back ${plural({ withdrawn }, { one: 'one time', other: '# times' })} from ${first} to ${last}`;
}

/** Says which times were removed, with a button to bring them back. */
function JustWithdrawn({ day, by, ...of }: Withdrawn & { day: LocalDate | null }) {
  const { t } = useLingui();
  const words = useWords();
  const { withdrawn, brought } = of;
  if (withdrawn === 0) return <Notice tone="warn" title={t`Nothing was left to remove.`} />;
  if (brought !== null) {
    return (
      <Notice
        tone="good"
        title={<Plural value={brought} one="One time is free again." other="# times are free again." />}
      >
        {brought < withdrawn && <p>{t`The rest has begun, or overlaps a time that you have by now.`}</p>}
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={<Plural value={withdrawn} one="One time is removed." other="# times are removed." />}>
      <PostForm>
        {day && <input type="hidden" name="day" value={day} />}
        <input type="hidden" name="bring" value={by} />
        <Submit quiet>{words(undoWords(of))}</Submit>
      </PostForm>
    </Notice>
  );
}
