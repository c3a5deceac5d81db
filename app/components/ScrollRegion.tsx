import type { ReactNode } from 'react';

type Props = { id?: string; label: string; className?: string; children: ReactNode };

// The region takes the focus, so that a keyboard can scroll it.
export function ScrollRegion({ id, label, className = '', children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (axe)
    <section id={id} aria-label={label} tabIndex={0} className={`overflow-x-auto ${className}`}>
      {children}
    </section>
  );
}
