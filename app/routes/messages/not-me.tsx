import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json } from '@remix-run/cloudflare';
import { type MetaFunction, useActionData } from '@remix-run/react';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { tabTitle } from '../../components/frame/titled';
import { refuseAddress } from '../../domain/messages/mail-settings.server';
import { notFound } from '../../domain/not-found';
import type { Context } from '../../http/context';
import { formAction, pageLoader } from '../../http/page.server';

export const meta: MetaFunction = ({ data }) => [
  { title: tabTitle(msg`This was not me`, data) },
  { name: 'robots', content: 'noindex' },
];

/** Reads the hash of an address from a link. @throws DomainError not_found if the link is not ours */
function readLink({ signatures }: Pick<Context, 'signatures'>, token = ''): string {
  const emailHash = signatures.verify('not-me', token);
  if (!emailHash) throw notFound('link');
  return emailHash;
}

/** Some programs open the links in mails to check them. So opening this page ends nothing; only its button does. */
export const loader = pageLoader('anyone', async (context, { params: { token } }) => {
  readLink(context, token);
  return {};
});

export const action = formAction('anyone', async (context, _, { params: { token } }) => {
  await refuseAddress(context.db, readLink(context, token), context.now);
  return json({ isEnded: true });
});

export default function NotMe() {
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`This was not me`}>
      <ErrorSummary refused={refused} />
      {result && 'isEnded' in result ? (
        <Card title={t`This address gets no more mail`}>
          <p>
            <Trans>
              Nobody can have mail about appointments and invitations sent to it from this Daybook. If you use Daybook
              yourself one day, confirm the address in your own account: that lifts it.
            </Trans>
          </p>
        </Card>
      ) : (
        <Card title={t`Somebody gave your address?`}>
          <p className="text-muted">
            <Trans>
              Then end all mail about appointments and invitations to it, whoever gave it. The appointment itself stays.
            </Trans>
          </p>
          <PostForm>
            <Button>{t`This was not me: send no more mail`}</Button>
          </PostForm>
        </Card>
      )}
    </Page>
  );
}
