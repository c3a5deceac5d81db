import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { PasswordField } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { EndFeeds } from '../../components/times/EndFeeds';
import { parse } from '../../domain/input/fields';
import { limits, passwordRule } from '../../domain/input/limits';
import { isGoodLink, passwordReset, resetPassword } from '../../domain/login/lost-password.server';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = () => [
  { title: 'New password · Daybook' },
  { name: 'description', content: 'Set a new password by a link or a recovery code.' },
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
  const input = parse(passwordReset, { ...proof, password, endFeeds: typed.endFeeds !== undefined });
  await resetPassword(db, passwords, { signatures, links }, input, { now, origin: await originOf(context) });
  context.events.push('password changed');
  return redirect(paths.login({ reset: 'yes' }), 303);
});

export default function ResetPassword() {
  const { hasToken, isSpent } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  if (isSpent) return <Spent />;
  return (
    <Page title="New password">
      <Card>
        <PostForm className="grid max-w-xl gap-5">
          <ErrorSummary refused={refused} />
          {!hasToken && (
            <>
              <TextField
                name="username"
                label="Username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                refused={refused}
              />
              <TextField
                name="code"
                label="Recovery code"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                required
                help={
                  <>
                    Ten letters and digits, such as <span className="whitespace-nowrap">ABCDE-23456</span>. Each code is
                    good once.
                  </>
                }
                refused={refused}
              />
            </>
          )}
          <PasswordField
            name="password"
            label="New password"
            autoComplete="new-password"
            required
            minLength={limits.password.min}
            maxLength={limits.password.max}
            help={`${passwordRule} Every device is logged out.`}
            refused={refused}
          />
          <EndFeeds refused={refused} />
          <div className="flex flex-wrap items-center gap-4">
            <Submit>Set the new password</Submit>
            <TextLink to={paths.forgotPassword()}>Ask for a new link</TextLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

/** Says that a link no longer works, before anybody types a password. */
const Spent = () => (
  <Page title="New password">
    <Card title="This link is good no more">
      <p>It was used already, is older than an hour, or was for an address that has changed.</p>
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink to={paths.forgotPassword()}>Ask for a new link</ButtonLink>
        <TextLink to={paths.login()}>Back to login</TextLink>
      </div>
    </Card>
  </Page>
);
