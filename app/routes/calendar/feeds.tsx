import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { QrCode, type QrSquares } from '../../components/QrCode';
import { WebLinks } from '../../components/WebLinks';
import { useWords } from '../../components/words';
import { feedWish, findOwnFeed, makeFeed, needsNoPassword } from '../../domain/calendar/feeds.server';
import { type Subscriptions, subscriptionsTo } from '../../domain/calendar/web-calendars';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { qrCodeOf } from '../../domain/qr-code.server';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`In your own calendar`);

export const loader = pageLoader('member', async ({ db, links, actor, viewer, now }, { url }) => {
  const [feed, reader] = await Promise.all([findOwnFeed(db, links, actor), viewer()]);
  const busyLink = feed?.busyLink ? url.origin + feed.busyLink : null;
  const link = feed ? url.origin + feed.link : null;
  return {
    link,
    subscriptions: link ? subscriptionsTo(link) : null,
    qr: link ? qrCodeOf(subscriptionsTo(link).program) : null,
    busyLink,
    busySubscriptions: busyLink ? subscriptionsTo(busyLink) : null,
    asksPassword: reader !== null && !needsNoPassword(reader, now),
    isNew: url.searchParams.has('made'),
  };
});

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, links, actor, now } = context;
  const wish = parse(feedWish, fields(typed));
  await makeFeed(db, { passwords, links }, actor, wish, { now, origin: await originOf(context) });
  return redirect(paths.feeds({ made: '1' }), 303);
});

export default function Feeds() {
  const { t } = useLingui();
  const { link, subscriptions, qr, busyLink, busySubscriptions, asksPassword, isNew } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const password = (asksPassword || refused) && <Password refused={refused} />;
  return (
    <Page title={t`In your own calendar`}>
      <ErrorSummary refused={refused} />
      {isNew && !refused && (
        <Notice
          tone="good"
          title={<Trans>Your calendar links are ready. Those that you had before no longer work.</Trans>}
        />
      )}
      {link && subscriptions && qr ? (
        <Links {...{ link, subscriptions, qr, busyLink, busySubscriptions, password }} />
      ) : (
        <Offer password={password} />
      )}
    </Page>
  );
}

/** Asks for the password, unless the reader logged in within the last half hour. */
function Password({ refused }: { refused?: Refusal }) {
  const { t } = useLingui();
  return <CurrentPassword refused={refused} help={t`So that nobody who finds your phone open reads along for good.`} />;
}

function Offer({ password }: { password: ReactNode }) {
  return (
    <Card title={<Trans>All that you have, in the calendar on your phone</Trans>}>
      <p>
        <Trans>
          A calendar program can read your appointments, parties and meetups by itself, again and again. What is moved
          or canceled changes there too.
        </Trans>
      </p>
      <p className="text-muted">
        <Trans>Whoever has the link can read all of it. You can end it at any time.</Trans>
      </p>
      <PostForm className="grid max-w-xl gap-5">
        {password}
        <div>
          <Submit>
            <Trans>Make my calendar link</Trans>
          </Submit>
        </div>
      </PostForm>
    </Card>
  );
}

/** How to subscribe in each program: two steps, and how late changes arrive. */
const programs: { name: string; steps: [Words, Words]; delay: Words }[] = [
  {
    name: 'Apple Calendar (iPhone, iPad, Mac)',
    steps: [msg`Press “Open in my calendar program” on the device.`, msg`Confirm with “Subscribe”.`],
    delay: msg`It reads the link again every hour or so, or as often as its settings say.`,
  },
  {
    name: 'Google Calendar',
    steps: [
      msg`On a computer, beside “Other calendars”, choose “From URL”.`,
      msg`Paste the link and choose “Add calendar”.`,
    ],
    delay: msg`Google reads the link when it likes: changes may take up to a day.`,
  },
  {
    name: 'Outlook',
    steps: [
      msg`In the calendar, choose “Add calendar”, then “Subscribe from web”.`,
      msg`Paste the link, give it a name, and choose “Import”.`,
    ],
    delay: msg`Outlook on the web reads the link every few hours.`,
  },
];

function Links({
  link,
  subscriptions,
  qr,
  busyLink,
  busySubscriptions,
  password,
}: {
  link: string;
  subscriptions: Subscriptions;
  qr: QrSquares;
  busyLink: string | null;
  busySubscriptions: Subscriptions | null;
  password: ReactNode;
}) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <>
      <Card title={<Trans>Your calendar link</Trans>}>
        <div className="flex flex-wrap items-start gap-6">
          <div className="grid min-w-0 flex-1 basis-64 gap-4">
            <CopyField label={t`Link to copy`} value={link} />
            <div>
              <ButtonLink to={subscriptions.program} isFile>
                <Trans>Open in my calendar program</Trans>
              </ButtonLink>
            </div>
            <WebLinks label={t`Subscribe in:`} links={subscriptions.web} />
            <p className="text-muted">
              <Trans>Whoever has this link can read all that you have here.</Trans>
            </p>
          </div>
          <figure className="grid justify-items-center gap-2">
            <QrCode {...qr} />
            <figcaption className="text-sm text-muted">
              <Trans>To carry it to your phone</Trans>
            </figcaption>
          </figure>
        </div>
      </Card>
      <Card title={<Trans>How to subscribe</Trans>}>
        {programs.map(({ name, steps: [first, second], delay }) => (
          <section key={name} className="grid gap-1">
            <h3 className="font-semibold">{name}</h3>
            <ol className="list-decimal ps-6">
              <li>{words(first)}</li>
              <li>{words(second)}</li>
            </ol>
            <p className="text-sm text-muted">{words(delay)}</p>
          </section>
        ))}
      </Card>
      <Card title={<Trans>Only when you are busy</Trans>}>
        <p>
          <Trans>
            This link holds your times, and nothing of who, what or where. You can give it to others: it does not lead
            to the link above.
          </Trans>
        </p>
        {busyLink && busySubscriptions ? (
          <>
            <CopyField label={t`Busy link to copy`} value={busyLink} />
            <div>
              <ButtonLink to={busySubscriptions.program} quiet isFile>
                <Trans>Open in a calendar program</Trans>
              </ButtonLink>
            </div>
            <WebLinks label={t`Subscribe in:`} links={busySubscriptions.web} />
          </>
        ) : (
          <p className="text-muted">
            <Trans>Your links were made before there was one. Make new ones below.</Trans>
          </p>
        )}
      </Card>
      <Card title={<Trans>New links</Trans>}>
        <p>
          <Trans>
            If somebody has a link who should not have it, make new ones. Both old ones then no longer work.
          </Trans>
        </p>
        <PostForm className="grid max-w-xl gap-5">
          {password}
          <div>
            <Submit quiet>
              <Trans>Make a new link</Trans>
            </Submit>
          </div>
        </PostForm>
        <p className="text-sm">
          <TextLink to={paths.week()}>
            <Trans>Your week here</Trans>
          </TextLink>
        </p>
      </Card>
    </>
  );
}
