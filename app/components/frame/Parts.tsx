import { Trans, useLingui } from '@lingui/react/macro';
import { createElement, Fragment, type ReactNode } from 'react';
import { ButtonLabel } from '../Button';
import { grouped } from './frame-groups';
import { useIsFramed } from './shell';

/** @property asked what a button says that leads here */
export type Part = { content: ReactNode; asked?: string | undefined };

type Props = {
  parts: Part[];
  /** The part that is shown first. */
  first?: number;
  /** What a button says that leads to a part after this one, and before it. */
  next?: string;
  back?: string;
  /** What stands below the last part. */
  children?: ReactNode;
};

/**
 * A page or a form in parts. A frame of another site is too low for all of them, and has no scripts: there one part is shown at a
 * time, by a style that looks which box is chosen. A page has parts in one place.
 */
export function Parts({ parts, first = 0, next, back, children }: Props) {
  const isFramed = useIsFramed();
  const { t } = useLingui();
  const count = parts.length;
  if (!isFramed || count < 2) {
    const contents = parts.map(({ content }) => content);
    return createElement(Fragment, null, ...contents, children);
  }
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
            <ButtonLabel htmlFor={partId(number + 1)}>{parts[number]?.asked ?? next ?? t`Next part`}</ButtonLabel>
          )}
          {number > 1 && (
            <ButtonLabel htmlFor={partId(number - 1)}>{parts[number - 2]?.asked ?? back ?? t`Back`}</ButtonLabel>
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

/** In a frame of another site the groups of these things that fit it, else all in one. */
export function useFrameGroups<T>(things: T[], linesOf: (thing: T) => number, most: number): T[][] {
  const isFramed = useIsFramed();
  if (isFramed) return grouped(things, linesOf, most);
  return things.length > 0 ? [things] : [];
}
