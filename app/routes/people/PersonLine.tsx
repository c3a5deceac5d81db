import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useBookPaths } from '../../components/frame/book-paths';
import { Line } from '../../components/Line';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { attendanceSummary } from '../../domain/people/attendance-words';
import type { Card } from '../../domain/people/people';
import type { Instant } from '../../domain/time/clock';

type Listed = Card & { next?: Instant | null; last?: Instant | null };
type Props = { person: Listed; to?: string; acts?: ReactNode };

export function PersonLine({ person, to, acts }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { name, username, email, phone, next, last } = person;
  const words = useWords();
  const attendance = attendanceSummary(person);
  const reach = [username ?? (email ? null : t`Guest`), email, phone, attendance && words(attendance)]
    .filter(Boolean)
    .join(' · ');
  return (
    <Line name={name} to={to ?? desk.person(person.id)} acts={acts}>
      <p className="break-words">{reach}</p>
      {next || last ? (
        <p>
          <NextOrLast next={next} last={last} />
        </p>
      ) : null}
    </Line>
  );
}

/** The next appointment, or the last one. It helps to tell people with the same name apart. */
export function NextOrLast({ next, last }: Pick<Listed, 'next' | 'last'>) {
  if (next) {
    return (
      <Trans>
        Next: <Moment at={next} />
      </Trans>
    );
  }
  return last ? (
    <Trans>
      Last: <Moment at={last} />
    </Trans>
  ) : (
    <Trans>No appointment so far</Trans>
  );
}
