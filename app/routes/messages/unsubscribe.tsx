import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { json } from '@remix-run/cloudflare';
import { type MetaFunction, useActionData, useLoaderData } from '@remix-run/react';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { tabTitle } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { endMail, endSendersMail, sendersMailOf } from '../../domain/messages/mail-settings.server';
import { type Kind, kinds, mailsOf, optional } from '../../domain/messages/messages';
import { notFound } from '../../domain/not-found';
import type { Context } from '../../http/context';
import { formAction, pageLoader } from '../../http/page.server';

export const meta: MetaFunction = ({ data }) => [
  { title: tabTitle(msg`End these mails`, data) },
  { name: 'robots', content: 'noindex' },
];

/** Reads the address and the kind of mail that a link ends. @throws DomainError not_found if the link is not ours */
function readLink({ signatures }: Pick<Context, 'signatures'>, token = ''): { accountId: string; kind: Kind } {
  const [accountId, name] = signatures.verify('unsubscribe', token)?.split(' ') ?? [];
  const kind = kinds.find((candidate) => candidate === name);
  if (!accountId || !kind) throw notFound('link');
  return { accountId, kind };
}

export const loader = pageLoader('anyone', async (context, { params: { token } }) => {
  const { kind } = readLink(context, token);
  return { mails: mailsOf(kind), isOfSender: kind === 'invited' };
});

/** A mail program may post without a form (RFC 8058). That ends just this kind of mail. */
export const action = formAction('anyone', async (context, typed, { params: { token } }) => {
  const { accountId, kind } = readLink(context, token);
  const senders = sendersMailOf(accountId);
  const isAll = typed.which?.[0] === 'all' && !senders;
  if (senders) await endSendersMail(context.db, senders, context.now);
  const hasNews = !senders && (await endMail(context.db, accountId, isAll ? optional : [kind]));
  return json({ ended: isAll ? 'all' : kind, hasNews });
});

export default function Unsubscribe() {
  const { mails, isOfSender } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const { t } = useLingui();
  const about = useWords()(mails);
  if (result && 'ended' in result) {
    return (
      <Page title={t`End these mails`}>
        <Card title={result.ended === 'all' ? t`You get no more mails` : t`You get no more mails ${about}`}>
          <p>
            {result.hasNews
              ? t`You still find everything in your news when you log in, and can switch mails on again in your profile.`
              : t`The links that you have are still good.`}
          </p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={t`End these mails`}>
      <ErrorSummary refused={refused} />
      <Card title={t`Mails ${about}`}>
        <PostForm className="flex flex-wrap gap-3">
          <Button>{t`No more mails ${about}`}</Button>
          {!isOfSender && (
            <Button quiet name="which" value="all">
              {t`No more mails at all`}
            </Button>
          )}
        </PostForm>
      </Card>
    </Page>
  );
}
