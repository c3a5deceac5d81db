import { useLoaderData } from '@remix-run/react';
import { AppointmentLine, Lines, lineOf } from '../../components/AppointmentLine';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { agendaFilter } from '../../domain/appointments/appointments';
import { listAgendaLines } from '../../domain/appointments/appointments.server';
import { status } from '../../domain/appointments/status';
import { parse } from '../../domain/input/fields';
import { answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'Dashboard · Daybook' }];

/** Each list has its own page number in the query, so paging one leaves the other as it is. */
export const loader = answerPage('member', async ({ db, actor, now }, { url }) => {
  const isProvider = actor.role === 'Provider';
  const list = async (state: 1 | 2, name: string) => {
    const { page } = parse(agendaFilter, { page: url.searchParams.get(name) ?? undefined });
    const { rows, hasMore } = await listAgendaLines(db, actor, { state, past: false, page }, now);
    return { rows: rows.map((row) => lineOf(row, isProvider)), hasMore, page, name };
  };
  const [booked, canceled] = await Promise.all([list(status.booked, 'booked'), list(status.canceled, 'canceled')]);
  return { booked, canceled, isProvider };
});

export default function Dash() {
  const { booked, canceled, isProvider } = useLoaderData<typeof loader>();
  return (
    <Page title="Dashboard" subtitle="What is to come">
      {[
        { title: 'Booked', list: booked },
        { title: 'Canceled', list: canceled },
      ].map(({ title, list: { rows, page, hasMore, name } }) => (
        <Card key={title} title={title}>
          {rows.length === 0 && <Empty>No Appointments</Empty>}
          <Lines>
            {rows.map((row) => (
              <AppointmentLine key={row.id} appointment={row} to={isProvider ? '/view-provider' : '/details-cancel'} />
            ))}
          </Lines>
          <Pager page={page} hasMore={hasMore} name={name} />
        </Card>
      ))}
    </Page>
  );
}
