import { useLoaderData } from '@remix-run/react';
import { AppointmentLine, Lines, lineOf } from '../../components/AppointmentLine';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { titled } from '../../components/titled';
import { listAgendaLines } from '../../domain/appointments/agenda.server';
import { agendaFilter } from '../../domain/appointments/appointments';
import { listCalledOff } from '../../domain/appointments/cancellations.server';
import { findAppointment } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import { parse } from '../../domain/input/fields';
import { answerPage } from '../../http/page.server';

export const meta = titled('Booked appointments');

export const loader = answerPage('member', async ({ db, actor, now }, { url }) => {
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
  };
});

export default function Booked() {
  const { rows, hasMore, page, past, taken, isProvider, justCanceled } = useLoaderData<typeof loader>();
  return (
    <Page title="Booked appointments">
      {justCanceled?.status === status.canceled && (
        <Notice
          tone="good"
          title={
            <>
              {justCanceled.bookerName === null ? 'Withdrawn: ' : 'Canceled: '}
              <bdi>{(isProvider && justCanceled.bookerName) || justCanceled.providerName}</bdi>
            </>
          }
        >
          <p>
            {isProvider ? 'Its time is not published again.' : 'Its time is free for others again.'}{' '}
            <TextLink to={isProvider ? '/create' : `/view?provider=${justCanceled.provider}`}>
              {isProvider ? 'Create appointments' : 'Book another time'}
            </TextLink>
          </p>
        </Notice>
      )}
      {taken.rows.length > 0 && (
        <Card title="Canceled by the provider">
          <Lines>
            {taken.rows.map((row) => (
              <AppointmentLine key={row.id} appointment={row} to="/details-cancel" />
            ))}
          </Lines>
          {taken.hasMore && <TextLink to="/view-dash">More</TextLink>}
        </Card>
      )}
      <Card
        title={past ? 'Past appointments' : 'To come'}
        aside={
          <TextLink to={past ? '/view-booked' : '/view-booked?past=true'}>
            {past ? 'To come' : 'Past appointments'}
          </TextLink>
        }
      >
        {rows.length === 0 && (
          <Empty
            next={
              isProvider ? (
                <ButtonLink to="/create">Create appointments</ButtonLink>
              ) : (
                <ButtonLink to="/view">Book an appointment</ButtonLink>
              )
            }
          >
            No booked appointments
          </Empty>
        )}
        <Lines>
          {rows.map((row) => (
            <AppointmentLine key={row.id} appointment={row} to={isProvider ? '/details-provider' : '/details-cancel'} />
          ))}
        </Lines>
        <Pager page={page} hasMore={hasMore} told="canceled" />
      </Card>
    </Page>
  );
}
