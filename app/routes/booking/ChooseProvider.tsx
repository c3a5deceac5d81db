import { Trans, useLingui } from '@lingui/react/macro';
import { Form } from '@remix-run/react';
import { Button, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import { Line } from '../../components/Line';
import { Pager } from '../../components/Pager';
import { Moment } from '../../components/times/Time';
import type { ProviderRow } from '../../domain/slots/providers.server';
import * as paths from '../../paths';
import { cityPath, providerPath } from './paths';

type Providers = { location: string; q: string; page: number; rows: ProviderRow[]; hasMore: boolean };

export function ChooseProvider({ location, q, page, rows, hasMore }: Providers) {
  const { t } = useLingui();
  return (
    <Card
      title={
        <Trans>
          Who in <bdi>{location}</bdi>?
        </Trans>
      }
    >
      <Form className="flex flex-wrap items-end gap-3" role="search">
        <input type="hidden" name="location" value={location} />
        <div className="min-w-0 flex-1 basis-36">
          <TextField key={q} name="q" label={t`Search by name`} type="search" defaultValue={q} />
        </div>
        <Button quiet>
          <Trans>Search</Trans>
        </Button>
      </Form>
      {rows.length === 0 && (
        <Empty
          next={<TextLink to={cityPath(location)}>{t`Everyone in ${location}`}</TextLink>}
        >{t`No results found`}</Empty>
      )}
      <ul className="lines">
        {rows.map(({ username, displayName, shopName, isShop, description, nextAt, timeZone }) => (
          <Line key={username} name={displayName} to={isShop ? paths.provider(username) : providerPath(username)}>
            {shopName && (
              <p>
                <bdi>{shopName}</bdi>
              </p>
            )}
            {description && <p className="line-clamp-2">{description}</p>}
            <p>
              {nextAt ? (
                <Trans>
                  Next free: <Moment at={nextAt} zone={timeZone} />
                </Trans>
              ) : (
                <Trans>Nothing free at the moment</Trans>
              )}
            </p>
          </Line>
        ))}
      </ul>
      <Pager page={page} hasMore={hasMore} />
    </Card>
  );
}
