import { PostForm, Submit } from '../../components/forms/Form';
import { timeWords } from '../../components/times/Time';
import { missedWords } from '../../domain/slots/missed';
import type { StandingTime } from '../../domain/standing/standing';
import { dateWords, localDateOf, weekdays, zoneWords } from '../../domain/time/clock';
import * as paths from '../../paths';

const everyWords: Record<number, string> = {
  7: 'Every',
  14: 'Every second',
  21: 'Every third',
  28: 'Every fourth',
};

/** 'Every second Tuesday, 10:00, Lisbon time'. */
const standingWords = ({ day, start, every }: StandingTime, zone: string) =>
  `${everyWords[every]} ${weekdays[day]}, ${start}, ${zoneWords(zone)}`;

type Props = {
  person: string;
  list: StandingTime[];
  timeZone: string;
  /** True if each has a button to end it. */
  canEnd?: boolean;
};

export const StandingTimes = ({ person, list, timeZone, canEnd }: Props) => (
  <ul className="grid gap-5">
    {list.map((time) => (
      <li key={time.id} className="grid gap-1">
        <h3 className="font-semibold">{standingWords(time, timeZone)}</h3>
        <p className="text-muted">
          {`From ${dateWords(time.from).full}`}
          {time.until && ` to ${dateWords(time.until).full}`}
          {time.serviceName && `, ${time.serviceName}`}
        </p>
        <MissedDates person={person} timeZone={timeZone} standing={time} />
        {canEnd && (
          <PostForm className="grid justify-items-start gap-1 pt-2">
            <Submit ends="off" name="end" value={time.id}>
              End it
              <span className="sr-only">{`: ${standingWords(time, timeZone)}`}</span>
            </Submit>
            <p className="text-sm text-muted">What is booked already stays. You can cancel it with all that follow.</p>
          </PostForm>
        )}
      </li>
    ))}
  </ul>
);

type MissedProps = Pick<Props, 'person' | 'timeZone'> & { standing: StandingTime };

function MissedDates({ person, timeZone, standing: { missed, service } }: MissedProps) {
  if (missed.length === 0) return null;
  return (
    <ul className="grid gap-3 border-l-2 border-warn pl-4">
      {missed.map(({ date, why, nearest }) => (
        <li key={date} className="grid gap-1">
          <p className="text-warn">{`Not on ${dateWords(date).full}: ${missedWords[why]}.`}</p>
          {nearest.length > 0 && (
            <PostForm action={paths.bookForPerson(person)} className="flex flex-wrap gap-2">
              {service && <input type="hidden" name="service" value={service} />}
              {nearest.map(({ id, startsAt }) => (
                <Submit quiet key={id} name="slot" value={id}>
                  {`Book ${dateWords(localDateOf(startsAt, timeZone)).short}, ${timeWords(startsAt, timeZone)}`}
                </Submit>
              ))}
            </PostForm>
          )}
        </li>
      ))}
    </ul>
  );
}
