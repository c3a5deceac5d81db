import type { ReactNode } from 'react';

/** The paper of a letter, under its bunting. */
export function Sheet({ children }: { children: ReactNode }) {
  return (
    <article className="mx-auto w-full max-w-2xl overflow-hidden rounded-letter border border-rule bg-card shadow-card">
      <div className="bunting border-b border-rule" />
      <div className="grid gap-5 px-5 pt-6 pb-8 text-center sm:px-10">{children}</div>
    </article>
  );
}
