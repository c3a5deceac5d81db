import type { PlacedItem, WeekDay } from '../../domain/calendar/week';
import { dateWords, type LocalDate, wireDate } from '../../domain/time/clock';
import { labelOfItem, nameOf } from './kinds';

/** The least height of something that is touched, and the usual and the greatest height of an hour, in rem. */
const least = 2.7;
const usualHour = 5.4;
const mostHour = 26;

/** On paper a week is one sheet: by how high a day is, in rem, and how small that is to be printed. */
const sizesOnPaper = [50, 62, 78, 97, 121, 152, 190, 237, 297, 371, 464, 580];
const paperClass = (height: number) => `week on-paper-${sizesOnPaper.filter((most) => height > most).length}`;

type Props = { from: LocalDate; days: WeekDay[]; shortest: number; day: LocalDate; isProvider: boolean };

/**
 * The week as columns of time. Its parts are placed by attributes of SVG: the policy allows no style attribute. Lengths in
 * rem and per cent let it grow with the reader's letters and with the page.
 */
export function WeekPicture({ from, days, shortest, day, isProvider }: Props) {
  const hour = Math.min(mostHour, Math.max(usualHour, least / shortest));
  const timesOf = ({ ticks }: WeekDay) => ticks.map(({ time }) => time).join(' ');
  // On the day of a change of clocks the hours stand elsewhere: such a day says its own.
  const usual = days.find((one, place) => days.some((other, at) => at !== place && timesOf(other) === timesOf(one)));
  return (
    <>
      <nav aria-label="Days" className="week-strip no-print">
        {days.map(({ date, isToday }) => {
          const { weekday, day: number, longMonth, year } = dateWords(date);
          return (
            <a
              key={date}
              href={`/week?from=${wireDate(from)}&day=${wireDate(date)}`}
              aria-current={date === day ? 'date' : undefined}
            >
              {weekday} <b>{number}</b>
              <span className="sr-only">{` ${longMonth} ${year}${isToday ? ', today' : ''}`}</span>
            </a>
          );
        })}
      </nav>
      <div className={paperClass(hour * Math.max(...days.map(({ height }) => height)))}>
        {usual && (
          <svg aria-hidden="true" className="week-axis" width="100%" height={`${usual.height * hour}rem`}>
            {usual.ticks.map(({ top, time }) => (
              <text key={top} x="0" y={`${top * hour}rem`}>
                {time}
              </text>
            ))}
          </svg>
        )}
        {days.map((one) => (
          <DayColumn
            key={one.date}
            day={one}
            hour={hour}
            isShown={one.date === day}
            hasTimes={!usual || timesOf(usual) !== timesOf(one)}
            isProvider={isProvider}
          />
        ))}
      </div>
    </>
  );
}

type ColumnProps = { day: WeekDay; hour: number; isShown: boolean; hasTimes: boolean; isProvider: boolean };

function DayColumn({ day, hour, isShown, hasTimes, isProvider }: ColumnProps) {
  const { date, isToday, height, ticks, items, now, free, closed, hoursWords } = day;
  const { short, full } = dateWords(date);
  const words = isToday ? <strong>{short}</strong> : short;
  return (
    <section className={isShown ? 'week-day is-shown' : 'week-day'} aria-label={isToday ? `${full}, today` : full}>
      <h2>{isProvider ? <a href={`/day?date=${wireDate(date)}`}>{words}</a> : words}</h2>
      {hoursWords && <p className="sr-only">{hoursWords === 'Closed' ? hoursWords : `Open from ${hoursWords}`}</p>}
      <svg width="100%" height={`${height * hour}rem`} role="presentation">
        {closed.map(({ top, height }) => (
          <rect key={top} className="week-closed" y={`${top * hour}rem`} width="100%" height={`${height * hour}rem`} />
        ))}
        {ticks.map(({ top, time }) => (
          <g key={top} className="tick-line">
            <line x1="0" x2="100%" y1={`${top * hour}rem`} y2={`${top * hour}rem`} />
            {hasTimes && (
              <text x="0.2em" y={`${top * hour}rem`} dy="1em">
                {time}
              </text>
            )}
          </g>
        ))}
        {isProvider &&
          free.map(({ top, height, date, time }) => (
            <a
              key={top}
              href={`/create?date=${date}&start=${time}`}
              tabIndex={-1}
              aria-label={`Create appointments at ${time}`}
              className="week-free"
            >
              <rect x="0" y={`${top * hour}rem`} width="100%" height={`${height * hour}rem`} />
            </a>
          ))}
        {items.map((item) => (
          <Item key={item.id} item={item} hour={hour} />
        ))}
        {now !== null && <line className="week-now" x1="0" x2="100%" y1={`${now * hour}rem`} y2={`${now * hour}rem`} />}
      </svg>
    </section>
  );
}

function Item({ item, hour }: { item: PlacedItem; hour: number }) {
  const { kind, to, times, top, height, left, width } = item;
  const start = times.slice(0, 5);
  const lines = height * hour < least - 0.01 ? 1 : 2;
  const isLow = height * hour < 3.6;
  return (
    <a href={to} aria-label={labelOfItem(item)} className={`week-item is-${kind}${isLow ? ' is-low' : ''}`}>
      <svg
        role="presentation"
        x={`${left * 100 + 1}%`}
        y={`${top * hour}rem`}
        width={`${width * 100 - 2}%`}
        height={`${height * hour}rem`}
      >
        <rect />
        {/* On paper both are one line, and on a phone where it is low. */}
        <text x="0.6em" y={isLow && lines === 2 ? '1.15em' : '1.5em'}>
          {lines === 1 ? `${start} ${nameOf(item)}` : `${start} `}
        </text>
        {lines === 2 && (
          <text x="0.6em" y={isLow ? '2.3em' : '2.8em'}>
            {nameOf(item)}
          </text>
        )}
      </svg>
    </a>
  );
}
