import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { listFormer } from '../../domain/shop/former-colleagues.server';
import { dateWords, localDateOf } from '../../domain/time/clock';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`People who left`);

export const loader = pageLoader('Provider', async ({ db, actor }) => {
  const former = await listFormer(db, actor);
  return { former: former.map(({ leftAt, ...who }) => ({ ...who, leftOn: localDateOf(leftAt, actor.timeZone) })) };
});

export default function Former() {
  const { former } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  return (
    <Page title={t`People who left`}>
      <Card>
        {former.length === 0 && (
          <Empty>
            <Trans>Nobody has left the shop.</Trans>
          </Empty>
        )}
        <ul className="grid">
          {former.map((one) => (
            <Line key={one.username} {...one} />
          ))}
        </ul>
      </Card>
      <p>
        <TextLink to={paths.shop()}>{t`Back to the shop`}</TextLink>
      </p>
    </Page>
  );
}

function Line({ username, displayName, leftOn }: ReturnType<typeof useLoaderData<typeof loader>>['former'][number]) {
  const words = useWords();
  const day = words(dateWords(leftOn).full);
  return (
    <li className="grid border-b border-dashed border-rule py-3 last:border-0">
      <TextLink to={paths.pastOfFormer(username)}>
        <bdi>{displayName}</bdi>
      </TextLink>
      <span className="text-sm text-muted">
        <Trans>Left on {day}</Trans>
      </span>
    </li>
  );
}
