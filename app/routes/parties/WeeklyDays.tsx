import { useLingui } from '@lingui/react/macro';
import { Faults, faultsOf } from '../../components/forms/Field';
import { SpanTimes } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import type { Party } from '../../domain/parties/parties';
import type { WeeklyDay } from '../../domain/parties/weekly';
import { dateWords, type LocalDate } from '../../domain/time/clock';

type Day = WeeklyDay & { isTaken: boolean };
type Props = { days: Day[]; kind: Party['kind']; zone: string; refused?: Refusal };

export function WeeklyDays({ days, kind, zone, refused }: Props) {
  const { id, faults, wiring } = faultsOf(refused, 'dates');
  const words = useWords();
  const { t } = useLingui();
  const takenWords =
    kind === 'party'
      ? t`You have a party with this title then already.`
      : t`You have a meetup with this title then already.`;
  const untilWords = (date: LocalDate) => {
    const lastDay = words(dateWords(date).full);
    return t`Answers until ${lastDay}`;
  };
  return (
    <fieldset className="grid gap-2" aria-describedby={wiring['aria-describedby']}>
      <legend className="mb-2 font-semibold">{t`A copy on each of these days`}</legend>
      <p className="text-sm text-muted">{t`Untick what you leave out.`}</p>
      <Faults id={`${id}-faults`} faults={faults} />
      <ul className="grid">
        {days.map(({ date, startsAt, endsAt, rsvpBy, isOtherwise, isTaken }, place) => (
          <li key={date} className="border-b border-dashed border-rule last:border-0">
            <label className="flex min-h-12 cursor-pointer items-start gap-3 py-2">
              <input
                {...(place === 0 && wiring)}
                type="checkbox"
                name="dates"
                value={date}
                defaultChecked={refused ? refused.typed.dates?.includes(date) : !isTaken}
                className="mt-0.5 size-5 shrink-0 accent-accent"
              />
              <span className="grid">
                <span className="font-semibold">{words(dateWords(date).full)}</span>
                <span>
                  <SpanTimes startsAt={startsAt} endsAt={endsAt} timeZone={zone} />
                </span>
                {rsvpBy && <span className="text-sm text-muted">{untilWords(rsvpBy)}</span>}
                {isOtherwise && (
                  <span className="text-sm font-semibold">{t`The clocks change then: see the times.`}</span>
                )}
                {isTaken && <span className="text-sm font-semibold">{takenWords}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
