import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import { GetForm } from '../../components/forms/GetForm';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { AppointmentLine, Lines, lineOf } from '../../components/times/AppointmentLine';
import { useWords } from '../../components/words';
import { listAgendaLines } from '../../domain/bookings/agenda.server';
import { agendaFilter } from '../../domain/bookings/appointments';
import { listCalledOff } from '../../domain/bookings/cancellations.server';
import { type DayRange, monthAround } from '../../domain/bookings/range';
import { findAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { parse } from '../../domain/input/fields';
import { todayIn } from '../../domain/time/zones';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Booked appointments`);

export const loader = pageLoader(
  'member',
  inBook(async ({ db, actor, now }, { url }) => {
    const filter = parse(agendaFilter, Object.fromEntries(url.searchParams));
    const canceled = url.searchParams.get('canceled');
    const isProvider = actor.role === 'Provider';
    const isFirst = filter.page === 0 && !filter.past;
    const [{ rows, hasMore }, taken, justCanceled] = await Promise.all([
      listAgendaLines(db, actor, { ...filter, state: status.booked }, now),
      isFirst && !isProvider ? listCalledOff(db, actor, 0, now) : undefined,
      canceled ? findAppointment(db, actor, canceled) : undefined,
    ]);
    return {
      rows: rows.map((row) => lineOf(row, isProvider, true)),
      hasMore,
      ...filter,
      taken: { rows: taken?.rows.map((row) => lineOf(row, isProvider)) ?? [], hasMore: taken?.hasMore },
      isProvider,
      justCanceled,
      isWithLater: url.searchParams.has('following'),
      // The provider may have canceled it meanwhile, and says what becomes of the time.
      isOwnDoing: isProvider || justCanceled?.canceledBy === 'consumer',
      isFreeAgain:
        !isProvider || url.searchParams.has('republished') || (justCanceled?.people != null && justCanceled.seats > 1),
      range: isProvider ? monthAround(todayIn(actor.timeZone, now)) : null,
    };
  }),
);

function whatBecomesOf(isWithLater: boolean, isFreeAgain: boolean): Words {
  if (isWithLater) {
    return isFreeAgain
      ? msg`The later ones of its series are canceled too. Their times are free for others again.`
      : msg`The later ones of its series are canceled too. Their times are not published again.`;
  }
  return isFreeAgain ? msg`Its time is free for others again.` : msg`Its time is not published again.`;
}

export default function Booked() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { rows, hasMore, page, past, taken, isProvider, justCanceled, isWithLater, isOwnDoing, isFreeAgain, range } =
    useLoaderData<typeof loader>();
  const words = useWords();
  const whose = (isProvider && (justCanceled?.bookerName ?? justCanceled?.service?.name)) || justCanceled?.providerName;
  return (
    <Page title={t`Booked appointments`}>
      {justCanceled?.status === status.canceled && (
        <Notice
          tone="good"
          title={
            justCanceled.bookerName === null && justCanceled.seats === 1 ? (
              <Trans>
                Removed: <bdi>{whose}</bdi>
              </Trans>
            ) : (
              <Trans>
                Canceled: <bdi>{whose}</bdi>
              </Trans>
            )
          }
        >
          <p>
            {isOwnDoing && words(whatBecomesOf(isWithLater, isFreeAgain))}{' '}
            <TextLink to={isProvider ? desk.createTimes() : paths.search({ provider: justCanceled.provider })}>
              {isProvider ? t`Create appointments` : t`Book another time`}
            </TextLink>
          </p>
        </Notice>
      )}
      {taken.rows.length > 0 && (
        <Card title={t`Canceled by the provider`}>
          <Lines>
            {taken.rows.map((row) => (
              <AppointmentLine key={row.id} appointment={row} to={paths.appointment} />
            ))}
          </Lines>
          {taken.hasMore && <TextLink to={desk.bookedAndCanceled()}>{t`More`}</TextLink>}
        </Card>
      )}
      <Card
        title={past ? t`Past appointments` : t`To come`}
        aside={
          <TextLink to={past ? desk.booked() : desk.booked({ past: 'true' })}>
            {past ? t`To come` : t`Past appointments`}
          </TextLink>
        }
      >
        {rows.length === 0 && (
          <Empty
            about={
              isProvider
                ? t`Who books with you stands here, with their answers and your notes.`
                : t`What you book stands here, to move or cancel it.`
            }
            next={
              isProvider ? (
                <ButtonLink to={desk.createTimes()}>{t`Create appointments`}</ButtonLink>
              ) : (
                <ButtonLink to={paths.search()}>{t`Book an appointment`}</ButtonLink>
              )
            }
          >
            <Trans>No booked appointments</Trans>
          </Empty>
        )}
        <Lines>
          {rows.map((row) => (
            <AppointmentLine
              key={row.id}
              appointment={row}
              to={isProvider ? desk.providerDetails : paths.appointment}
            />
          ))}
        </Lines>
        <Pager page={page} hasMore={hasMore} doneParam="canceled" />
      </Card>
      {range && <AsTable {...range} />}
    </Page>
  );
}

const AsTable = ({ from, to }: DayRange) => {
  const { t } = useLingui();
  const desk = useBookPaths();
  return (
    <div className="no-print">
      <Card title={t`As a table`}>
        <GetForm reloadDocument action={desk.bookedFile()} className="flex flex-wrap items-end gap-4">
          <div className="w-full max-w-48">
            <TextField name="from" label={t`First day`} type="date" required defaultValue={from} />
          </div>
          <div className="w-full max-w-48">
            <TextField name="to" label={t`Last day`} type="date" required defaultValue={to} />
          </div>
          <Button quiet>{t`Download as CSV`}</Button>
        </GetForm>
      </Card>
    </div>
  );
};
