import type { ReactNode } from 'react';

export function Sheet({ isWide, isPlain, children }: { isWide?: boolean; isPlain?: boolean; children: ReactNode }) {
  return (
    <article
      className={`mx-auto w-full overflow-hidden rounded-letter border border-rule bg-card shadow-card ${isWide ? 'max-w-5xl' : 'max-w-2xl'}`}
    >
      {!isPlain && <div className="bunting border-b border-rule" />}
      <div className="grid gap-5 px-5 pt-6 pb-8 text-center sm:px-10">{children}</div>
    </article>
  );
}
