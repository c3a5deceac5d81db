import { dateWords, type LocalDate, weekdays } from '../../domain/time/clock';
import { addMonths, hasDayWithin, type Month, monthWeeks, monthWords } from '../../domain/time/month';
import { weekdaysFrom } from '../../domain/time/week-start';
import { useShell } from '../frame/shell';

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
  const { weekStart } = useShell();
  const names = weekdaysFrom(weekStart).map((day) => weekdays[day] as string);
  const turn = (to: Month, words: string, sign: string) => (
    <a
      href={paths.month(to)}
      className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-full border border-edge no-underline"
    >
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{`${words}: ${monthWords(to)}`}</span>
    </a>
  );
  const isToCome = hasDayWithin(today, paths.wait || month < last ? undefined : (days.at(-1) ?? ''));
  const hasFull =
    paths.wait &&
    monthWeeks(month, weekStart).some((week) => week.some((date) => date && date >= today && !days.includes(date)));
  const cell = (date: LocalDate) => {
    const { day, full } = dateWords(date);
    if (!days.includes(date)) {
      if (!paths.wait || date < today) return day;
      return (
        <a href={paths.wait(date)} aria-label={`Tell me: ${full}`} className="full">
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
    <section id={id} aria-label={`Free days in ${monthWords(month)}`} className="grid content-start gap-2">
      <div className="flex min-h-11 items-center justify-between gap-3">
        {month > first ? turn(addMonths(month, -1), 'Earlier month', '←') : <span className="min-w-11" />}
        <h2 className="text-xl">{monthWords(month)}</h2>
        {month < last ? turn(addMonths(month, 1), 'Later month', '→') : <span className="min-w-11" />}
      </div>
      <table className="month w-full text-center text-muted">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" abbr={name} className="text-xs font-normal">
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month, weekStart)
            .filter(isToCome)
            .map((week) => (
              <tr key={week.find((date) => date)}>
                {week.map((date, place) => (
                  <td key={date ?? names[place]}>{date && cell(date)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      {hasFull && (
        <p className="text-sm text-muted">Nothing is free on dotted days: choose one to be told when that changes.</p>
      )}
    </section>
  );
}
