import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { pageLoader } from '../../http/page.server';
import { localPath } from '../../http/return-to.server';
import * as paths from '../../paths';

export const meta = titled(
  msg`Not logged in`,
  msg`Log in or register, and come straight back to where you were going.`,
);
export const handle = { isStatic: true };

export const loader = pageLoader('anyone', async (_, { url }) => {
  return { to: localPath(url.searchParams.get('to'), '') || null };
});

export default function NotLoggedIn() {
  const { to } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  return (
    <Page title={t`Not logged in`}>
      <Card>
        <p>
          {to ? t`Please log in first. You will come straight back to where you were going.` : t`Please log in first.`}
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.login({ to })}>{t`Log In`}</ButtonLink>
          <ButtonLink quiet to={paths.register({ to })}>
            {t`Register`}
          </ButtonLink>
        </div>
        <p className="text-sm text-muted">
          <Trans>
            Somebody booked for you? <TextLink to={paths.paperCode()}>Type the code from your slip of paper</TextLink>
          </Trans>
        </p>
      </Card>
    </Page>
  );
}
