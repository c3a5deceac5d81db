import { json } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Button } from '../../components/Button';
import { Card, RefusalNotice } from '../../components/Card';
import { PostForm } from '../../components/Form';
import { Page } from '../../components/Page';
import { useRefusal } from '../../components/refusal';
import type { Context } from '../../context';
import { notFound } from '../../domain/errors';
import { endInvitationMail, endMail, invitationOf } from '../../domain/messages/mail-settings.server';
import { type Kind, kinds, kindWords, optional } from '../../domain/messages/messages';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'End these mails · Daybook' }, { name: 'robots', content: 'noindex' }];

/** Whose mail of which kind a link ends. @throws DomainError not_found where we did not make it */
function readLink({ signatures }: Pick<Context, 'signatures'>, token = ''): { accountId: string; kind: Kind } {
  const [accountId, name] = signatures.verify('unsubscribe', token)?.split(' ') ?? [];
  const kind = kinds.find((one) => one === name);
  if (!accountId || !kind) throw notFound('link');
  return { accountId, kind };
}

export const loader = answerPage('anyone', async (context, { params: { token } }) => ({
  kind: readLink(context, token).kind,
}));

/** A mail program posts without a form (RFC 8058), which ends the one kind. */
export const action = answerForm('anyone', async (context, typed, { params: { token } }) => {
  const { accountId, kind } = readLink(context, token);
  const invitation = invitationOf(accountId);
  const isAll = typed.which?.[0] === 'all' && !invitation;
  if (invitation) await endInvitationMail(context.db, invitation, context.now);
  else await endMail(context.db, accountId, isAll ? optional : [kind]);
  return json({ ended: isAll ? 'all' : kind });
});

export default function Unsubscribe() {
  const { kind } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const refused = useRefusal();
  const words = kindWords[kind];
  if (done && 'ended' in done) {
    return (
      <Page title="End these mails">
        <Card title={done.ended === 'all' ? 'You get no more mails' : `You get no more mails ${words}`}>
          <p>
            {kind === 'invited'
              ? 'The link of your invitation is still good.'
              : 'You still find everything in your news when you log in, and can switch mails on again in your profile.'}
          </p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title="End these mails">
      <RefusalNotice refused={refused} />
      <Card title={`Mails ${words}`}>
        <PostForm className="flex flex-wrap gap-3">
          <Button>{`No more mails ${words}`}</Button>
          {kind !== 'invited' && (
            <Button quiet name="which" value="all">
              No more mails at all
            </Button>
          )}
        </PostForm>
      </Card>
    </Page>
  );
}
