import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { Card, Notice, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { parse } from '../../domain/input/fields';
import { endOneSession, listSessions, sessionId } from '../../domain/login/devices.server';
import { dateWords, localDateOf } from '../../domain/time/clock';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = () => [{ title: 'Your devices · Daybook' }];

export const loader = pageLoader('member', async ({ db, actor, now }, { url }) => {
  const dayOf = (at: number) => dateWords(localDateOf(at, actor.timeZone)).full;
  const devices = (await listSessions(db, actor, now)).map(({ createdAt, lastUsedAt, ...device }) => ({
    ...device,
    since: dayOf(createdAt),
    last: dayOf(lastUsedAt),
  }));
  return { devices, hasEnded: url.searchParams.has('ended') };
});

export const action = formAction('member', async (context, typed) => {
  const { db, actor, now, session, cookies, events } = context;
  const { id } = parse(sessionId, fields(typed));
  await endOneSession(db, actor, id, now);
  events.push('session ended');
  if (id !== actor.sessionId) return redirect(paths.devices({ ended: 'yes' }), 303);
  cookies.push(await session.drop());
  return redirect(paths.home(), 303);
});

export default function Devices() {
  const { devices, hasEnded } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const isGuest = useShell().reader?.isGuest === true;
  return (
    <Page title="Your devices" subtitle="Where you are logged in">
      <RefusalNotice refused={refused} />
      {hasEnded && !refused && <Notice tone="good" title="That device is logged out." />}
      <Card>
        <ul className="grid">
          {devices.map(({ id, device, since, last, isThis }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-3 border-b border-dashed border-rule py-4 last:border-0"
            >
              <div className="grid gap-1">
                <p className="font-semibold">
                  {device}
                  {isThis && <span className="badge ml-2 bg-good-wash text-good">This device</span>}
                </p>
                <p className="text-sm text-muted">
                  Logged in on {since}, last used on {last}
                </p>
              </div>
              <PostForm>
                <input type="hidden" name="id" value={id} />
                <Submit ends="logout" aria-label={isThis ? 'Log out this device' : `Log out ${device}, since ${since}`}>
                  Log out
                </Submit>
              </PostForm>
            </li>
          ))}
        </ul>
        <p className="text-muted">
          A login lasts 30 days from its last use, and 180 days in all. If you do not know one of these, log it out
          {isGuest ? '.' : ' and change your password.'}
        </p>
        <p>
          <BackToProfile />
        </p>
      </Card>
    </Page>
  );
}
