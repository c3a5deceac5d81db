import type { ReactNode } from 'react';

type FoldProps = { summary: string; isOpen: boolean; className?: string; children: ReactNode };

export function Fold({ summary, isOpen, className = 'no-print border-t border-rule pt-2', children }: FoldProps) {
  return (
    <details open={isOpen} className={className}>
      <summary className="min-h-11 py-2 font-serif text-lg font-semibold">{summary}</summary>
      {children}
    </details>
  );
}
