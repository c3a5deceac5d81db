import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Face } from '../../components/Face';
import { ClockTime } from '../../components/times/Time';
import { toneOfService } from '../../components/tones';
import { useWords } from '../../components/words';
import type { StripLine } from '../../domain/calendar/today';
import type { Attendance } from '../../domain/people/attendance-words';
import { type Instant, lengthWords, minute } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
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

const markWords: Record<Attendance, Words | null> = {
  seen: msg({ message: 'came', context: 'whether they came' }),
  excused: msg({ message: 'excused', context: 'whether they came' }),
  missed: msg({ message: 'missed', context: 'whether they came' }),
  unknown: null,
};

function StripEntry({ line, zone, services }: Pick<Props, 'zone' | 'services'> & { line: StripLine }): ReactNode {
  const { t } = useLingui();
  const words = useWords();
  switch (line.kind) {
    case 'booked': {
      const { id, name, service, attendance, people } = line.line;
      const mark = markWords[attendance];
      const facts = [
        service,
        people > 1 && words(msg({ message: plural({ people }, { one: '# person', other: '# people' }) })),
        mark && words(mark),
      ];
      return (
        <a href={paths.providerView(id)} className={`entry is-booked ${toneOfService(service, services)}`}>
          <Face name={name} />
          <span>
            <b>{name}</b>
            <small>{facts.filter(Boolean).join(' · ')}</small>
          </span>
          <small>{words(lengthOf(line))}</small>
        </a>
      );
    }
    case 'class': {
      const { people } = line;
      return (
        <a href={paths.providerView(line.id)} className={`entry is-booked ${toneOfService(line.name, services)}`}>
          <span>
            <b>{line.name ?? t`A class`}</b>
            <small>
              <Plural value={people} _1="One person comes" one="# person comes" other="# people come" />
            </small>
          </span>
          <small>{words(lengthOf(line))}</small>
        </a>
      );
    }
    case 'free':
      return (
        <a href={paths.providerDetails(line.id)} className="entry is-free">
          <span>
            <Trans>
              Free until <ClockTime at={line.endsAt} zone={zone} />
            </Trans>
          </span>
          <b>
            <Trans>
              Book<span className="sr-only"> for someone</span>
            </Trans>
          </b>
        </a>
      );
    case 'busy': {
      const what = words(line.words);
      return (
        <p className="entry is-busy">
          <span>
            <Trans>
              {what} until <ClockTime at={line.endsAt} zone={zone} />
            </Trans>
          </span>
        </p>
      );
    }
    case 'closed':
      return (
        <p className="entry is-closed">
          <span>
            <Trans>
              Closed until <ClockTime at={line.endsAt} zone={zone} />
            </Trans>
          </span>
        </p>
      );
  }
}
