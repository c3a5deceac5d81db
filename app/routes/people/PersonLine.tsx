import type { ReactNode } from 'react';
import { Face } from '../../components/Face';
import { Moment } from '../../components/times/Time';
import { attendanceSummary } from '../../domain/people/attendance-words';
import type { Card } from '../../domain/people/people';
import type { Instant } from '../../domain/time/clock';
import * as paths from '../../paths';

type Listed = Card & { next?: Instant | null; last?: Instant | null };
type Props = { person: Listed; to?: string; children?: ReactNode };

export function PersonLine({ person, to = paths.person(person.id), children }: Props) {
  const { name, username, email, phone, next, last } = person;
  const attendance = attendanceSummary(person);
  const reach = [username ?? (email ? null : 'Guest'), email, phone, attendance].filter(Boolean).join(' · ');
  return (
    <li className="relative">
      <Face name={name} />
      <div>
        <a href={to} className="font-semibold break-words">
          <bdi>{name}</bdi>
        </a>
        <p className="break-words">{reach}</p>
        {next || last ? (
          <p>
            <NextOrLast next={next} last={last} />
          </p>
        ) : null}
      </div>
      {children}
    </li>
  );
}

/** The next appointment, or the last one. It helps to tell people with the same name apart. */
export function NextOrLast({ next, last }: Pick<Listed, 'next' | 'last'>) {
  const at = next ?? last;
  return at ? (
    <>
      {next ? 'Next: ' : 'Last: '}
      <Moment at={at} />
    </>
  ) : (
    'No appointment so far'
  );
}
