import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { type BusyFeed, feedsChange } from '../../domain/busy/feeds';
import { countReading, listBusyFeeds, setBusyFeeds } from '../../domain/busy/feeds.server';
import { countWords, startWords } from '../../domain/busy/words';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { notFound } from '../../domain/not-found';
import { momentWords } from '../../domain/time/when-words';
import type { Words } from '../../domain/words/words';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Other calendars`);

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const feeds = await listBusyFeeds(db, actor, now);
  const added = feeds.find(({ id }) => id === url.searchParams.get('added'));
  return {
    feeds: feeds.map((feed) => shown(feed, actor.timeZone, now)),
    added: added ? shown(added, actor.timeZone, now) : null,
    isRemoved: url.searchParams.has('removed'),
  };
});

/** '12 events in the next 90 days, the next today at 09:00, Lisbon time'. */
const foundWords = (events: Words, next: Words | null): Words =>
  next === null ? msg`${events} in the next 90 days` : msg`${events} in the next 90 days, the next ${next}`;

/** The values of a calendar that the screen shows. */
const shown = ({ id, name, host, readAt, events, next, doubts }: BusyFeed, zone: string, now: number) => ({
  id,
  name,
  host,
  doubts,
  read: readAt === null ? null : momentWords(readAt, zone),
  found: foundWords(countWords(events), next === null ? null : startWords(next, zone, now)),
});
type Shown = ReturnType<typeof shown>;

export const action = formAction(
  'Provider',
  async ({ db, actor, now, seals, calendars, allowsLoopback, isRateLimited }, typed) => {
    const known = (await listBusyFeeds(db, actor, now)).map(({ id, name }) => ({ id, name }));
    const setting = { now, seals, isRateLimited, allowsLoopback };
    const [removed] = typed.remove ?? [];
    if (removed) {
      const remaining = known.filter(({ id }) => id !== removed);
      if (remaining.length === known.length) throw notFound('calendar');
      await setBusyFeeds(db, actor, { feeds: remaining }, setting);
      return redirect(paths.otherCalendars({ removed: 'yes' }), 303);
    }
    const [again] = typed.again ?? [];
    if (again) {
      await countReading(db, actor, setting);
      await calendars.read(actor.accountId);
      return redirect(paths.otherCalendars({ added: again }), 303);
    }
    const [name = '', url = ''] = [typed.name?.[0], typed.url?.[0]];
    await setBusyFeeds(db, actor, parse(feedsChange, { feeds: [...known, { name, url }] }), setting);
    await calendars.read(actor.accountId);
    const added = (await listBusyFeeds(db, actor, now)).at(-1);
    return redirect(paths.otherCalendars({ added: added?.id ?? '' }), 303);
  },
);

/** How to find the secret address of a calendar in each program. */
const programs: { name: string; steps: Words }[] = [
  {
    name: 'Google Calendar',
    steps: msg`On a computer, open the settings and choose your calendar on the left. Go down to “Secret address in iCal format” and copy it. It ends with basic.ics.`,
  },
  {
    name: 'Outlook',
    steps: msg`On outlook.com, open the settings and choose “Shared calendars”. Under “Publish a calendar” choose your calendar and “Can view all details”, and press “Publish”. Copy the ICS link.`,
  },
  {
    name: 'iCloud (iPhone, iPad, Mac)',
    steps: msg`In the Calendar app, press the info button beside your calendar. Turn on “Public Calendar” and choose “Share Link”. Copy the link, which begins with webcal://.`,
  },
];

export default function OtherCalendars() {
  const { t } = useLingui();
  const words = useWords();
  const { feeds, added, isRemoved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title={t`Other calendars`}>
      <ErrorSummary refused={refused} />
      {!refused && added && <ReadTimes feed={added} />}
      {!refused && isRemoved && <Notice tone="good" title={<Trans>Removed. Its times are free again.</Trans>} />}
      <p className="max-w-prose">
        <Trans>
          What is in another calendar of yours blocks your free times here: nobody can book then. We read when something
          is, never what or with whom.
        </Trans>
      </p>
      {feeds.map((feed) => (
        <Feed key={feed.id} feed={feed} />
      ))}
      {feeds.length < limits.busyFeeds && (
        <Card title={feeds.length === 0 ? t`Add a calendar` : t`Add another calendar`}>
          <PostForm className="grid max-w-xl gap-5">
            <TextField
              name="name"
              label={t`Name`}
              maxLength={limits.busyFeed.name}
              required
              refused={refused}
              help={t`Such as Private.`}
            />
            <TextField
              name="url"
              label={t`Secret address`}
              type="url"
              maxLength={limits.busyFeed.url}
              required
              autoComplete="off"
              refused={refused}
              help={t`It begins with https:// or webcal://. We keep it sealed, and show it to nobody.`}
            />
            <div>
              <Submit>
                <Trans>Add and read it</Trans>
              </Submit>
            </div>
          </PostForm>
          <Fold summary={t`Where do I find the address?`} isOpen={false} className="border-t border-rule pt-2">
            <dl className="grid gap-3 py-2">
              {programs.map(({ name, steps }) => (
                <div key={name}>
                  <dt className="font-semibold">{name}</dt>
                  <dd>{words(steps)}</dd>
                </div>
              ))}
            </dl>
          </Fold>
        </Card>
      )}
      <p className="text-sm">
        <TextLink to={paths.week()}>
          <Trans>Your week here</Trans>
        </TextLink>
      </p>
    </Page>
  );
}

/** The busy times that were just read, so that the provider can check them. */
function ReadTimes({ feed: { name, read, doubts, ...feed } }: { feed: Shown }) {
  const words = useWords();
  const [doubt] = doubts;
  const found = words(feed.found);
  if (read === null) {
    return (
      <Notice tone="warn" title={<Trans>We could not read {name}.</Trans>}>
        <p>{doubt === undefined ? <Trans>Please look at its address.</Trans> : words(doubt)}</p>
      </Notice>
    );
  }
  return (
    <Notice
      tone="good"
      title={
        <Trans>
          {name}: {found}. Is that right?
        </Trans>
      }
    >
      <p>
        <Trans>If not, remove it and add another address.</Trans>
      </p>
    </Notice>
  );
}

function Feed({ feed: { id, name, host, read, doubts, ...feed } }: { feed: Shown }) {
  const { t } = useLingui();
  const words = useWords();
  const [found, readAt] = [words(feed.found), read && words(read)];
  return (
    <Card title={name}>
      <p className="wrap-anywhere text-muted">
        {readAt === null ? (
          <Trans>{host}, not read yet</Trans>
        ) : (
          <Trans>
            {host}, read {readAt}
          </Trans>
        )}
      </p>
      {read !== null && (
        <p>
          <Trans>{found}.</Trans>
        </p>
      )}
      {doubts.length > 0 && (
        <Notice tone="warn" title={t`Please look at this`}>
          <ul className="grid gap-1">
            {doubts.map(words).map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <PostForm>
          <input type="hidden" name="again" value={id} />
          <Submit quiet>
            <Trans>
              Read now<span className="sr-only">: {name}</span>
            </Trans>
          </Submit>
        </PostForm>
        <PostForm>
          <input type="hidden" name="remove" value={id} />
          <Submit ends="off">
            <Trans>
              Remove<span className="sr-only">: {name}</span>
            </Trans>
          </Submit>
        </PostForm>
      </div>
    </Card>
  );
}
