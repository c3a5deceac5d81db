import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { useBookPaths } from '../../components/frame/book-paths';
import { emptyDayWords, OtherDays } from '../../components/times/OtherTimes';
import { WhatFor } from '../../components/times/WhatFor';
import { useWords } from '../../components/words';
import type { MoveChoice } from '../../domain/calendar/moving';
import type { Service } from '../../domain/services/services';
import { type LocalDate, wireDate } from '../../domain/time/clock';
import type { Month } from '../../domain/time/month';

type Shown = { service: string | null; month: Month; day: LocalDate | null };

type Props = Shown & {
  services: Service[];
  today: LocalDate;
  choice: MoveChoice;
  help: string;
  pathOf: (query: { service: string | null; month?: Month; day?: string }) => string;
  children: (times: MoveChoice['times']) => ReactNode;
};

/** What for, then when: the services, the times of a day or the next ones, and the days of two months. */
export function TimesToBook({ services, service, month, day, today, choice, help, pathOf, children }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { nearest, times, days, edges, isClosed } = choice;
  const shown = day ? times : nearest;
  return (
    <>
      {services.length > 0 && (
        <WhatFor
          services={services}
          chosen={service}
          asItIs={null}
          to={(chosen) => pathOf({ service: chosen, ...(day && { month, day: wireDate(day) }) })}
        />
      )}
      {edges === null ? (
        <Card>
          <Empty next={<ButtonLink to={desk.createTimes()}>{t`Publish times`}</ButtonLink>}>
            {service === null ? t`You have no free times` : t`You have no free times that are long enough`}
          </Empty>
        </Card>
      ) : (
        <>
          <Card title={day ? t`Book them at` : t`Your next free times`} id="times">
            {shown.length === 0 ? (
              <Empty>{words(emptyDayWords(isClosed))}</Empty>
            ) : (
              <>
                <p className="text-muted">{help}</p>
                {children(shown)}
              </>
            )}
          </Card>
          <OtherDays
            title={day ? t`Other days` : t`On another day`}
            path={(query) => pathOf({ service, ...query })}
            {...{ days, edges, month, day, today }}
          />
        </>
      )}
    </>
  );
}
