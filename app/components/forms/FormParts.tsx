import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { type Part, Parts } from '../frame/Parts';

type Props = {
  /** `fields`: the faults of these show the part first. */
  parts: (Part & { fields: string[] })[];
  refused?: Refusal;
  /** The buttons of the form. */
  children: ReactNode;
};

/** The fields of a form, in a frame of another site one part at a time: first the one with the first fault. */
export function FormParts({ parts, refused, children }: Props) {
  const wrong = refused?.faults[0]?.field ?? '';
  const first = parts.findIndex(({ fields }) => fields.includes(wrong));
  return (
    <Parts parts={parts} first={Math.max(0, first)}>
      {children}
    </Parts>
  );
}
