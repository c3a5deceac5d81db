import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json } from '@remix-run/cloudflare';
import { useActionData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { GuestNotice } from '../../components/forms/GuestNotice';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { parse } from '../../domain/input/fields';
import { ownPassword } from '../../domain/login/own-password.server';
import { makeRecoveryCodes } from '../../domain/login/recovery-codes.server';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';

export const meta = titled(msg`Recovery codes`);

export const loader = pageLoader('member', async () => ({}));

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, links, actor, now } = context;
  const { password } = parse(ownPassword, fields(typed));
  const origin = await originOf(context);
  const codes = await makeRecoveryCodes(db, passwords, links, actor, password, { now, origin });
  return json({ codes, isShownOnce: true });
});

export default function RecoveryCodes() {
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const isGuest = useShell().reader?.isGuest === true;
  const { t } = useLingui();
  if (result && 'codes' in result) {
    return (
      <Page title={t`Recovery codes`}>
        <Card title={t`Your ten codes`}>
          <p>{t`Print this page, or write the codes down. They are shown only now. Each lets you in once.`}</p>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9em,100%),1fr))] gap-2 font-mono text-lg print:grid-cols-2 print:gap-5 print:text-xl">
            {result.codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <p className="no-print">
            <BackToProfile />
          </p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={t`Recovery codes`}>
      <Card>
        <p>
          <Trans>
            Ten codes that let you set a new password when you have lost yours. New codes take the place of the ones
            before.
          </Trans>
        </p>
        {isGuest ? (
          <GuestNotice />
        ) : (
          <PostForm className="grid max-w-xl gap-5">
            <ErrorSummary refused={refused} />
            <CurrentPassword refused={refused} />
            <div>
              <Submit>{t`Make new codes`}</Submit>
            </div>
          </PostForm>
        )}
      </Card>
    </Page>
  );
}
