import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { endOneSession, listSessions, sessionId } from '../../domain/login/devices.server';
import { dateWords, localDateOf } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Your devices`);

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
  const { t } = useLingui();
  return (
    <Page title={t`Your devices`} subtitle={t`Where you are logged in`}>
      <ErrorSummary refused={refused} />
      {hasEnded && !refused && <Notice tone="good" title={t`That device is logged out.`} />}
      <Card>
        <ul className="grid">
          {devices.map((device) => (
            <Device key={device.id} {...device} />
          ))}
        </ul>
        <p className="text-muted">
          {isGuest ? (
            <Trans>
              A login lasts 30 days from its last use, and 180 days in all. If you do not know one of these, log it out.
            </Trans>
          ) : (
            <Trans>
              A login lasts 30 days from its last use, and 180 days in all. If you do not know one of these, log it out
              and change your password.
            </Trans>
          )}
        </p>
        <p>
          <BackToProfile />
        </p>
      </Card>
    </Page>
  );
}

type DeviceProps = { id: string; device: Words; since: Words; last: Words; isThis: boolean };

function Device({ id, device, since, last, isThis }: DeviceProps) {
  const words = useWords();
  const { t } = useLingui();
  const name = words(device);
  const loggedInOn = words(since);
  const lastUsedOn = words(last);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-dashed border-rule py-4 last:border-0">
      <div className="grid gap-1">
        <p className="font-semibold">
          {name}
          {isThis && <span className="badge ms-2 bg-good-wash text-good">{t`This device`}</span>}
        </p>
        <p className="text-sm text-muted">
          <Trans>
            Logged in on {loggedInOn}, last used on {lastUsedOn}
          </Trans>
        </p>
      </div>
      <PostForm>
        <input type="hidden" name="id" value={id} />
        <Submit ends="logout">
          {isThis ? (
            <Trans>
              Log out<span className="sr-only"> this device</span>
            </Trans>
          ) : (
            <Trans>
              Log out
              <span className="sr-only">
                {' '}
                {name}, since {loggedInOn}
              </span>
            </Trans>
          )}
        </Submit>
      </PostForm>
    </li>
  );
}
