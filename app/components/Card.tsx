import { Trans } from '@lingui/react/macro';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { focusFirst } from './forms/Field';

/** @param id of the heading, for links to it */
export function Card({
  title,
  id,
  aside,
  children,
}: {
  title?: ReactNode;
  id?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid content-start gap-4 rounded-card border border-rule bg-card p-5 raised sm:p-6">
      {title && (
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id={id} tabIndex={id ? -1 : undefined} className="text-xl outline-none">
            {title}
          </h2>
          {aside && <div className="aside no-print">{aside}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** An empty list: says that it is empty, what it is for, and what to do next. */
export function Empty({ children, about, next }: { children: ReactNode; about?: ReactNode; next?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-muted">{children}</p>
      {about && <p className="max-w-[36rem]">{about}</p>}
      {next}
    </div>
  );
}

const tones = {
  good: 'border-good bg-good-wash',
  warn: 'border-warn bg-warn-wash',
  bad: 'border-accent bg-wash',
};

export function Notice({
  tone,
  title,
  isFirst = true,
  isQuiet,
  children,
}: {
  tone: keyof typeof tones;
  title: ReactNode;
  isFirst?: boolean; // the focus goes to this notice, not to a field
  isQuiet?: boolean; // a screen reader hears the same elsewhere
  children?: ReactNode;
}) {
  return (
    <section
      role={isQuiet ? undefined : tone === 'bad' ? 'alert' : 'status'}
      tabIndex={tone === 'warn' ? undefined : -1}
      {...(tone === 'good' && { 'data-done': '' })}
      {...(tone === 'bad' && { 'data-faults': '', ...(isFirst && focusFirst) })}
      className={`grid gap-3 rounded-card border-s-4 p-5 ${tones[tone]}`}
    >
      <h2 className={tone === 'good' ? 'done text-lg' : 'text-lg'}>{title}</h2>
      {children}
    </section>
  );
}

/** @param what the name of this message in the address */
export function Done({ what, children }: { what: 'saved' | 'deleted' | 'copied'; children: ReactNode }) {
  const [query] = useSearchParams();
  return query.has(what) ? <Notice tone="good" title={children} /> : null;
}

export type Fact = [name: string, what: ReactNode];

export function Facts({ facts, isCompact }: { facts: Fact[]; isCompact?: boolean }) {
  if (facts.length === 0) return null;
  return (
    <dl className={isCompact ? 'grid grid-cols-[repeat(auto-fit,minmax(12rem,1fr))] gap-x-6 gap-y-3 text-sm' : 'grid'}>
      {facts.map(([name, what]) => (
        <div
          key={name}
          className={
            isCompact
              ? 'grid content-start'
              : 'grid gap-1 border-b border-dashed border-rule py-3 last:border-0 sm:grid-cols-[10rem_1fr]'
          }
        >
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-semibold break-words whitespace-pre-line">{what}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the headline of a page says already, each by its name. */
export const MoreFacts = ({ facts }: { facts: Fact[] }) => (
  <details className="text-sm">
    <summary className="min-h-11 cursor-pointer py-2 text-muted">
      <Trans>All details</Trans>
    </summary>
    <Facts isCompact facts={facts} />
  </details>
);
