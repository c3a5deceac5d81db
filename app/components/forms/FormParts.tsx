import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { ButtonLabel } from '../Button';
import { useIsFramed } from '../frame/shell';

/** @property fields whose faults show this part first */
type Part = { fields: string[]; content: ReactNode };

type Props = {
  parts: Part[];
  refused?: Refusal;
  /** The buttons of the form. */
  children: ReactNode;
};

/**
 * The fields of a form. A frame of another site is too low for many, and has no scripts: there one part is shown at a time, by a
 * style that looks which box is chosen.
 */
export function FormParts({ parts, refused, children }: Props) {
  const isFramed = useIsFramed();
  const { t } = useLingui();
  const count = parts.length;
  if (!isFramed || count === 1) {
    return (
      <>
        {parts.map(({ fields, content }) => (
          <Fragment key={fields[0]}>{content}</Fragment>
        ))}
        {children}
      </>
    );
  }
  const wrong = refused?.faults[0]?.field ?? '';
  const first = Math.max(
    0,
    parts.findIndex(({ fields }) => fields.includes(wrong)),
  );
  const shown = parts.map(({ content }, place) => {
    const number = place + 1;
    return (
      <div key={number} className="part relative grid gap-2">
        <input
          type="radio"
          name={partField}
          id={partId(number)}
          value={number}
          defaultChecked={place === first}
          aria-label={t`Part ${number} of ${count}`}
          className="sr-only"
        />
        {content}
        {number === count && children}
        <p className="flex items-center gap-3">
          {number < count && (
            <ButtonLabel htmlFor={partId(number + 1)}>
              <Trans>Next part</Trans>
            </ButtonLabel>
          )}
          {number > 1 && (
            <ButtonLabel htmlFor={partId(number - 1)}>
              <Trans>Back</Trans>
            </ButtonLabel>
          )}
          <span aria-hidden="true" className="text-sm text-muted">
            <Trans>
              Part {number} of {count}
            </Trans>
          </span>
        </p>
      </div>
    );
  });
  return <div>{shown}</div>;
}

/** The field of the part on show. It says nothing about the person. */
export const partField = 'part';
const partId = (number: number) => `${partField}-${number}`;
