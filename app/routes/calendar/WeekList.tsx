import { Trans, useLingui } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { useBookPaths } from '../../components/frame/book-paths';
import { useWords } from '../../components/words';
import type { WeekDay } from '../../domain/calendar/week';
import { dateWords, wireDate } from '../../domain/time/clock';
import { lineOfItem } from './kinds';

export const WeekList = ({ days, isProvider }: { days: WeekDay[]; isProvider: boolean }) =>
  days.map((day) => <Day key={day.date} day={day} isProvider={isProvider} />);

function Day({ day: { date, items, isToday, free, hours }, isProvider }: { day: WeekDay; isProvider: boolean }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const day = words(dateWords(date).full);
  const times = hours ? words({ list: hours }) : null;
  const isClosed = times === '';
  return (
    <Card title={isToday ? t`${day} (today)` : day}>
      {times !== null && (
        <p className="text-sm text-muted">{isClosed ? <Trans>Closed</Trans> : <Trans>Your hours: {times}</Trans>}</p>
      )}
      {items.length === 0 && !isClosed && (
        <p className="text-muted">
          <Trans>Nothing</Trans>
        </p>
      )}
      <ul className="grid gap-x-4 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
        {items.map((item) => (
          <li key={item.id}>
            <a
              href={item.to}
              className={`block tabular-nums underline-offset-4 hover:underline ${item.kind === 'open' || item.isPast ? 'text-muted' : 'font-semibold'}`}
            >
              {lineOfItem(words, item)}
            </a>
          </li>
        ))}
      </ul>
      {isProvider && free.length > 0 && (
        <p className="no-print text-sm">
          <TextLink to={desk.createTimes({ date: wireDate(date) })}>
            <Trans>
              Create appointments<span className="sr-only"> on {day}</span>
            </Trans>
          </TextLink>
        </p>
      )}
    </Card>
  );
}
