import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { parse } from '../../domain/input/fields';
import { loginCode } from '../../domain/login/log-in.server';
import { fields } from '../../http/form.server';
import { authenticate } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import { localPath } from '../../http/return-to.server';
import * as paths from '../../paths';

export const meta = titled(msg`Login: your code`, msg`The second step of a login: a code of your authenticator app.`);

/** The login page, for a reader who has not just given their password. */
const firstStep = ({ searchParams }: URL): string => paths.login({ to: localPath(searchParams.get('to'), '') || null });

export const loader = pageLoader('anyone', async ({ session, now }, { url }) => {
  const isBegun = (await session.step(now)) !== undefined;
  return { isBegun, begin: firstStep(url) };
});

export const action = formAction('anyone', async (context, typed, { url }) => {
  const { session, now, cookies } = context;
  const step = await session.step(now);
  if (!step) throw redirect(firstStep(url), 303);
  const { code } = parse(loginCode, fields(typed));
  await authenticate(context, { step, code, join: url.searchParams.has('join') });
  cookies.push(await session.dropStep());
  return redirect(localPath(url.searchParams.get('to'), paths.profile()), 303);
});

export default function LoginCode() {
  const { isBegun, begin } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  const refused = useRefusal();
  if (!isBegun) {
    return (
      <Page title={t`Login: your code`}>
        <Card>
          <p>{t`Please give your password first. If you have, that was more than ten minutes ago.`}</p>
          <div>
            <ButtonLink to={begin}>{t`Log In`}</ButtonLink>
          </div>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={t`Login: your code`}>
      <Card>
        <p>{t`Your password is right. This account asks for a code as well.`}</p>
        <PostForm className="grid max-w-xl gap-5">
          <ErrorSummary refused={refused} />
          <TextField
            name="code"
            label={t`Code`}
            inputMode="text"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            help={t`The six digits that your authenticator app shows, or one of your recovery codes.`}
            refused={refused}
          />
          <div className="flex flex-wrap items-center gap-4">
            <Submit>{t`Log in`}</Submit>
            <TextLink to={begin}>{t`Begin again`}</TextLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
