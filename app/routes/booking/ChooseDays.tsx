import { Form } from '@remix-run/react';
import type { FormEvent } from 'react';
import { Button, TextLink } from '../../components/Button';
import { Calendar } from '../../components/Calendar';
import { Card, Empty } from '../../components/Card';
import { EnterSubmits } from '../../components/Form';
import { Zone } from '../../components/Time';
import type { Provider } from '../../domain/accounts/providers.server';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
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
        <Form action="/view" className="grid gap-4" onSubmit={keepTicked}>
          <EnterSubmits name="show" value="times" />
          <input type="hidden" name="provider" value={username} />
          <Calendar
            legend="Which days suit you?"
            today={today}
            available={available}
            month={month}
            chosen={dates}
            refused={isMissing ? { faults: [{ field: 'dates', message: 'Choose at least one day.' }] } : undefined}
          />
          <p className="text-sm text-muted">
            Days with free times can be chosen; they are days in <Zone zone={timeZone} />.
          </p>
          <div>
            <Button name="show" value="times">
              Show times
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}
