import { type ReactNode, useState } from 'react';
import { Icon } from './frame/Icon';

type FoldProps = {
  summary: ReactNode;
  isOpen: boolean;
  className?: string;
  /** The form in it deletes something: the name of its icon. */
  ends?: string;
  children: ReactNode;
};

/** What a response opened stays open after the next one: somebody may be typing in it. */
export function useStaysOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return isOpen || wasOpen;
}

export function Fold({ summary, isOpen, className = 'no-print border-t border-rule pt-2', ends, children }: FoldProps) {
  return (
    <details open={useStaysOpen(isOpen)} className={className}>
      <summary className={ends ? 'ends' : 'min-h-11 py-2 font-serif text-lg font-semibold'}>
        {ends && <Icon name={ends} />}
        {summary}
      </summary>
      {children}
    </details>
  );
}
