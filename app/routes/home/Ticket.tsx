import { Trans } from '@lingui/react/macro';
import { Children, type ReactNode } from 'react';
import { Face } from '../../components/Face';
import { ClockTime } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Instant } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';

type Props = {
  at: Instant;
  zone: string;
  soon: Words;
  name: string;
  to: string;
  facts: (ReactNode | null)[];
  /** Buttons, and what the reader should know first. */
  children: ReactNode;
};

export function Ticket({ at, zone, soon, name, to, facts, children }: Props) {
  const words = useWords();
  const shown = facts.filter(Boolean);
  return (
    <section className="ticket" aria-labelledby="next-appointment">
      <p>
        <ClockTime at={at} zone={zone} />
        <small>{words(soon)}</small>
      </p>
      <div className="grid content-start gap-3">
        <div className="flex items-center gap-3">
          <Face name={name} />
          <h2 id="next-appointment" className="text-xl break-words">
            <Trans>
              <span className="sr-only">Next: </span>
              <a href={to}>{name}</a>
            </Trans>
          </h2>
        </div>
        {shown.length > 0 && (
          <ul className="facts">
            {Children.map(shown, (fact) => (
              <li>{fact}</li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </section>
  );
}
