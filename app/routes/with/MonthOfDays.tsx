import { dateWords, type LocalDate, weekdays } from '../../domain/time/clock';
import { addMonths, type Month, monthWeeks, monthWords } from '../../domain/time/month';
import { monthPath, timesPath } from './paths';

type Props = {
  username: string;
  month: Month;
  /** The first and the last month that the reader can turn to. */
  months: [Month, Month];
  /** The free days, which are links. */
  days: LocalDate[];
  /** The days whose times the page shows. */
  dates: LocalDate[];
};

/** A month; its free days are links to their times. */
export function MonthOfDays({ username, month, months: [first, last], days, dates }: Props) {
  const turn = (to: Month, words: string, sign: string) => (
    <a
      href={monthPath(username, to)}
      className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-full border border-edge no-underline"
    >
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{`${words}: ${monthWords(to)}`}</span>
    </a>
  );
  const cell = (date: LocalDate) => {
    const { day, full } = dateWords(date);
    if (!days.includes(date)) return day;
    return (
      <a href={timesPath(username, [date])} aria-label={full} aria-current={dates.includes(date) ? 'date' : undefined}>
        {day}
      </a>
    );
  };
  return (
    <section id="month" aria-label="Free days" className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        {month > first ? turn(addMonths(month, -1), 'Earlier month', '←') : <span className="min-w-11" />}
        <h2 className="text-xl">{monthWords(month)}</h2>
        {month < last ? turn(addMonths(month, 1), 'Later month', '→') : <span className="min-w-11" />}
      </div>
      <table className="month">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month).map((week) => (
            <tr key={week.find((date) => date)}>
              {week.map((date, place) => (
                <td key={date ?? weekdays[place]}>{date && cell(date)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
