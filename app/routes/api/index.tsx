import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { audience, listCalls } from '../../http/api.server';
import { pageLoader } from '../../http/page.server';

export const meta = titled(msg`API`, msg`Every call of the API: what it does, and who may make it.`);
export const handle = { isStatic: true };

export const loader = pageLoader('anyone', async () => ({
  controllers: listCalls()
    .filter(({ calls }) => calls.length > 0)
    .map(({ controller, calls }) => ({
      controller,
      calls: calls.map((call) => ({ path: call.path, method: call.method, says: call.says, whose: audience(call) })),
    })),
}));

export default function Api() {
  const { controllers } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  return (
    <Page title={t`API`} subtitle={t`JSON in, JSON out`}>
      <p>
        <Trans>
          For tools: <TextLink to="/api/openapi.json">the OpenAPI document</TextLink>
        </Trans>
      </p>
      {controllers.map(({ controller, calls }) => (
        <Card key={controller} title={controller || t`Operating`}>
          <ul lang="en" dir="ltr" className="grid">
            {calls.map(({ path, method, whose, says }) => (
              <li key={path} className="grid gap-1 border-b border-dashed border-rule py-3 last:border-0">
                <code className="font-semibold break-all">{`${method} ${path}`}</code>
                <p className="text-sm text-muted">{`${says} For ${whose}.`}</p>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </Page>
  );
}
