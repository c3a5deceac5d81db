import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { askForNewPassword, linkIsSent, lostLogin } from '../../domain/login/lost-password.server';
import { fields, onceOf } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const handle = { startsOnTouch: true };

export const meta = titled(msg`Forgotten password`, msg`Two ways back in: a link by e-mail, or a recovery code.`);

export const loader = pageLoader('anyone', async ({ hasMail }) => ({ hasMail }));

export const action = formAction('anyone', async (context, typed) => {
  const { username = '' } = fields(typed);
  const login = String(username).includes('@') ? { email: username } : { username };
  await askForNewPassword(context.db, parse(lostLogin, login), {
    now: context.now,
    origin: await originOf(context),
    key: onceOf(typed),
  });
  return json({ notice: linkIsSent });
});

export default function ForgotPassword() {
  const { hasMail } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  return (
    <Page title={t`Forgotten password`}>
      {result && 'notice' in result && (
        <Notice tone="good" title={words(result.notice)}>
          <p>
            <Trans>
              The link is good for one hour. If no mail comes, look among the unwanted ones, ask again, or use a
              recovery code. At most three are sent in a quarter of an hour.
            </Trans>
          </p>
        </Notice>
      )}
      <div className="pairs">
        {hasMail && (
          <Card title={t`A link by e-mail`}>
            <PostForm className="grid max-w-xl gap-5">
              <ErrorSummary refused={refused} />
              <TextField
                name="username"
                label={t`Username or e-mail address`}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                refused={refused}
              />
              <div>
                <Submit>{t`Send me a link`}</Submit>
              </div>
            </PostForm>
          </Card>
        )}
        <Card title={t`A recovery code`}>
          <p>{t`If you have written down recovery codes, one of them lets you set a new password.`}</p>
          <div className="flex flex-wrap items-center gap-4">
            <ButtonLink to={paths.resetPassword()} quiet={hasMail}>
              {t`Use a recovery code`}
            </ButtonLink>
            <TextLink to={paths.login()}>{t`Back to login`}</TextLink>
          </div>
        </Card>
      </div>
    </Page>
  );
}
