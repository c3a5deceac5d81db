import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { Faults, faultsOf, useDefault } from '../../components/forms/Field';
import { useRows } from '../../components/forms/rows';
import { type ServiceChoice, ServiceOptions } from '../../components/forms/ServiceSelect';
import { Icon } from '../../components/frame/Icon';
import { useShell } from '../../components/frame/shell';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import type { WeekDay } from '../../domain/hours/editor';
import { weekdayWords } from '../../domain/time/clock';
import { weekdaysFrom } from '../../domain/time/week-start';

const input = 'min-h-12 rounded-md border-[1.5px] border-edge bg-card px-1.5 py-2 text-base text-ink';

/** Adds a key to an item that has nothing but its place in the list. */
export const placed = <Item extends object>(item: Item, place: number) => ({ ...item, place });

type TimeProps = { name: string; label: string; value: string };

const TimeInput = ({ name, label, value }: TimeProps) => (
  <input type="time" name={name} aria-label={label} defaultValue={value} className={`${input} flex-auto`} />
);

/** Two times of day in a list of them. They are never narrower than a time is in the reader's language. */
export const FromTo = ({ from, to }: { from: TimeProps; to: TimeProps }) => (
  <span className="flex flex-1 basis-full flex-wrap gap-2 sm:flex-initial">
    <TimeInput {...from} />
    <span className="flex flex-auto items-center gap-2">
      <span className="text-muted">
        <Trans context="between two times">to</Trans>
      </span>
      <TimeInput {...to} />
    </span>
  </span>
);

type ServiceProps = { name: string; label: string; value?: string; services: ServiceChoice[] };
export function ServiceInput({ name, label, value = '', services }: ServiceProps) {
  const select = useDefault<HTMLSelectElement>(value);
  return services.length === 0 ? null : (
    <select
      ref={select}
      name={name}
      aria-label={label}
      defaultValue={value}
      className={`${input} min-w-0 flex-1 basis-full sm:max-w-64 sm:basis-40`}
    >
      <ServiceOptions services={services} />
    </select>
  );
}

type Props = {
  week: WeekDay[];
  services: ServiceChoice[];
  refused?: Pick<Refusal, 'faults'>;
  /** The button that led to this week. */
  press?: string;
};

export function WeekFields({ week, services, refused, press }: Props) {
  const shown = weekdaysFrom(useShell().weekStart);
  return (
    <ul className="grid">
      {shown.map((day) => (
        <Day key={day} day={day} {...(week[day] as WeekDay)} services={services} refused={refused} press={press} />
      ))}
    </ul>
  );
}

type DayProps = WeekDay & { day: number } & Pick<Props, 'services' | 'refused' | 'press'>;
function Day({ day, isOpen, ranges, services, refused, press }: DayProps) {
  const { t } = useLingui();
  const words = useWords();
  const [button, of, place] = press?.split(':') ?? [];
  const rows = useRows(ranges, button === 'remove' && Number(of) === day ? Number(place) : undefined);
  const name = words(weekdayWords(day));
  const { id, faults, wiring } = faultsOf(refused, `day-${day}`);
  return (
    <li className="border-b border-dashed border-rule py-3 last:border-0">
      <fieldset className="grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
        <legend className="sr-only">{name}</legend>
        <label className="flex min-h-12 items-center gap-3 self-start font-semibold whitespace-nowrap sm:w-44">
          <input
            {...wiring}
            type="checkbox"
            name="open"
            value={day}
            defaultChecked={isOpen}
            className="size-6 shrink-0 accent-accent"
          />
          {name}
        </label>
        <div className="hours-of-day flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <div className="grid flex-1 basis-[40rem] gap-2">
            {rows.map(({ start, end, serviceId, place, key }) => {
              const number = place + 1;
              const label = ranges.length > 1 ? t`${name}, hours ${number}` : name;
              return (
                <div key={key} className="flex flex-wrap items-center gap-2">
                  <FromTo
                    from={{ name: `start-${day}`, label: t`${label}, from`, value: start }}
                    to={{ name: `end-${day}`, label: t`${label}, to`, value: end }}
                  />
                  <ServiceInput
                    name={`service-${day}`}
                    label={t`${label}, for`}
                    value={serviceId}
                    services={services}
                  />
                  {ranges.length > 1 && (
                    <span className="text-sm">
                      <Button ends="off" name="press" value={`remove:${day}:${place}`}>
                        <Trans>
                          Remove<span className="sr-only">, {label}</span>
                        </Trans>
                      </Button>
                    </span>
                  )}
                </div>
              );
            })}
            <Faults id={`${id}-faults`} faults={faults} />
          </div>
          <div className="flex flex-wrap gap-x-5 text-sm">
            <Button isText name="press" value={`break:${day}`}>
              <Icon name="plus" />
              <Trans>
                Add a break<span className="sr-only">, {name}</span>
              </Trans>
            </Button>
            <Button isText name="press" value={`copy:${day}`}>
              <Icon name="again" />
              <Trans>
                Copy to all<span className="sr-only"> open days, from {name}</span>
              </Trans>
            </Button>
          </div>
        </div>
      </fieldset>
    </li>
  );
}
