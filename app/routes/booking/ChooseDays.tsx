import { useLingui } from '@lingui/react/macro';
import type { FormEvent } from 'react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { useWords } from '../../components/words';
import { type Service, serviceWords } from '../../domain/services/services';
import type { WaitableProvider } from '../../domain/slots/providers.server';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
import * as paths from '../../paths';
import { WaitLink } from '../with/WaitLink';
import { DaysForm } from './DaysForm';
import { cityPath, providerPath } from './paths';

type Days = {
  provider: WaitableProvider;
  service: Service | null;
  today: LocalDate;
  available: LocalDate[];
  dates: LocalDate[];
  month: Month;
  isMissing: boolean;
};

/** With script: keeps the days ticked for a reader who comes back by Back. */
function saveTicked({ currentTarget }: FormEvent<HTMLFormElement>): void {
  const query = new URLSearchParams(new FormData(currentTarget) as unknown as Record<string, string>);
  query.set('month', query.get('shown') ?? '');
  history.replaceState(history.state, '', `?${query}`);
}

export function ChooseDays({ provider, service, today, available, dates, month, isMissing }: Days) {
  const { username, displayName, description, location, timeZone, waitlist } = provider;
  const { t } = useLingui();
  const words = useWords();
  const serviceName = service?.name;
  const hasTimes = available.length > 0;
  return (
    <Card title={displayName} aside={<span className="text-sm text-muted">{location}</span>}>
      {description && <p className="text-muted whitespace-pre-line">{description}</p>}
      {service && (
        <p>
          <strong>{service.name}</strong> <span className="text-muted">{words(serviceWords(service))}</span>{' '}
          <TextLink to={providerPath(username)}>{t`Something else`}</TextLink>
        </p>
      )}
      {!hasTimes ? (
        <Empty next={<TextLink to={cityPath(location)}>{t`Other providers in ${location}`}</TextLink>}>
          {service ? t`Nothing is free for ${serviceName}` : t`No Appointments`}
        </Empty>
      ) : (
        <DaysForm
          action={paths.search()}
          provider={username}
          service={service?.id ?? null}
          {...{ timeZone, today, available, dates, month, isMissing }}
          onSubmit={saveTicked}
        />
      )}
      {waitlist === 'on' && <WaitLink username={username} service={service?.id ?? null} hasTimes={hasTimes} />}
    </Card>
  );
}
