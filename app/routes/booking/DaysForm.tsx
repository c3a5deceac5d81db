import { Trans, useLingui } from '@lingui/react/macro';
import { Form } from '@remix-run/react';
import type { FormEventHandler } from 'react';
import { Button } from '../../components/Button';
import { EnterSubmits } from '../../components/forms/Form';
import { Calendar } from '../../components/times/Calendar';
import { Zone } from '../../components/times/Time';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

type Props = {
  /** The address that shows the times of the chosen days. */
  action: string;
  provider: string;
  /** The chosen service; null if there is nothing to choose. */
  service?: string | null;
  timeZone: string;
  today: LocalDate;
  available: LocalDate[];
  dates: LocalDate[];
  month: Month;
  /** True if the reader asked for times without choosing a day. */
  isMissing: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement>;
};

export function DaysForm({
  action,
  provider,
  service,
  timeZone,
  today,
  available,
  dates,
  month,
  isMissing,
  onSubmit,
}: Props) {
  const { t } = useLingui();
  return (
    <Form action={action} className="grid gap-4" onSubmit={onSubmit}>
      <EnterSubmits name="show" value="times" />
      <input type="hidden" name="provider" value={provider} />
      {service && <input type="hidden" name="service" value={service} />}
      <Calendar
        legend={t`Which days suit you?`}
        today={today}
        available={available}
        month={month}
        chosen={dates}
        refused={isMissing ? { faults: [{ field: 'dates', message: t`Choose at least one day.` }] } : undefined}
      />
      <p className="text-sm text-muted">
        <Trans>
          Days with free times can be chosen; they are days in <Zone zone={timeZone} />.
        </Trans>
      </p>
      <div>
        <Button name="show" value="times">
          <Trans>Show times</Trans>
        </Button>
      </div>
    </Form>
  );
}
