import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import type { MoveChoice, OtherTime } from '../../domain/calendar/moving';
import { type LocalDate, wireDate } from '../../domain/time/clock';
import { addMonths, type Month, monthOf } from '../../domain/time/month';
import type { Words } from '../../domain/words/words';
import { Card, Empty } from '../Card';
import { PostForm } from '../forms/Form';
import { HowTold } from '../HowTold';
import { useWords } from '../words';
import { MonthOfDays } from './MonthOfDays';
import { TimesOfDay } from './Time';

type Times = {
  times: OtherTime[];
  to: ComponentProps<typeof TimesOfDay>['to'];
};

/** Free times under their days. One tap takes the time if `isPressed`, else it leads to a page for it. */
export function OtherTimes({ times, to, isPressed }: Times & { isPressed: (time: OtherTime) => boolean }) {
  const days = new Map<string, OtherTime[]>();
  for (const time of times) {
    const key = `${time.date} ${time.timeZone}`;
    days.set(key, [...(days.get(key) ?? []), time]);
  }
  return (
    <div className="grid gap-6">
      {[...days].map(([key, [first, ...more]]) => {
        if (!first) return null;
        const { date, timeZone } = first;
        const listed = [first, ...more].map((time) => ({
          ...time,
          service: time.className,
          isPressed: isPressed(time),
        }));
        return <TimesOfDay key={key} {...{ date, timeZone }} times={listed} to={to} />;
      })}
    </div>
  );
}

type FormProps = Times & {
  /** The questions that the booking has answered; null if the new time may ask any. */
  answered: { templateId: string | null } | null;
  /** The day of these times; null if they are the nearest ones. */
  day: LocalDate | null;
  /** The other person, and how they hear of the move. */
  recipient: ComponentProps<typeof HowTold>;
  isProvider: boolean;
  /** The provider's hours want nothing on the day. */
  isClosed: boolean;
  /** Fields above the times. */
  children?: ReactNode;
};

export const emptyDayWords = (isClosed: boolean): Words =>
  isClosed ? msg`Closed on that day. Choose another below.` : msg`Nothing is free then any more.`;

/** The times to which the appointment can move. */
export function MoveForm({ day, recipient, isProvider, isClosed, answered, children, ...times }: FormProps) {
  const words = useWords();
  return (
    <PostForm className="grid gap-6">
      {children}
      <Card title={day ? <Trans>Move it to</Trans> : <Trans>Nearest free times</Trans>} id="times">
        {times.times.length === 0 ? (
          <Empty>{day ? words(emptyDayWords(isClosed)) : <Trans>Nothing else is free at the moment.</Trans>}</Empty>
        ) : (
          <>
            <p className="text-muted">
              <Trans>One tap on a time moves it there.</Trans>
              {!isProvider && (
                <>
                  {' '}
                  <Trans>The time that you have now is free for others again at once.</Trans> <HowTold {...recipient} />
                </>
              )}
            </p>
            <OtherTimes
              {...times}
              isPressed={({ templateId }) => !answered || templateId === null || templateId === answered.templateId}
            />
          </>
        )}
      </Card>
    </PostForm>
  );
}

type Props = Pick<MoveChoice, 'days' | 'edges'> & {
  title: ReactNode;
  path: (shown: { month: Month; day?: string }) => string;
  month: Month;
  day: LocalDate | null;
  today: LocalDate;
};

export function OtherDays({ title, today, days, edges, path, month, day }: Props) {
  const following = addMonths(month, 1);
  const paths = {
    month: (to: Month) => `${path({ month: to })}#month`,
    day: (date: LocalDate) => `${path({ month, day: wireDate(date) })}#times`,
  };
  const [first, last] = edges ? edges.map(monthOf) : [month, month];
  const common = { days, dates: day ? [day] : [], paths, today };
  return (
    <Card title={title} id="month">
      {edges ? (
        <div className="grid gap-6 lg:grid-cols-2">
          <MonthOfDays month={month} months={[first ?? month, month]} {...common} />
          <MonthOfDays month={following} months={[following, last ?? following]} {...common} />
        </div>
      ) : (
        <Empty>
          <Trans>Nothing is free at the moment.</Trans>
        </Empty>
      )}
    </Card>
  );
}
