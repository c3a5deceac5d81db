import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { PostForm, Submit } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import { useShell } from '../../components/frame/shell';
import { timeWords } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { missedWords, type WhyMissed } from '../../domain/slots/missed';
import type { StandingTime } from '../../domain/standing/standing';
import { dateWords, type Instant, type LocalDate, localDateOf, weekdayWords, zoneWords } from '../../domain/time/clock';
import { inWeekOrder } from '../../domain/time/week-start';
import type { Words } from '../../domain/words/words';

/** 'Every second Tuesday, 10:00, Lisbon time'. */
function standingWords({ day, start, every }: StandingTime, timeZone: string): Words {
  const [weekday, time, zone] = [weekdayWords(day), { clock: start }, zoneWords(timeZone)];
  if (every === 14) return msg`Every second ${weekday}, ${time}, ${zone}`;
  if (every === 21) return msg`Every third ${weekday}, ${time}, ${zone}`;
  if (every === 28) return msg`Every fourth ${weekday}, ${time}, ${zone}`;
  return msg`Every ${weekday}, ${time}, ${zone}`;
}

function datesWords(time: StandingTime): Words {
  const from = dateWords(time.from).full;
  if (time.until === null) return msg`From ${from}`;
  const until = dateWords(time.until).full;
  return msg`From ${from} to ${until}`;
}

type Props = {
  person: string;
  list: StandingTime[];
  timeZone: string;
  /** True if each has a button to end it. */
  canEnd?: boolean;
};

export function StandingTimes({ person, list, timeZone, canEnd }: Props) {
  const words = useWords();
  const { weekStart } = useShell();
  return (
    <ul className="grid gap-5">
      {inWeekOrder(list, ({ day }) => day, weekStart).map((time) => (
        <li key={time.id} className="grid gap-1">
          <h3 className="font-semibold">{words(standingWords(time, timeZone))}</h3>
          <p className="text-muted">
            {words(datesWords(time))}
            {time.serviceName && `, ${time.serviceName}`}
          </p>
          <MissedDates person={person} timeZone={timeZone} standing={time} />
          {canEnd && <EndIt id={time.id} when={words(standingWords(time, timeZone))} />}
        </li>
      ))}
    </ul>
  );
}

const EndIt = ({ id, when }: { id: string; when: string }) => (
  <PostForm className="grid justify-items-start gap-1 pt-2">
    <Submit ends="off" name="end" value={id}>
      <Trans>
        End it<span className="sr-only">: {when}</span>
      </Trans>
    </Submit>
    <p className="text-sm text-muted">
      <Trans>What is booked already stays. You can cancel it with all that follow.</Trans>
    </p>
  </PostForm>
);

type MissedProps = Pick<Props, 'person' | 'timeZone'> & { standing: StandingTime };

function MissedDates({ person, timeZone, standing: { missed, service } }: MissedProps) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  if (missed.length === 0) return null;
  const notOn = (date: LocalDate, why: WhyMissed) => {
    const [day, reason] = [words(dateWords(date).full), words(missedWords[why])];
    return t`Not on ${day}: ${reason}.`;
  };
  const book = (at: Instant) => {
    const [day, time] = [words(dateWords(localDateOf(at, timeZone)).short), words(timeWords(at, timeZone))];
    return t`Book ${day}, ${time}`;
  };
  return (
    <ul className="grid gap-3 border-s-2 border-warn ps-4">
      {missed.map(({ date, why, nearest }) => (
        <li key={date} className="grid gap-1">
          <p className="text-warn">{notOn(date, why)}</p>
          {nearest.length > 0 && (
            <PostForm action={desk.bookForPerson(person)} className="flex flex-wrap gap-2">
              {service && <input type="hidden" name="service" value={service} />}
              {nearest.map(({ id, startsAt }) => (
                <Submit quiet key={id} name="slot" value={id}>
                  {book(startsAt)}
                </Submit>
              ))}
            </PostForm>
          )}
        </li>
      ))}
    </ul>
  );
}
