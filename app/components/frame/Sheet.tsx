import type { ReactNode } from 'react';

/** @param isFestive flags hang above the page, as above an invitation */
export function Sheet({ isWide, isFestive, children }: { isWide?: boolean; isFestive?: boolean; children: ReactNode }) {
  return (
    <article
      className={`mx-auto w-full overflow-hidden rounded-letter border border-rule bg-card raised ${isWide ? 'max-w-5xl' : 'max-w-2xl'}`}
    >
      {isFestive && <div className="bunting border-b border-rule" />}
      <div className="grid gap-5 px-5 pt-6 pb-8 text-center sm:px-10">{children}</div>
    </article>
  );
}
