import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { Faults, faultsOf } from './Field';

type Chip = { value: string; words: ReactNode };
type Props = {
  name: string;
  label: string;
  help?: ReactNode;
  refused?: Refusal;
  chosen: string[];
  /** Any number of them may be chosen, none as well. */
  isMany?: boolean;
  chips: Chip[];
};

/** A few choices, all in sight. */
export function Chips({ name, label, help, refused, chosen, isMany, chips }: Props) {
  const { id, faults, wiring } = faultsOf(refused, name);
  const pressed = refused?.typed[name] ?? chosen;
  return (
    <fieldset aria-describedby={help ? `${id}-help` : undefined}>
      <legend className="mb-1.5 font-semibold">{label}</legend>
      {help && (
        <p id={`${id}-help`} className="mb-2 text-sm text-muted">
          {help}
        </p>
      )}
      <Faults id={`${id}-faults`} faults={faults} />
      {isMany && <input type="hidden" name={name} value="" />}
      <div className="chips">
        {chips.map(({ value, words }, index) => (
          <label key={value}>
            <input
              {...(index === 0 && wiring)}
              type={isMany ? 'checkbox' : 'radio'}
              name={name}
              value={value}
              defaultChecked={pressed.includes(value)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
