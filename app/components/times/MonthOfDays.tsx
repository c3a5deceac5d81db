import { Trans, useLingui } from '@lingui/react/macro';
import { dateWords, type LocalDate, weekdayWords } from '../../domain/time/clock';
import { addMonths, hasDayWithin, type Month, monthWeeks, monthWords } from '../../domain/time/month';
import { weekdaysFrom } from '../../domain/time/week-start';
import { useShell } from '../frame/shell';
import { useWords } from '../words';

type Props = {
  id?: string;
  paths: {
    month: (month: Month) => string;
    day: (date: LocalDate) => string;
    /** The address to join the waitlist for a coming day without free times. */
    wait?: (date: LocalDate) => string;
  };
  month: Month;
  months: [Month, Month]; // the first and the last month that can be shown
  days: LocalDate[];
  dates: LocalDate[]; // the days whose times are shown
  today: LocalDate;
};

export function MonthOfDays({ id, paths, month, months: [first, last], days, dates, today }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const { weekStart } = useShell();
  const weekdays = weekdaysFrom(weekStart);
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  const monthName = words(monthWords(month));
  const turn = (to: Month, label: string, sign: string) => (
    <a
      href={paths.month(to)}
      className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-full border border-edge no-underline"
    >
      <span aria-hidden="true" className="arrow">
        {sign}
      </span>
      <span className="sr-only">{label}</span>
    </a>
  );
  const hasDayToCome = hasDayWithin(today, paths.wait || month < last ? undefined : (days.at(-1) ?? ''));
  const hasFull =
    paths.wait &&
    monthWeeks(month, weekStart).some((week) => week.some((date) => date && date >= today && !days.includes(date)));
  const cell = (date: LocalDate) => {
    const shown = dateWords(date);
    const [day, full] = [words(shown.day), words(shown.full)];
    if (!days.includes(date)) {
      if (!paths.wait || date < today) return day;
      return (
        <a href={paths.wait(date)} aria-label={t`Tell me: ${{ date: full }}`} className="full">
          {day}
        </a>
      );
    }
    return (
      <a href={paths.day(date)} aria-label={full} aria-current={dates.includes(date) ? 'date' : undefined}>
        {day}
      </a>
    );
  };
  return (
    <section id={id} aria-label={t`Free days in ${{ month: monthName }}`} className="grid content-start gap-2">
      <div className="flex min-h-11 items-center justify-between gap-3">
        {month > first ? (
          turn(before, t`Earlier month: ${{ month: words(monthWords(before)) }}`, '←')
        ) : (
          <span className="min-w-11" />
        )}
        <h2 className="text-xl">{monthName}</h2>
        {month < last ? (
          turn(after, t`Later month: ${{ month: words(monthWords(after)) }}`, '→')
        ) : (
          <span className="min-w-11" />
        )}
      </div>
      <table className="month w-full text-center text-muted">
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" abbr={words(weekdayWords(day))} className="text-xs font-normal">
                {words({ ...weekdayWords(day), as: 'weekdayHead' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month, weekStart)
            .filter(hasDayToCome)
            .map((week) => (
              <tr key={week.find((date) => date)}>
                {week.map((date, place) => (
                  <td key={date ?? weekdays[place]}>{date && cell(date)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      {hasFull && (
        <p className="text-sm text-muted">
          <Trans>Nothing is free on dotted days: choose one to be told when that changes.</Trans>
        </p>
      )}
    </section>
  );
}
