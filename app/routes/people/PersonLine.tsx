import type { ReactNode } from 'react';
import { Face } from '../../components/Face';
import { Moment } from '../../components/Time';
import { attendanceSummary } from '../../domain/people/attendance-words';
import type { Card } from '../../domain/people/people';
import type { Instant } from '../../domain/time/clock';
import * as paths from '../../paths';

type Props = { person: Card & { next?: Instant | null; last?: Instant | null }; to?: string; children?: ReactNode };

/** One of the people in a list: who, how they are reached, how often they came, and when they come next or came last. */
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
            {next ? 'Next: ' : 'Last: '}
            <Moment at={(next ?? last) as Instant} />
          </p>
        ) : null}
      </div>
      {children}
    </li>
  );
}
