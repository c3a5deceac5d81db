import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/ErrorSummary';
import { FaultDialog } from '../../components/FaultDialog';
import { TextField } from '../../components/Field';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { authenticate, keepSession } from '../../http/login.server';
import { answerForm, answerPage } from '../../http/page.server';
import { localPath } from '../../http/return-to.server';

export const meta = () => [
  { title: 'Login · Daybook' },
  { name: 'description', content: 'Log in to see your appointments, and to book or offer more.' },
];

export const loader = answerPage('anyone', async (_, { url }) => ({ to: url.searchParams.get('to') ?? '' }));

export const action = answerForm('anyone', async (context, typed, { url }) => {
  const { actor } = await authenticate(typed, context);
  await keepSession(context, actor);
  return redirect(localPath(url.searchParams.get('to'), '/profile'), 303);
});

export default function Login() {
  const { to } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title="Login">
      <FaultDialog title="Invalid Password" refused={refused} />
      <ErrorSummary refused={refused} isDialogOpen />
      <Card>
        <PostForm className="grid max-w-xl gap-5">
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
            name="password"
            type="password"
            label="Password"
            autoComplete="current-password"
            required
            refused={refused}
          />
          <div className="flex flex-wrap items-center gap-4">
            <Submit>Log in</Submit>
            <span>
              New here? <TextLink to={to ? `/register?to=${encodeURIComponent(to)}` : '/register'}>Register</TextLink>
            </span>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
