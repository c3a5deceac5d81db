import { Faults, faultsOf } from '../../components/forms/Field';
import { SpanTimes } from '../../components/times/Time';
import type { Refusal } from '../../domain/errors';
import type { Party } from '../../domain/parties/parties';
import type { WeeklyDay } from '../../domain/parties/weekly';
import { dateWords } from '../../domain/time/clock';

type Day = WeeklyDay & { isTaken: boolean };
type Props = { days: Day[]; kind: Party['kind']; zone: string; refused?: Refusal };

export function WeeklyDays({ days, kind, zone, refused }: Props) {
  const { id, faults, wiring } = faultsOf(refused, 'dates');
  return (
    <fieldset className="grid gap-2" aria-describedby={wiring['aria-describedby']}>
      <legend className="mb-2 font-semibold">A copy on each of these days</legend>
      <p className="text-sm text-muted">Untick what you leave out.</p>
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
                <span className="font-semibold">{dateWords(date).full}</span>
                <span>
                  <SpanTimes startsAt={startsAt} endsAt={endsAt} timeZone={zone} />
                </span>
                {rsvpBy && <span className="text-sm text-muted">Answers until {dateWords(rsvpBy).full}</span>}
                {isOtherwise && <span className="text-sm font-semibold">The clocks change then: see the times.</span>}
                {isTaken && (
                  <span className="text-sm font-semibold">You have a {kind} with this title then already.</span>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
