import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { Faults, faultsOf, focusFirst } from '../../components/forms/Field';
import { useRows } from '../../components/forms/rows';
import { Icon } from '../../components/frame/Icon';
import { useHasScript } from '../../components/frame/script';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { DayRange } from '../../domain/time/ranges';
import type { Words } from '../../domain/words/words';

/** The fragment that leads to the ranges on the page. */
export const rangesAnchor = 'ranges';

type Props = {
  ranges: DayRange[];
  /** The place of a range that was just added. The reader goes on typing there. */
  added?: number;
  /** The place of a range that was just removed. */
  removed?: number;
  refused?: Pick<Refusal, 'faults'>;
};

/** The ranges of the day. Each button submits the form, and the response has all that was typed. */
export function RangeFields({ ranges, added, removed, refused }: Props) {
  const { t } = useLingui();
  const rows = useRows(ranges, removed);
  const hasScript = useHasScript();
  const { id, faults, wiring } = faultsOf(refused, 'ranges');
  // Without script the response is a new document, which opens at the ranges.
  const begins = hasScript ? undefined : `#${rangesAnchor}`;
  return (
    <fieldset
      aria-describedby={wiring['aria-describedby']}
      {...(wiring['aria-invalid'] && focusFirst)}
      tabIndex={-1}
      id={rangesAnchor}
      className="grid gap-3 outline-none"
    >
      <legend className="sr-only">{t`Ranges of the day`}</legend>
      {rows.map(({ start, end, place, key }) => (
        <div key={key} className="grid grid-cols-2 items-end gap-x-5 gap-y-1">
          <TimeField name="start" {...{ place, value: start, refused }} isNext={place === added} />
          <TimeField name="end" {...{ place, value: end, refused }} />
          {ranges.length > 1 && (
            <div className="col-span-2 justify-self-end text-sm">
              <Button ends="off" name="press" value={`remove:${place}`} formAction={begins}>
                <RemoveRange number={place + 1} />
              </Button>
            </div>
          )}
        </div>
      ))}
      <Faults id={`${id}-faults`} faults={faults} />
      <div className="flex flex-wrap gap-x-5 text-sm">
        <Button isText name="press" value="break" formAction={begins}>
          <Icon name="plus" />
          {t`Add a break`}
        </Button>
        {ranges.length < limits.ranges && (
          <Button isText name="press" value="add" formAction={begins}>
            <Icon name="plus" />
            {t`Add a range`}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const RemoveRange = ({ number }: { number: number }) => (
  <Trans>
    Remove<span className="sr-only"> range {number}</span>
  </Trans>
);

function timeLabel(name: 'start' | 'end', place: number): Words {
  const number = place + 1;
  if (name === 'start') return place === 0 ? msg`Range start time` : msg`Range ${number} start time`;
  return place === 0 ? msg`Range end time` : msg`Range ${number} end time`;
}

type TimeProps = {
  name: 'start' | 'end';
  place: number;
  value: string;
  isNext?: boolean;
  refused?: Pick<Refusal, 'faults'>;
};

/** A start or an end. The faults of the first range stand beside it; those of the others name their range. */
function TimeField({ name, place, value, isNext, refused }: TimeProps) {
  const words = useWords();
  const own = faultsOf(place === 0 ? refused : undefined, name);
  const wiring = place === 0 ? own.wiring : { id: `${own.id}-${place}` };
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={wiring.id} className="font-semibold">
        {words(timeLabel(name, place))}
      </label>
      <input
        type="time"
        required
        {...wiring}
        {...(isNext && focusFirst)}
        name={name}
        defaultValue={value}
        className="min-h-12 w-full min-w-0 rounded-md border-[1.5px] border-edge bg-card px-3 py-2.5 text-base text-ink aria-invalid:border-accent"
      />
      <Faults id={`${own.id}-faults`} faults={own.faults} />
    </div>
  );
}
