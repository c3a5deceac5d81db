import { type ReactNode, useState } from 'react';

type FoldProps = { summary: string; isOpen: boolean; className?: string; children: ReactNode };

/** What a response opened stays open after the next one: somebody may be typing in it. */
export function useStaysOpen(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return isOpen || wasOpen;
}

export function Fold({ summary, isOpen, className = 'no-print border-t border-rule pt-2', children }: FoldProps) {
  return (
    <details open={useStaysOpen(isOpen)} className={className}>
      <summary className="min-h-11 py-2 font-serif text-lg font-semibold">{summary}</summary>
      {children}
    </details>
  );
}
