import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';

/** Says what becomes of the coming appointments of somebody who leaves the shop. */
export function LeavingFields({ legend, refused }: { legend: string; refused?: Refusal }) {
  const { t } = useLingui();
  const chosen = refused?.typed.appointments?.[0] ?? 'stay';
  const choices = [
    ['stay', t`stay with their book`],
    ['handOver', t`go to colleagues who are free then`],
    ['cancel', t`are canceled, and everybody is told`],
  ] as const;
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      <div className="grid gap-1">
        {choices.map(([value, words]) => (
          <label key={value} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="appointments"
              value={value}
              defaultChecked={value === chosen}
              className="size-5 shrink-0 accent-accent"
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
