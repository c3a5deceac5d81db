import type { ReactNode } from 'react';
import { Icon } from './frame/Icon';

type Props = {
  label: string;
  before: { to: string; words: ReactNode };
  now: { to: string; words: ReactNode };
  after: { to: string; words: ReactNode };
  children?: ReactNode;
};

export const Steps = ({ label, before, now, after, children }: Props) => (
  <nav aria-label={label} className="steps no-print">
    <a href={before.to}>
      <Icon name="before" />
      <span className="sr-only">{before.words}</span>
    </a>
    <a href={now.to}>{now.words}</a>
    <a href={after.to}>
      <Icon name="after" />
      <span className="sr-only">{after.words}</span>
    </a>
    {children && <span>{children}</span>}
  </nav>
);
