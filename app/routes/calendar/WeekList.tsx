import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import type { WeekDay } from '../../domain/calendar/week';
import { dateWords, wireDate } from '../../domain/time/clock';
import * as paths from '../../paths';
import { lineOfItem } from './kinds';

export function WeekList({ days, isProvider }: { days: WeekDay[]; isProvider: boolean }) {
  return days.map(({ date, items, isToday, free, hoursWords }) => (
    <Card key={date} title={`${dateWords(date).full}${isToday ? ' (today)' : ''}`}>
      {hoursWords && (
        <p className="text-sm text-muted">{hoursWords === 'Closed' ? hoursWords : `Your hours: ${hoursWords}`}</p>
      )}
      {items.length === 0 && hoursWords !== 'Closed' && <p className="text-muted">Nothing</p>}
      <ul className="grid gap-x-4 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
        {items.map((item) => (
          <li key={item.id}>
            <a
              href={item.to}
              className={`block tabular-nums underline-offset-4 hover:underline ${item.kind === 'open' || item.isPast ? 'text-muted' : 'font-semibold'}`}
            >
              {lineOfItem(item)}
            </a>
          </li>
        ))}
      </ul>
      {isProvider && free.length > 0 && (
        <p className="no-print text-sm">
          <TextLink to={paths.createTimes({ date: wireDate(date) })}>
            Create appointments<span className="sr-only"> on {dateWords(date).full}</span>
          </TextLink>
        </p>
      )}
    </Card>
  ));
}
