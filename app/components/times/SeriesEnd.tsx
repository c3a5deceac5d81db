import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { AgainPage, Ends } from '../../domain/series/series';
import type { Words } from '../../domain/words/words';
import { TextField } from '../forms/Field';
import { useWords } from '../words';

const usualTimes = 8;

const choices: [Ends, Words][] = [
  ['times', msg`So many times`],
  ['until', msg`Until a day`],
];

type Props = Pick<AgainPage, 'chosen' | 'isAsked' | 'usualUntil'> & {
  isFirstCounted: boolean;
  refused?: Refusal;
};

/** Asks how many times, or until when. Only the field of the choice shows, so that nobody fills one that doesn't count. */
export function SeriesEnd({ chosen, isAsked, usualUntil, isFirstCounted, refused }: Props) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <fieldset className="group grid gap-3">
      <legend className="font-semibold">
        <Trans>How long</Trans>
      </legend>
      <div className="flex flex-wrap gap-x-6">
        {choices.map(([ends, choice]) => (
          <label key={ends} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="ends"
              value={ends}
              defaultChecked={chosen.ends === ends}
              className="size-5 accent-accent"
            />
            {words(choice)}
          </label>
        ))}
      </div>
      <div className="group-has-[[value=until]:checked]:hidden">
        <TextField
          name="times"
          label={t`How many times`}
          help={isFirstCounted ? t`The first one counts.` : undefined}
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.series}
          refused={refused}
          defaultValue={chosen.times || (isAsked && chosen.ends === 'times' ? '' : usualTimes)}
        />
      </div>
      <div className="group-has-[[value=times]:checked]:hidden">
        <TextField
          name="until"
          label={t`Last day`}
          type="date"
          refused={refused}
          defaultValue={chosen.until || (isAsked && chosen.ends === 'until' ? '' : usualUntil)}
        />
      </div>
    </fieldset>
  );
}
