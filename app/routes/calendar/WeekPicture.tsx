import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useBookPaths } from '../../components/frame/book-paths';
import { toneOfService } from '../../components/tones';
import { useWords } from '../../components/words';
import type { PlacedItem, WeekDay } from '../../domain/calendar/week';
import { dateWords, type LocalDate, wireDate } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { labelOfItem, linesOn } from './kinds';
import { useMoveByDrag } from './move-by-drag';

/** In rem: the least height of something to tap, and the usual and the greatest height of an hour. */
const least = 2.7;
const usualHour = 5.4;
const mostHour = 26;

// On paper a week fills one sheet. These are heights of a day in rem, up to which the size of letters below is used.
const sizesOnPaper = [50, 62, 78, 97, 121, 152, 190, 237, 297, 371, 464, 580];
const sizeOnPaper = (height: number) => sizesOnPaper.filter((most) => height > most).length;
/** For each of these heights, how many pixels a rem has (as in the stylesheet), and how high a line of text is. */
const remOnPaper = [11.5, 9.27, 7.37, 5.93, 4.75, 3.78, 3.03, 2.43, 1.94, 1.55, 1.24, 0.99, 0.87];
const lineOnPaper = 9.6;
/** On a screen, in rem: the height of a line, and the room above and below the lines. Then the most lines that we count. */
const lineOnScreen = 1.25;
const airOnScreen = 0.3;
const mostLines = 9;

const linesIn = (height: number, line: number) => Math.min(mostLines, Math.max(1, Math.floor(height / line)));

/** The height of an hour in rem, and of a rem on paper in pixels. */
type Scale = { hour: number; onPaper: number };

type Props = {
  from: LocalDate;
  days: WeekDay[];
  shortest: number;
  day: LocalDate;
  isProvider: boolean;
  /** The names of the provider's services, in their order; none for a client. */
  services: string[];
};

/**
 * Draws the week as columns of time. SVG attributes place its parts, because the content-security policy allows no
 * style attribute. Lengths in rem and per cent let it grow with the reader's letters and the page.
 */
export function WeekPicture({ from, days, shortest, day, isProvider, services }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const hour = Math.min(mostHour, Math.max(usualHour, least / shortest));
  const size = sizeOnPaper(hour * Math.max(...days.map(({ height }) => height)));
  const scale = { hour, onPaper: remOnPaper[size] ?? 1 };
  const moveByDrag = useMoveByDrag();
  const timesOf = ({ ticks }: WeekDay) => ticks.map(({ time }) => time).join(' ');
  // On the day of a clock change the hours are elsewhere, so that day has its own labels.
  const usual = days.find((day, place) => days.some((other, at) => at !== place && timesOf(other) === timesOf(day)));
  return (
    <>
      <nav aria-label={t`Days`} className="week-strip no-print">
        {days.map(({ date, isToday }) => {
          const { weekday, day: number, year, ...styles } = dateWords(date);
          const month = words(styles.longMonth);
          return (
            <a
              key={date}
              href={desk.week({ from: wireDate(from), day: wireDate(date) })}
              aria-current={date === day ? 'date' : undefined}
            >
              {words(weekday)} <b>{words(number)}</b>{' '}
              <span className="sr-only">
                {isToday ? (
                  <Trans>
                    {month} {year}, today
                  </Trans>
                ) : (
                  <Trans>
                    {month} {year}
                  </Trans>
                )}
              </span>
            </a>
          );
        })}
      </nav>
      <svg aria-hidden="true" className="week-hatch" width="0" height="0">
        <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line y2="8" />
        </pattern>
      </svg>
      <div className={`week on-paper-${size}`} {...(isProvider && moveByDrag)}>
        {usual && (
          <svg aria-hidden="true" className="week-axis" width="100%" height={`${usual.height * hour}rem`}>
            {usual.ticks.map(({ top, time }) => (
              <text key={top} x="100%" y={`${top * hour}rem`} textAnchor="end">
                {words({ clock: time })}
              </text>
            ))}
          </svg>
        )}
        {days.map((one) => (
          <DayColumn
            key={one.date}
            day={one}
            scale={scale}
            isShown={one.date === day}
            hasTimes={!usual || timesOf(usual) !== timesOf(one)}
            isProvider={isProvider}
            services={services}
          />
        ))}
      </div>
      <Legend days={days} services={services} />
    </>
  );
}

function dashedWords(hasFree: boolean, hasHeld: boolean): Words | null {
  if (hasFree) return hasHeld ? msg`Dashed is free or held.` : msg`Dashed is free.`;
  return hasHeld ? msg`Dashed is held.` : null;
}

/** Says in words what the looks of the week mean, as far as it has them. */
function Legend({ days, services }: Pick<Props, 'days' | 'services'>) {
  const { t } = useLingui();
  const words = useWords();
  const items = days.flatMap(({ items }) => items);
  const has = (...kinds: PlacedItem['kind'][]) => items.some(({ kind }) => kinds.includes(kind));
  const booked = new Set(items.flatMap(({ kind, service }) => (kind === 'booked' ? [service ?? null] : [])));
  const dashed = dashedWords(has('open'), has('held'));
  const sentences = [
    dashed && words(dashed),
    has('busy') && t`Plain is busy elsewhere.`,
    days.some(({ closed }) => closed.length > 0) && t`Hatched is outside your hours.`,
    items.some(({ isPast }) => isPast) && t`Pale is over.`,
  ].filter(Boolean);
  return (
    <ul aria-label={t`What the week shows`} className="week-legend">
      {[...booked].map((service) => (
        <li key={service} className={toneOfService(service, services)}>
          {service ?? t({ message: 'Booked', context: 'state' })}
        </li>
      ))}
      {has('party', 'meetup') && (
        <li className="is-event">
          <Trans>Parties and meetups</Trans>
        </li>
      )}
      {sentences.length > 0 && <li>{sentences.join(' ')}</li>}
    </ul>
  );
}

type ColumnProps = Pick<Props, 'isProvider' | 'services'> & {
  day: WeekDay;
  scale: Scale;
  isShown: boolean;
  hasTimes: boolean;
};

function DayColumn({ day, scale, isShown, hasTimes, isProvider, services }: ColumnProps) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { hour } = scale;
  const { date, isToday, height, ticks, items, now, opensAt, free, closed, hours } = day;
  const [short, full] = [words(dateWords(date).short), words(dateWords(date).full)];
  const heading = isToday ? <strong>{short}</strong> : short;
  const times = hours ? words({ list: hours }) : null;
  return (
    <section
      className={['week-day', isShown && 'is-shown', isToday && 'is-today'].filter(Boolean).join(' ')}
      aria-label={isToday ? t`${full}, today` : full}
    >
      <h2>{isProvider ? <a href={desk.day({ date: wireDate(date) })}>{heading}</a> : heading}</h2>
      {times !== null && (
        <p className="sr-only">{times === '' ? <Trans>Closed</Trans> : <Trans>Open from {times}</Trans>}</p>
      )}
      <svg width="100%" height={`${height * hour}rem`} role="presentation">
        {closed.map(({ top, height }) => (
          <rect
            key={top}
            className="week-closed"
            y={`${top * hour}rem`}
            width="100%"
            height={`${height * hour}rem`}
            fill="url(#hatch)"
          />
        ))}
        {ticks.map(({ top, time }) => (
          <g key={top} className="tick-line">
            <line x1="0" x2="100%" y1={`${top * hour}rem`} y2={`${top * hour}rem`} />
            {hasTimes && (
              <text x="0.2em" y={`${top * hour}rem`} dy="1em">
                {words({ clock: time })}
              </text>
            )}
          </g>
        ))}
        {isProvider &&
          free.map(({ top, height, date, time }) => {
            const shown = words({ clock: time });
            return (
              <a
                key={top}
                href={`${desk.createTimes({ date })}&start=${time}`}
                tabIndex={-1}
                aria-label={t`Create appointments at ${shown}`}
                className="week-free"
              >
                <rect x="0" y={`${top * hour}rem`} width="100%" height={`${height * hour}rem`} />
              </a>
            );
          })}
        {now !== null && <line className="week-now" x1="0" x2="100%" y1={`${now * hour}rem`} y2={`${now * hour}rem`} />}
        {items.map((item) => (
          <Item key={item.id} {...{ item, scale, services }} />
        ))}
        {now !== null && (
          <>
            <line
              id="now"
              className="opens-at"
              y1={`${(opensAt ?? now) * hour}rem`}
              y2={`${(opensAt ?? now) * hour}rem`}
            />
            {/* Over an appointment now is seen at its edges: a line would cross its words. */}
            <circle className="week-now" cx="0" cy={`${now * hour}rem`} r="4" />
            <circle className="week-now" cx="100%" cy={`${now * hour}rem`} r="4" />
          </>
        )}
      </svg>
    </section>
  );
}

type ItemProps = Pick<ColumnProps, 'scale' | 'services'> & { item: PlacedItem };

function Item({ item, scale: { hour, onPaper }, services }: ItemProps) {
  const say = useWords();
  const { id, kind, people, service, isPast, to, top, height, left, width, slots } = item;
  const rems = height * hour;
  const label = labelOfItem(say, item);
  const [first, second] = linesOn(say, item);
  const looks = [
    'week-item',
    `is-${kind}`,
    kind === 'booked' && toneOfService(service, services),
    isPast && 'is-past',
    rems < 3.6 && 'is-low',
    width < 1 && 'is-beside',
    `lines-${linesIn(rems - airOnScreen, lineOnScreen)}`,
    `printed-${linesIn(rems * onPaper - 2, lineOnPaper)}`,
  ];
  return (
    <a
      href={to}
      aria-label={label}
      className={looks.filter(Boolean).join(' ')}
      data-booking={kind === 'booked' && !people ? id : undefined}
    >
      {/* Letters are HTML: text of SVG has no lines and no ellipsis. What is cut is read here. */}
      <title>{label}</title>
      <svg
        role="presentation"
        x={`${left * 100}%`}
        y={`${top * hour}rem`}
        width={`${width * 100}%`}
        height={`${rems}rem`}
      >
        <rect />
        <foreignObject width="100%" height="100%">
          <p>
            <span>{first}</span> {second && <span>{second}</span>}
          </p>
        </foreignObject>
        {/* The single times, onto which a booking can be dragged. */}
        {!isPast &&
          slots.map((slot) => (
            <rect
              key={slot.id}
              data-free={slot.id}
              y={`${(slot.top - top) * hour}rem`}
              width="100%"
              height={`${slot.height * hour}rem`}
            />
          ))}
      </svg>
    </a>
  );
}
