import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { EndKeys } from '../../components/forms/EndKeys';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { PasswordField } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { i18nOfPage } from '../../components/frame/page-language';
import { tabTitle } from '../../components/frame/titled';
import { EndFeeds } from '../../components/times/EndFeeds';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { limits, passwordRule } from '../../domain/input/limits';
import { isGoodLink, passwordReset, resetPassword } from '../../domain/login/lost-password.server';
import { worded } from '../../domain/words/worded';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta: MetaFunction = ({ data }) => [
  { title: tabTitle(msg`New password`, data) },
  {
    name: 'description',
    content: worded(i18nOfPage(data), msg`Set a new password by a link or a recovery code.`),
  },
  { name: 'robots', content: 'noindex' },
];

/** Takes the token of a link; a reader with a recovery code has none. */
export const loader = pageLoader('anyone', async ({ db, signatures, now }, { params: { token } }) => ({
  hasToken: token !== undefined,
  isSpent: token !== undefined && !(await isGoodLink(db, signatures, token, now)),
}));

export const action = formAction('anyone', async (context, typed, { params: { token } }) => {
  const { db, passwords, signatures, links, now } = context;
  const { username, code, password = '' } = fields(typed);
  const proof = token === undefined ? { username, code } : { token };
  const input = parse(passwordReset, {
    ...proof,
    password,
    endFeeds: typed.endFeeds !== undefined,
    endKeys: typed.endKeys !== undefined,
  });
  await resetPassword(db, passwords, { signatures, links }, input, { now, origin: await originOf(context) });
  context.events.push('password changed');
  return redirect(paths.login({ reset: 'yes' }), 303);
});

export default function ResetPassword() {
  const { hasToken, isSpent } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  const rule = words(passwordRule);
  if (isSpent) return <Spent />;
  return (
    <Page title={t`New password`}>
      <Card>
        <PostForm className="grid max-w-xl gap-5">
          <ErrorSummary refused={refused} />
          {!hasToken && (
            <>
              <TextField
                name="username"
                label={t`Username`}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                refused={refused}
              />
              <TextField
                name="code"
                label={t`Recovery code`}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                required
                help={
                  <Trans>
                    Ten letters and digits, such as <span className="whitespace-nowrap">ABCDE-23456</span>. Each code is
                    good once.
                  </Trans>
                }
                refused={refused}
              />
            </>
          )}
          <PasswordField
            name="password"
            label={t`New password`}
            autoComplete="new-password"
            required
            is="new"
            minLength={limits.password.min}
            maxLength={limits.password.max}
            help={t`${rule} Every device is logged out.`}
            refused={refused}
          />
          <EndFeeds refused={refused} />
          <EndKeys refused={refused} />
          <div className="flex flex-wrap items-center gap-4">
            <Submit>{t`Set the new password`}</Submit>
            <TextLink to={paths.forgotPassword()}>{t`Ask for a new link`}</TextLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

/** Says that a link no longer works, before anybody types a password. */
function Spent() {
  const { t } = useLingui();
  return (
    <Page title={t`New password`}>
      <Card title={t`This link is good no more`}>
        <p>{t`It was used already, is older than an hour, or was for an address that has changed.`}</p>
        <div className="flex flex-wrap items-center gap-4">
          <ButtonLink to={paths.forgotPassword()}>{t`Ask for a new link`}</ButtonLink>
          <TextLink to={paths.login()}>{t`Back to login`}</TextLink>
        </div>
      </Card>
    </Page>
  );
}
