import { ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { FreeDays } from '../../components/FreeDays';
import { Pager } from '../../components/Pager';
import type { FreeTime } from '../../domain/appointments/open-slots.server';
import type { LocalDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';
import { DaysForm } from './DaysForm';

type Days = { days: LocalDate[]; dates: LocalDate[]; month: Month; isMissing: boolean };
type Times = { times: FreeTime[]; hasMore: boolean; page: number };
type Props = {
  chosen: Days | Times;
  today: LocalDate;
  /** The address of this step. */
  path: string;
  timeZone: string;
  provider: string;
  isProvider: boolean;
};

/** Days and times to move to, as whoever books finds them; a provider has all open slots of their own. */
export function ChooseOtherTime({ chosen, today, path, timeZone, provider, isProvider }: Props) {
  if ('times' in chosen) return <OtherTimes {...chosen} {...{ path, isProvider }} />;
  const { days, dates, month, isMissing } = chosen;
  return (
    <Card title="Move it to">
      {days.length === 0 ? (
        <Empty>Nothing else is free at the moment.</Empty>
      ) : (
        <DaysForm action={path} available={days} {...{ provider, timeZone, today, dates, month, isMissing }} />
      )}
    </Card>
  );
}

function OtherTimes({ times, hasMore, page, path, isProvider }: Times & Pick<Props, 'path' | 'isProvider'>) {
  return (
    <>
      {times.length === 0 && (
        <Card title="Move it to">
          <Empty
            next={
              isProvider ? (
                <ButtonLink to="/create">Create appointments</ButtonLink>
              ) : (
                <ButtonLink to={path}>Choose other days</ButtonLink>
              )
            }
          >
            {isProvider ? 'You have no open slot to move it to.' : 'Nothing is free then any more.'}
          </Empty>
        </Card>
      )}
      <FreeDays times={times} to={path} />
      <Pager page={page} hasMore={hasMore} />
    </>
  );
}
