import { Trans, useLingui } from '@lingui/react/macro';
import { Form } from '@remix-run/react';
import { Button, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import * as paths from '../../paths';
import { cityPath } from './paths';

type Cities = {
  cities: string[];
  q: string;
  /** True if there are too many cities to read through. */
  isLong: boolean;
};

export function ChooseCity({ cities, q, isLong }: Cities) {
  const { t } = useLingui();
  return (
    <Card title={t`Which city?`}>
      {isLong && (
        <Form className="flex flex-wrap items-end gap-3" role="search">
          <div className="min-w-0 flex-1 basis-36">
            <TextField key={q} name="q" label={t`Search by name`} type="search" defaultValue={q} />
          </div>
          <Button quiet>
            <Trans>Search</Trans>
          </Button>
        </Form>
      )}
      {cities.length === 0 && (
        <Empty next={q && <TextLink to={paths.search()}>{t`All cities`}</TextLink>}>{t`No results found`}</Empty>
      )}
      <ul className="tiles cities grid gap-3 sm:grid-cols-2">
        {cities.map((city) => (
          <li key={city}>
            <a href={cityPath(city)}>{city}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
