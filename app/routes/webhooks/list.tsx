import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { momentWords } from '../../domain/time/when-words';
import { kindWords } from '../../domain/webhooks/kinds';
import { webhookWish } from '../../domain/webhooks/webhooks';
import { listWebhooks, makeWebhook } from '../../domain/webhooks/webhooks.server';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { KindChips, kindsIn } from './KindChips';
import { UrlField } from './UrlField';

export const meta = titled(msg`Webhooks`);

export const loader = pageLoader('Provider', async ({ db, actor, seals }, { url }) => {
  const webhooks = await listWebhooks(db, actor, seals);
  return {
    webhooks: webhooks.map(({ id, url, kinds, failingSince }) => ({
      id,
      url,
      kinds: kinds.map((kind) => kindWords[kind]),
      failing: failingSince === null ? null : momentWords(failingSince, actor.timeZone),
    })),
    hasEnded: url.searchParams.has('ended'),
  };
});

export const action = formAction('Provider', async ({ db, actor, now, seals, allowsLoopback, events }, typed) => {
  const wish = parse(webhookWish, { ...fields(typed), kinds: kindsIn(typed.kinds) });
  const { id, secret } = await makeWebhook(db, actor, wish, { now, seals, allowsLoopback });
  events.push('webhook made');
  return json({ id, secret, isShownOnce: true });
});

export default function Webhooks() {
  const { webhooks, hasEnded } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const { t } = useLingui();
  if (result && 'secret' in result) return <Made {...result} />;
  return (
    <Page title={t`Webhooks`}>
      {hasEnded && !refused && <Notice tone="good" title={t`That webhook is ended.`} />}
      <Card>
        <p className="max-w-prose">
          <Trans>
            A program of yours is told at once what happens here: ids and times, no names. It asks{' '}
            <TextLink to={paths.apiPage()}>the API</TextLink> for the rest.
          </Trans>
        </p>
        {webhooks.length > 0 && (
          <ul className="grid">
            {webhooks.map((webhook) => (
              <Line key={webhook.id} {...webhook} />
            ))}
          </ul>
        )}
      </Card>
      {webhooks.length < limits.webhooks && <NewWebhook refused={refused} />}
      <p>
        <BackToProfile />
      </p>
    </Page>
  );
}

function Made({ id, secret }: { id: string; secret: string }) {
  const { t } = useLingui();
  return (
    <Page title={t`Webhooks`}>
      <Card title={t`The secret of your webhook`}>
        <p className="max-w-prose">
          <Trans>
            Copy it into your program now: it is shown only here. With it, the program knows that we sent something, by
            the header webhook-signature.
          </Trans>
        </p>
        <CopyField label={t`Secret`} value={secret} words={t`Copy secret`} />
        <p>
          <TextLink to={paths.webhook(id)}>{t`Send a test`}</TextLink>
        </p>
      </Card>
    </Page>
  );
}

type LineProps = { id: string; url: string | null; kinds: Words[]; failing: Words | null };

function Line({ id, url, kinds, failing }: LineProps) {
  const words = useWords();
  const { t } = useLingui();
  const since = failing && words(failing);
  return (
    <li className="grid gap-1 border-b border-dashed border-rule py-4 last:border-0">
      <p className="font-semibold wrap-anywhere">
        <TextLink to={paths.webhook(id)}>
          <bdi>{url ?? t`Its address can no longer be read`}</bdi>
        </TextLink>
      </p>
      <p className="text-sm text-muted">{kinds.map(words).join(' · ')}</p>
      {since && <p className="text-sm text-warn">{t`It has taken nothing since ${since}.`}</p>}
    </li>
  );
}

function NewWebhook({ refused }: { refused: Refusal | undefined }) {
  const { t } = useLingui();
  return (
    <Card title={t`Make a webhook`}>
      <PostForm className="grid max-w-xl gap-5">
        <ErrorSummary refused={refused} />
        <UrlField refused={refused} />
        <KindChips chosen={['booked', 'moved', 'canceled']} refused={refused} />
        <div>
          <Submit>{t`Make the webhook`}</Submit>
        </div>
      </PostForm>
    </Card>
  );
}
