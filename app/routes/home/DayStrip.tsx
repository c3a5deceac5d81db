import type { ReactNode } from 'react';
import { Face } from '../../components/Face';
import { ClockTime } from '../../components/times/Time';
import { toneOfService } from '../../components/tones';
import type { StripLine } from '../../domain/calendar/today';
import { attendanceWords } from '../../domain/people/attendance-words';
import { type Instant, lengthWords, minute } from '../../domain/time/clock';
import * as paths from '../../paths';

type Props = {
  strip: StripLine[];
  zone: string;
  now: Instant;
  /** The names of the provider's services, in their order. */
  services: string[];
};

export function DayStrip({ strip, zone, now, services }: Props) {
  const next = strip.findIndex(({ startsAt }) => startsAt > now);
  return (
    <ol className="strip">
      {strip.map((line, place) => (
        <li key={`${line.kind}${line.startsAt}`} className={place === next ? 'is-next' : undefined}>
          <ClockTime at={line.startsAt} zone={zone} />
          <StripEntry line={line} zone={zone} services={services} />
        </li>
      ))}
    </ol>
  );
}

const lengthOf = ({ startsAt, endsAt }: StripLine) => lengthWords(Math.round((endsAt - startsAt) / minute));

function StripEntry({ line, zone, services }: Pick<Props, 'zone' | 'services'> & { line: StripLine }): ReactNode {
  switch (line.kind) {
    case 'booked': {
      const { id, name, service, attendance, people } = line.line;
      const facts = [
        service,
        people > 1 && `${people} people`,
        attendance !== 'unknown' && attendanceWords[attendance].toLowerCase(),
      ];
      return (
        <a href={paths.providerView(id)} className={`entry is-booked ${toneOfService(service, services)}`}>
          <Face name={name} />
          <span>
            <b>{name}</b>
            <small>{facts.filter(Boolean).join(' · ')}</small>
          </span>
          <small>{lengthOf(line)}</small>
        </a>
      );
    }
    case 'class':
      return (
        <a href={paths.providerView(line.id)} className={`entry is-booked ${toneOfService(line.name, services)}`}>
          <span>
            <b>{line.name}</b>
            <small>{line.people === 1 ? 'One person comes' : `${line.people} people come`}</small>
          </span>
          <small>{lengthOf(line)}</small>
        </a>
      );
    case 'free':
      return (
        <a href={paths.providerDetails(line.id)} className="entry is-free">
          <span>
            Free until <ClockTime at={line.endsAt} zone={zone} />
          </span>
          <b>
            Book<span className="sr-only"> for someone</span>
          </b>
        </a>
      );
    case 'busy':
      return (
        <p className="entry is-busy">
          <span>
            {line.words} until <ClockTime at={line.endsAt} zone={zone} />
          </span>
        </p>
      );
    case 'closed':
      return (
        <p className="entry is-closed">
          <span>
            Closed until <ClockTime at={line.endsAt} zone={zone} />
          </span>
        </p>
      );
  }
}
