import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { AgainPage, Ends } from '../../domain/series/series';
import { TextField } from '../forms/Field';

const usualTimes = 8;

const choices: [Ends, string][] = [
  ['times', 'So many times'],
  ['until', 'Until a day'],
];

type Props = Pick<AgainPage, 'chosen' | 'isAsked' | 'usualUntil'> & {
  isFirstCounted: boolean;
  refused?: Refusal;
};

/** Asks how many times, or until when. Only the field of the choice shows, so that nobody fills one that doesn't count. */
export const SeriesEnd = ({ chosen, isAsked, usualUntil, isFirstCounted, refused }: Props) => (
  <fieldset className="group grid gap-3">
    <legend className="font-semibold">How long</legend>
    <div className="flex flex-wrap gap-x-6">
      {choices.map(([ends, words]) => (
        <label key={ends} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="ends"
            value={ends}
            defaultChecked={chosen.ends === ends}
            className="size-5 accent-accent"
          />
          {words}
        </label>
      ))}
    </div>
    <div className="group-has-[[value=until]:checked]:hidden">
      <TextField
        name="times"
        label="How many times"
        help={isFirstCounted ? 'The first one counts.' : undefined}
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
        label="Last day"
        type="date"
        refused={refused}
        defaultValue={chosen.until || (isAsked && chosen.ends === 'until' ? '' : usualUntil)}
      />
    </div>
  </fieldset>
);
