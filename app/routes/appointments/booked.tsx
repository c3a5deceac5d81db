import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { AppointmentLine, Lines, lineOf } from '../../components/times/AppointmentLine';
import { listAgendaLines } from '../../domain/bookings/agenda.server';
import { agendaFilter } from '../../domain/bookings/appointments';
import { listCalledOff } from '../../domain/bookings/cancellations.server';
import { type DayRange, monthAround } from '../../domain/bookings/range';
import { findAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { parse } from '../../domain/input/fields';
import { todayIn } from '../../domain/time/zones';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Booked appointments');

export const loader = pageLoader('member', async ({ db, actor, now }, { url }) => {
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
    isFreeAgain:
      !isProvider || url.searchParams.has('republished') || (justCanceled?.people != null && justCanceled.seats > 1),
    range: isProvider ? monthAround(todayIn(actor.timeZone, now)) : null,
  };
});

export default function Booked() {
  const { rows, hasMore, page, past, taken, isProvider, justCanceled, isWithLater, isFreeAgain, range } =
    useLoaderData<typeof loader>();
  return (
    <Page title="Booked appointments">
      {justCanceled?.status === status.canceled && (
        <Notice
          tone="good"
          title={
            <>
              {justCanceled.bookerName === null && justCanceled.seats === 1 ? 'Removed: ' : 'Canceled: '}
              <bdi>
                {(isProvider && (justCanceled.bookerName ?? justCanceled.service?.name)) || justCanceled.providerName}
              </bdi>
            </>
          }
        >
          <p>
            {isWithLater && 'The later ones of its series are canceled too. '}
            {isWithLater ? 'Their times are' : 'Its time is'}{' '}
            {isFreeAgain ? 'free for others again.' : 'not published again.'}{' '}
            <TextLink to={isProvider ? paths.createTimes() : paths.search({ provider: justCanceled.provider })}>
              {isProvider ? 'Create appointments' : 'Book another time'}
            </TextLink>
          </p>
        </Notice>
      )}
      {taken.rows.length > 0 && (
        <Card title="Canceled by the provider">
          <Lines>
            {taken.rows.map((row) => (
              <AppointmentLine key={row.id} appointment={row} to={paths.appointment} />
            ))}
          </Lines>
          {taken.hasMore && <TextLink to={paths.bookedAndCanceled()}>More</TextLink>}
        </Card>
      )}
      <Card
        title={past ? 'Past appointments' : 'To come'}
        aside={
          <TextLink to={past ? paths.booked() : paths.booked({ past: 'true' })}>
            {past ? 'To come' : 'Past appointments'}
          </TextLink>
        }
      >
        {rows.length === 0 && (
          <Empty
            about={
              isProvider
                ? 'Who books with you stands here, with their answers and your notes.'
                : 'What you book stands here, to move or cancel it.'
            }
            next={
              isProvider ? (
                <ButtonLink to={paths.createTimes()}>Create appointments</ButtonLink>
              ) : (
                <ButtonLink to={paths.search()}>Book an appointment</ButtonLink>
              )
            }
          >
            No booked appointments
          </Empty>
        )}
        <Lines>
          {rows.map((row) => (
            <AppointmentLine
              key={row.id}
              appointment={row}
              to={isProvider ? paths.providerDetails : paths.appointment}
            />
          ))}
        </Lines>
        <Pager page={page} hasMore={hasMore} doneParam="canceled" />
      </Card>
      {range && <AsTable {...range} />}
    </Page>
  );
}

const AsTable = ({ from, to }: DayRange) => (
  <div className="no-print">
    <Card title="As a table">
      <form method="get" action={paths.bookedFile()} className="flex flex-wrap items-end gap-4">
        <div className="w-full max-w-48">
          <TextField name="from" label="First day" type="date" required defaultValue={from} />
        </div>
        <div className="w-full max-w-48">
          <TextField name="to" label="Last day" type="date" required defaultValue={to} />
        </div>
        <Button quiet>Download as CSV</Button>
      </form>
    </Card>
  </div>
);
