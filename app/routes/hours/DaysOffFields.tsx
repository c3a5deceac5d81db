import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../components/Button';
import { useStaysOpen } from '../../components/Fold';
import { Faults, faultsOf } from '../../components/forms/Field';
import type { ServiceChoice } from '../../components/forms/ServiceSelect';
import { Icon } from '../../components/frame/Icon';
import type { Refusal } from '../../domain/errors';
import { type DayOff, isBlankOff, spareOff } from '../../domain/hours/editor';
import { FromTo, placed, ServiceInput } from './WeekFields';

const input = 'min-h-12 w-full min-w-0 rounded-md border-[1.5px] border-edge bg-card px-2 py-2 text-base text-ink';

const DateInput = ({ name, label, value, help }: { name: string; label: string; value: string; help?: string }) => (
  <label className="grid flex-1 basis-40 content-end gap-1 text-sm">
    {label}
    <input type="date" name={name} defaultValue={value} aria-describedby={help} className={input} />
  </label>
);

type Line = DayOff & { place: number };
type LinesProps = { lines: Line[]; services: ServiceChoice[]; help?: string };
const LinesOfDays = ({ lines, services, help }: LinesProps) => (
  <ul className="grid">
    {lines.map((line) => (
      <LineOfDays key={line.place} {...line} services={services} help={line.place === 0 ? help : undefined} />
    ))}
  </ul>
);

function LineOfDays({ date, to, start, end, serviceId, place, services, help }: Line & Omit<LinesProps, 'lines'>) {
  const { t } = useLingui();
  const number = place + 1;
  return (
    <li className="flex flex-wrap items-end gap-x-3 gap-y-2 border-b border-dashed border-rule py-3 last:border-0">
      <DateInput name="off-date" label={t`Date ${number}`} value={date} help={help} />
      <DateInput name="off-to" label={t`Last day (optional)`} value={to} />
      <details open={Boolean(start || end)} className="flex-1 basis-full lg:basis-80">
        <summary className="min-h-12 py-2.5 text-sm">
          <Trans>
            Other hours<span className="sr-only"> on date {number}</span>
          </Trans>
        </summary>
        <div className="flex flex-wrap items-center gap-2">
          <FromTo
            from={{ name: 'off-start', label: t`Date ${number}, other hours from`, value: start }}
            to={{ name: 'off-end', label: t`Date ${number}, other hours to`, value: end }}
          />
          <ServiceInput name="off-service" label={t`Date ${number}, for`} value={serviceId} services={services} />
        </div>
      </details>
    </li>
  );
}

type Props = { off: DayOff[]; services: ServiceChoice[]; refused?: Pick<Refusal, 'faults'> };
export function DaysOffFields({ off, services, refused }: Props) {
  const { id, faults, wiring } = faultsOf(refused, 'off');
  // Faults replace the help, so that the legend stays in view with the first field.
  const help = faults.length === 0 ? `${id}-help` : undefined;
  const lines = off.map(placed);
  // A line that is filled in stays where it is while the page is open: moved, it would lose the focus.
  const [shown] = useState(() => off.findLastIndex((line) => !isBlankOff(line)) + 2);
  const folded = lines.slice(shown);
  const isUnfolded = useStaysOpen(folded.length >= spareOff || folded.some((line) => !isBlankOff(line)));
  return (
    <fieldset {...wiring} tabIndex={-1} className="grid gap-2">
      <legend className="font-semibold">
        <Trans>Days off and other hours</Trans>
      </legend>
      {help && (
        <p id={help} className="text-sm text-muted">
          <Trans>A date alone is a day off, two dates are a holiday. With other hours you are there only then.</Trans>
        </p>
      )}
      <Faults id={`${id}-faults`} faults={faults} />
      <LinesOfDays lines={lines.slice(0, shown)} services={services} help={help} />
      <p className="flex flex-wrap gap-x-5 text-sm">
        <Button isText name="press" value="away:today">
          <Icon name="cancel" />
          <Trans>Away today</Trans>
        </Button>
        <Button isText name="press" value="away:week">
          <Icon name="cancel" />
          <Trans>Away next week</Trans>
        </Button>
      </p>
      <details open={isUnfolded}>
        <summary className="min-h-12 py-2.5 text-sm font-semibold">
          <Trans>Another day off</Trans>
        </summary>
        <LinesOfDays lines={folded} services={services} />
        <Button isText name="press" value="more">
          <Icon name="plus" />
          <Trans>More dates</Trans>
        </Button>
      </details>
    </fieldset>
  );
}
