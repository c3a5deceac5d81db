import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { AppointmentLine, type LineOf, Lines, lineOf } from '../../components/times/AppointmentLine';
import { listAgendaLines } from '../../domain/bookings/agenda.server';
import { agendaFilter, type ListedAppointment, type OwnLine } from '../../domain/bookings/appointments';
import { listCancellations, listWithdrawn } from '../../domain/bookings/cancellations.server';
import { type Status, status } from '../../domain/bookings/status';
import { type Page as PageOf, parse } from '../../domain/input/fields';
import { inBook } from '../../http/book-of.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Dashboard`);

/** Each list has a page number of its own in the query, so the other list stays where it is. */
export const loader = pageLoader(
  'member',
  inBook(async ({ db, actor, now, book }, { url }) => {
    const isProvider = actor.role === 'Provider';
    const inState = (state: Status) => (page: number) => listAgendaLines(db, actor, { state, past: false, page }, now);
    const list = async (name: string, read: (page: number) => Promise<PageOf<ListedAppointment | OwnLine>>) => {
      const { page } = parse(agendaFilter, { page: url.searchParams.get(name) ?? undefined });
      const { rows, hasMore } = await read(page);
      return { rows: rows.map((row) => lineOf(row, isProvider, undefined, book?.displayName)), hasMore, page, name };
    };
    const [booked, canceled, withdrawn] = await Promise.all([
      list('booked', inState(status.booked)),
      list('canceled', isProvider ? (page) => listCancellations(db, actor, page, now) : inState(status.canceled)),
      isProvider && url.searchParams.has('withdrawn')
        ? list('withdrawn', (page) => listWithdrawn(db, actor, page, now))
        : undefined,
    ]);
    return { booked, canceled, withdrawn, isProvider };
  }),
);

export default function Dash() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { booked, canceled, withdrawn, isProvider } = useLoaderData<typeof loader>();
  return (
    <Page title={t`Dashboard`} subtitle={t`What is to come`}>
      <List title={t({ message: 'Booked', context: 'several' })} list={booked} isProvider={isProvider} />
      <List title={t({ message: 'Canceled', context: 'several' })} list={canceled} isProvider={isProvider} />
      {withdrawn && (
        <div id="withdrawn" className="scroll-mt-20">
          <List title={t({ message: 'Removed', context: 'several' })} list={withdrawn} isProvider={isProvider} />
        </div>
      )}
      {isProvider && !withdrawn && (
        <p>
          <TextLink to={`${desk.bookedAndCanceled({ withdrawn: '0' })}#withdrawn`}>
            <Trans>Free times that you have removed</Trans>
          </TextLink>
        </p>
      )}
    </Page>
  );
}

type ListProps = {
  title: string;
  list: { rows: LineOf[]; page: number; hasMore: boolean; name: string };
  isProvider: boolean;
};

function List({ title, list: { rows, page, hasMore, name }, isProvider }: ListProps) {
  const desk = useBookPaths();
  const { t } = useLingui();
  return (
    <Card title={title}>
      {rows.length === 0 && <Empty>{t`No Appointments`}</Empty>}
      <Lines>
        {rows.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to={isProvider ? desk.providerView : paths.appointment} />
        ))}
      </Lines>
      <Pager page={page} hasMore={hasMore} name={name} />
    </Card>
  );
}
