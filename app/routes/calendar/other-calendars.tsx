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
import { type BusyFeed, feedsChange } from '../../domain/busy/feeds';
import { countReading, listBusyFeeds, setBusyFeeds } from '../../domain/busy/feeds.server';
import { countWords, startWords } from '../../domain/busy/words';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { momentWords } from '../../domain/time/when-words';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Other calendars');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const feeds = await listBusyFeeds(db, actor, now);
  const added = feeds.find(({ id }) => id === url.searchParams.get('added'));
  return {
    feeds: feeds.map((feed) => shown(feed, actor.timeZone, now)),
    added: added ? shown(added, actor.timeZone, now) : null,
    isRemoved: url.searchParams.has('removed'),
  };
});

/** The values of a calendar that the screen shows. */
const shown = ({ id, name, host, readAt, events, next, doubts }: BusyFeed, zone: string, now: number) => ({
  id,
  name,
  host,
  doubts,
  read: readAt === null ? null : momentWords(readAt, zone),
  found: `${countWords(events)} in the next 90 days${next === null ? '' : `, the next ${startWords(next, zone, now)}`}`,
});
type Shown = ReturnType<typeof shown>;

export const action = formAction('Provider', async ({ db, actor, now, seals, calendars, isRateLimited }, typed) => {
  const known = (await listBusyFeeds(db, actor, now)).map(({ id, name }) => ({ id, name }));
  const setting = { now, seals, isRateLimited, allowsLoopback: calendars.allowsLoopback };
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
});

/** How to find the secret address of a calendar in each program. */
const programs: { name: string; steps: string }[] = [
  {
    name: 'Google Calendar',
    steps:
      'On a computer, open the settings and choose your calendar on the left. Go down to “Secret address in iCal format” and copy it. It ends with basic.ics.',
  },
  {
    name: 'Outlook',
    steps:
      'On outlook.com, open the settings and choose “Shared calendars”. Under “Publish a calendar” choose your calendar and “Can view all details”, and press “Publish”. Copy the ICS link.',
  },
  {
    name: 'iCloud (iPhone, iPad, Mac)',
    steps:
      'In the Calendar app, press the info button beside your calendar. Turn on “Public Calendar” and choose “Share Link”. Copy the link, which begins with webcal://.',
  },
];

export default function OtherCalendars() {
  const { feeds, added, isRemoved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title="Other calendars">
      <ErrorSummary refused={refused} />
      {!refused && added && <ReadTimes feed={added} />}
      {!refused && isRemoved && <Notice tone="good" title="Removed. Its times are free again." />}
      <p className="max-w-prose">
        What is in another calendar of yours blocks your free times here: nobody can book then. We read when something
        is, never what or with whom.
      </p>
      {feeds.map((feed) => (
        <Feed key={feed.id} feed={feed} />
      ))}
      {feeds.length < limits.busyFeeds && (
        <Card title={feeds.length === 0 ? 'Add a calendar' : 'Add another calendar'}>
          <PostForm className="grid max-w-xl gap-5">
            <TextField
              name="name"
              label="Name"
              maxLength={limits.busyFeed.name}
              required
              refused={refused}
              help="Such as Private."
            />
            <TextField
              name="url"
              label="Secret address"
              type="url"
              maxLength={limits.busyFeed.url}
              required
              autoComplete="off"
              refused={refused}
              help="It begins with https:// or webcal://. We keep it sealed, and show it to nobody."
            />
            <div>
              <Submit>Add and read it</Submit>
            </div>
          </PostForm>
          <Fold summary="Where do I find the address?" isOpen={false} className="border-t border-rule pt-2">
            <dl className="grid gap-3 py-2">
              {programs.map(({ name, steps }) => (
                <div key={name}>
                  <dt className="font-semibold">{name}</dt>
                  <dd>{steps}</dd>
                </div>
              ))}
            </dl>
          </Fold>
        </Card>
      )}
      <p className="text-sm">
        <TextLink to={paths.week()}>Your week here</TextLink>
      </p>
    </Page>
  );
}

/** The busy times that were just read, so that the provider can check them. */
function ReadTimes({ feed: { name, found, read, doubts } }: { feed: Shown }) {
  if (read === null) {
    return (
      <Notice tone="warn" title={`We could not read ${name}.`}>
        <p>{doubts[0] ?? 'Please look at its address.'}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`${name}: ${found}. Is that right?`}>
      <p>If not, remove it and add another address.</p>
    </Notice>
  );
}

function Feed({ feed: { id, name, host, read, found, doubts } }: { feed: Shown }) {
  return (
    <Card title={name}>
      <p className="wrap-anywhere text-muted">
        {host}, {read === null ? 'not read yet' : `read ${read}`}
      </p>
      {read !== null && <p>{found}.</p>}
      {doubts.length > 0 && (
        <Notice tone="warn" title="Please look at this">
          <ul className="grid gap-1">
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <PostForm>
          <input type="hidden" name="again" value={id} />
          <Submit quiet>
            Read now<span className="sr-only">: {name}</span>
          </Submit>
        </PostForm>
        <PostForm>
          <input type="hidden" name="remove" value={id} />
          <Submit ends="off">
            Remove<span className="sr-only">: {name}</span>
          </Submit>
        </PostForm>
      </div>
    </Card>
  );
}
