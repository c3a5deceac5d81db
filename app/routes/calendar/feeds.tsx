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
import { feedWish, findOwnFeed, makeFeed, needsNoPassword } from '../../domain/calendar/feeds.server';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { qrCodeOf } from '../../domain/qr-code.server';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('In your own calendar');

export const loader = pageLoader('member', async ({ db, links, actor, viewer, now }, { url }) => {
  const [feed, reader] = await Promise.all([findOwnFeed(db, links, actor), viewer()]);
  const busyLink = feed?.busyLink ? url.origin + feed.busyLink : null;
  const link = feed ? url.origin + feed.link : null;
  const webcal = link?.replace(/^https?:/, 'webcal:');
  return {
    link,
    program: webcal ? { link: webcal, qr: qrCodeOf(webcal) } : null,
    busyLink,
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
  const { link, program, busyLink, asksPassword, isNew } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const password = (asksPassword || refused) && <Password refused={refused} />;
  return (
    <Page title="In your own calendar">
      <ErrorSummary refused={refused} />
      {isNew && !refused && (
        <Notice tone="good" title="Your calendar links are ready. Those that you had before no longer work." />
      )}
      {link && program ? (
        <Links link={link} program={program} busyLink={busyLink} password={password} />
      ) : (
        <Offer password={password} />
      )}
    </Page>
  );
}

/** Asks for the password, unless the reader logged in within the last half hour. */
const Password = ({ refused }: { refused?: Refusal }) => (
  <CurrentPassword refused={refused} help="So that nobody who finds your phone open reads along for good." />
);

function Offer({ password }: { password: ReactNode }) {
  return (
    <Card title="All that you have, in the calendar on your phone">
      <p>
        A calendar program can read your appointments, parties and meetups by itself, again and again. What is moved or
        canceled changes there too.
      </p>
      <p className="text-muted">Whoever has the link can read all of it. You can end it at any time.</p>
      <PostForm className="grid max-w-xl gap-5">
        {password}
        <div>
          <Submit>Make my calendar link</Submit>
        </div>
      </PostForm>
    </Card>
  );
}

/** How to subscribe in each program: two steps, and how late changes arrive. */
const programs: { name: string; steps: [string, string]; delay: string }[] = [
  {
    name: 'Apple Calendar (iPhone, iPad, Mac)',
    steps: ['Press “Open in my calendar program” on the device.', 'Confirm with “Subscribe”.'],
    delay: 'It reads the link again every hour or so, or as often as its settings say.',
  },
  {
    name: 'Google Calendar',
    steps: ['On a computer, beside “Other calendars”, choose “From URL”.', 'Paste the link and choose “Add calendar”.'],
    delay: 'Google reads the link when it likes: changes may take up to a day.',
  },
  {
    name: 'Outlook',
    steps: [
      'In the calendar, choose “Add calendar”, then “Subscribe from web”.',
      'Paste the link, give it a name, and choose “Import”.',
    ],
    delay: 'Outlook on the web reads the link every few hours.',
  },
];

function Links({
  link,
  program,
  busyLink,
  password,
}: {
  link: string;
  program: { link: string; qr: QrSquares };
  busyLink: string | null;
  password: ReactNode;
}) {
  return (
    <>
      <Card title="Your calendar link">
        <div className="flex flex-wrap items-start gap-6">
          <div className="grid min-w-0 flex-1 basis-64 gap-4">
            <CopyField label="Link to copy" value={link} />
            <div>
              <ButtonLink to={program.link} isFile>
                Open in my calendar program
              </ButtonLink>
            </div>
            <p className="text-muted">Whoever has this link can read all that you have here.</p>
          </div>
          <figure className="grid justify-items-center gap-2">
            <QrCode {...program.qr} />
            <figcaption className="text-sm text-muted">To carry it to your phone</figcaption>
          </figure>
        </div>
      </Card>
      <Card title="How to subscribe">
        {programs.map(({ name, steps, delay }) => (
          <section key={name} className="grid gap-1">
            <h3 className="font-semibold">{name}</h3>
            <ol className="list-decimal pl-6">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="text-sm text-muted">{delay}</p>
          </section>
        ))}
      </Card>
      <Card title="Only when you are busy">
        <p>
          This link holds your times, and nothing of who, what or where. You can give it to others: it does not lead to
          the link above.
        </p>
        {busyLink ? (
          <CopyField label="Busy link to copy" value={busyLink} />
        ) : (
          <p className="text-muted">Your links were made before there was one. Make new ones below.</p>
        )}
      </Card>
      <Card title="New links">
        <p>If somebody has a link who should not have it, make new ones. Both old ones then no longer work.</p>
        <PostForm className="grid max-w-xl gap-5">
          {password}
          <div>
            <Submit quiet>Make a new link</Submit>
          </div>
        </PostForm>
        <p className="text-sm">
          <TextLink to={paths.week()}>Your week here</TextLink>
        </p>
      </Card>
    </>
  );
}
