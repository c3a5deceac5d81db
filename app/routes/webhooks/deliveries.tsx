import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { momentWords } from '../../domain/time/when-words';
import { kindWords } from '../../domain/webhooks/kinds';
import {
  type Delivery,
  type DeliveryState,
  deliveriesFilter,
  sendFailureWords,
  webhookChange,
} from '../../domain/webhooks/webhooks';
import {
  editWebhook,
  endWebhook,
  getWebhook,
  listDeliveries,
  sendAgain,
  testWebhook,
} from '../../domain/webhooks/webhooks.server';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { KindChips, kindsIn } from './KindChips';
import { UrlField } from './UrlField';

export const meta = titled(msg`Webhook`);

export const loader = pageLoader('Provider', async ({ db, actor, seals }, { params: { id = '' }, url }) => {
  const { page } = parse(deliveriesFilter, { id, page: url.searchParams.get('page') ?? undefined });
  const [webhook, { rows, hasMore }] = await Promise.all([
    getWebhook(db, actor, id, seals),
    listDeliveries(db, actor, { id, page }),
  ]);
  const lines = rows.map((delivery) => lineOf(delivery, actor.timeZone));
  return {
    url: webhook.url,
    kinds: webhook.kinds,
    lines,
    page,
    hasMore,
    tried: lines.find((line) => line.id === url.searchParams.get('tried')) ?? null,
    isSaved: url.searchParams.has('saved'),
  };
});

/** What came of the last try. */
function resultOf({ status, failure }: Delivery): Words | null {
  if (failure) return sendFailureWords[failure];
  return status === null ? null : msg`Its server answered ${String(status)}.`;
}

const lineOf = (delivery: Delivery, zone: string) => ({
  id: delivery.id,
  state: delivery.state,
  kind: kindWords[delivery.kind],
  at: momentWords(delivery.at, zone),
  result: resultOf(delivery),
});

export const action = formAction('Provider', async (context, typed, { params: { id = '' }, url }) => {
  const { db, actor, now, seals, allowsLoopback, isRateLimited, webhooks, events } = context;
  const asking = { now, isRateLimited, send: webhooks.send };
  switch (typed.intent?.[0]) {
    case 'test': {
      const test = await testWebhook(db, actor, id, asking);
      return redirect(paths.webhook(id, { tried: test.id }), 303);
    }
    case 'edit': {
      const change = parse(webhookChange, { ...fields(typed), kinds: kindsIn(typed.kinds) });
      await editWebhook(db, actor, id, change, { now, seals, allowsLoopback });
      events.push('webhook changed');
      return redirect(paths.webhook(id, { saved: 'yes' }), 303);
    }
    case 'end':
      await endWebhook(db, actor, id, now);
      events.push('webhook ended');
      return redirect(paths.webhooks({ ended: 'yes' }), 303);
    default: {
      const again = await sendAgain(db, actor, typed.again?.[0] ?? '', asking);
      return redirect(paths.webhook(id, { page: url.searchParams.get('page'), tried: again.id }), 303);
    }
  }
});

const stateWords: Record<DeliveryState, Words> = {
  waiting: msg`on its way`,
  delivered: msg`delivered`,
  failed: msg`given up`,
};

export default function Deliveries() {
  const { url, kinds, lines, page, hasMore, tried, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Webhook`} subtitle={url ?? t`Its address can no longer be read`}>
      <ErrorSummary refused={refused} />
      {!refused && tried && <Tried {...tried} />}
      {!refused && isSaved && <Notice tone="good" title={t`Your webhook is changed.`} />}
      <Card title={t`What it was told`}>
        {lines.length === 0 ? (
          <p className="text-muted">{t`Nothing yet. Send a test to see that it listens.`}</p>
        ) : (
          <ul className="grid">
            {lines.map((line) => (
              <DeliveryLine key={line.id} {...line} />
            ))}
          </ul>
        )}
        <Pager page={page} hasMore={hasMore} doneParam="tried" />
        <PostForm>
          <Submit name="intent" value="test">
            {t`Send a test`}
          </Submit>
        </PostForm>
      </Card>
      <Card title={t`Change it`}>
        <PostForm className="grid max-w-xl gap-5">
          <UrlField url={url ?? undefined} refused={refused} />
          <KindChips chosen={kinds} refused={refused} />
          <div>
            <Submit name="intent" value="edit" quiet>
              {t`Save`}
            </Submit>
          </div>
        </PostForm>
        <Fold summary={t`End this webhook`} isOpen={false} ends="off">
          <PostForm className="grid justify-items-start gap-2 py-3">
            <p className="text-muted">
              <Trans>Nothing more is sent, and this list goes too.</Trans>
            </p>
            <Submit name="intent" value="end" ends="off">
              {t`End it`}
            </Submit>
          </PostForm>
        </Fold>
      </Card>
      <p>
        <TextLink to={paths.webhooks()}>{t`All webhooks`}</TextLink>
      </p>
    </Page>
  );
}

type Line = { id: string; state: DeliveryState; kind: Words; at: Words; result: Words | null };

function Tried({ state, result }: Line) {
  const { t } = useLingui();
  const words = useWords();
  const isDelivered = state === 'delivered';
  return (
    <Notice
      tone={isDelivered ? 'good' : 'warn'}
      title={isDelivered ? t`Your program took it.` : t`Your program did not take it.`}
    >
      {result && !isDelivered && <p>{words(result)}</p>}
    </Notice>
  );
}

function DeliveryLine({ id, state, kind, at, result }: Line) {
  const { t } = useLingui();
  const words = useWords();
  const about = `${words(kind)}, ${words(at)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-dashed border-rule py-3 last:border-0">
      <div className="grid gap-1">
        <p className="font-semibold">
          {words(kind)}
          <span className="badge ms-2">{words(stateWords[state])}</span>
        </p>
        <p className="text-sm text-muted">
          {words(at)}
          {result && <> · {words(result)}</>}
        </p>
      </div>
      <PostForm>
        <input type="hidden" name="again" value={id} />
        <Submit quiet aria-label={t`Send again: ${about}`}>
          {t`Send again`}
        </Submit>
      </PostForm>
    </li>
  );
}
