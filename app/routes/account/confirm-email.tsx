import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Card, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import { confirmEmail, readConfirmation } from '../../domain/accounts/email.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Confirm your address · Daybook' }, { name: 'robots', content: 'noindex' }];

/** Programs that look at mails follow their links, so opening this confirms nothing; its button does. */
export const loader = answerPage('anyone', async ({ signatures, now }, { params: { token = '' } }) => ({
  email: readConfirmation(signatures, token, now).email,
}));

export const action = answerForm('anyone', async ({ db, signatures, now, events }, _, { params: { token = '' } }) => {
  await confirmEmail(db, readConfirmation(signatures, token, now), now);
  events.push('e-mail changed');
  return redirect('/email?confirmed=yes', 303);
});

export default function ConfirmEmail() {
  const { email } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title="Confirm your address">
      <RefusalNotice refused={refused} />
      <Card title="Is this your address?">
        <p className="font-semibold break-words">{email}</p>
        <PostForm>
          <Submit>Yes, this is my address</Submit>
        </PostForm>
      </Card>
    </Page>
  );
}
