import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { useShell } from '../../components/frame/shell';
import { Pager } from '../../components/Pager';
import { FreeDays } from '../../components/times/FreeDays';
import { useWords } from '../../components/words';
import type { Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import type { WaitableProvider } from '../../domain/slots/providers.server';
import { type LocalDate, shortDate } from '../../domain/time/clock';
import { fullDays, WaitLink } from '../with/WaitLink';
import { daysPath, detailsPath, providerPath, timesPath } from './paths';
import { pagesAhead, prefetch } from './prefetch';

type Times = {
  provider: WaitableProvider;
  service: Service | null;
  dates: LocalDate[];
  today: LocalDate;
  page: number;
  times: FreeTime[];
  hasMore: boolean;
};

export function ChooseTime({ provider, service, dates, today, page, times, hasMore }: Times) {
  const { year } = useShell();
  const { t } = useLingui();
  const words = useWords();
  const chosen = service?.id ?? null;
  const wanted = { username: provider.username, service: chosen, ...fullDays(dates, times, today) };
  const path = timesPath(provider.username, dates, chosen);
  useEffect(() => {
    if (!hasMore) return;
    const following = Array.from({ length: pagesAhead }, (_, ahead) => `${path}&page=${page + 1 + ahead}`);
    return prefetch('routes/booking/find', following);
  }, [path, page, hasMore]);
  return (
    <>
      <p>
        {`${dates.map((date) => words(shortDate(date, year))).join(' · ')} `}
        <TextLink to={daysPath(provider.username, dates, chosen)}>{t`Change days`}</TextLink>
      </p>
      {times.length === 0 && (
        <Card>
          <Empty next={<TextLink to={providerPath(provider.username, chosen)}>{t`Choose other days`}</TextLink>}>
            <Trans>No Appointments</Trans>
          </Empty>
        </Card>
      )}
      <FreeDays times={times} to={({ id }) => detailsPath(id, chosen)} />
      <Pager page={page} hasMore={hasMore} />
      {provider.waitlist === 'on' && <WaitLink {...wanted} hasTimes={times.length > 0} />}
    </>
  );
}
