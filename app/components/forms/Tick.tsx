import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';

/** A box to tick, with its words beside it. */
export const Tick = ({ name, refused, children }: { name: string; refused?: Refusal; children: ReactNode }) => (
  <label className="flex min-h-11 items-center gap-3">
    <input
      type="checkbox"
      name={name}
      value="true"
      defaultChecked={refused?.typed[name] !== undefined}
      className="size-5 shrink-0 accent-accent"
    />
    {children}
  </label>
);
