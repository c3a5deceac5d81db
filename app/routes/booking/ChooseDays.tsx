import type { FormEvent } from 'react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import type { Provider } from '../../domain/accounts/providers.server';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
import { DaysForm } from './DaysForm';
import { cityPath } from './paths';

type Days = {
  provider: Provider;
  today: LocalDate;
  available: LocalDate[];
  dates: LocalDate[];
  month: Month;
  isMissing: boolean;
};

/** With script: after Back the days are ticked as they are now. */
function keepTicked({ currentTarget }: FormEvent<HTMLFormElement>): void {
  const query = new URLSearchParams(new FormData(currentTarget) as unknown as Record<string, string>);
  query.set('month', query.get('shown') ?? '');
  history.replaceState(history.state, '', `?${query}`);
}

export function ChooseDays({ provider, today, available, dates, month, isMissing }: Days) {
  const { username, displayName, description, location, timeZone } = provider;
  return (
    <Card title={displayName} aside={<span className="text-sm text-muted">{location}</span>}>
      {description && <p className="text-muted whitespace-pre-line">{description}</p>}
      {available.length === 0 ? (
        <Empty next={<TextLink to={cityPath(location)}>Other providers in {location}</TextLink>}>No Appointments</Empty>
      ) : (
        <DaysForm
          action="/view"
          provider={username}
          {...{ timeZone, today, available, dates, month, isMissing }}
          onSubmit={keepTicked}
        />
      )}
    </Card>
  );
}
