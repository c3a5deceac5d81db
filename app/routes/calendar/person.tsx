import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { Leaf, SpanTimes } from '../../components/Time';
import { titled } from '../../components/titled';
import { cameWords } from '../../domain/calendar/came';
import { getPerson, type Visit } from '../../domain/calendar/people.server';
import { page, parse } from '../../domain/input/fields';
import { dateWords } from '../../domain/time/clock';
import { answerPage } from '../../http/page.server';
import { attendanceWords } from './kinds';

export const meta = titled('Person');

export const loader = answerPage('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const wanted = parse(page, url.searchParams.get('page') ?? undefined);
  return { ...(await getPerson(db, actor, id, wanted, now)), page: wanted };
});

export default function PersonPage() {
  const { person, coming, past, page } = useLoaderData<typeof loader>();
  return (
    <Page title={person.name} subtitle={person.username ?? 'Guest'} isBroken>
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <span className="font-semibold">{cameWords(person) ?? 'Nothing is marked yet'}</span>
        <TextLink to="/people">All people</TextLink>
      </p>
      <Card title="To come">
        {coming.length === 0 && <Empty>No appointments</Empty>}
        <Visits visits={coming} />
      </Card>
      <Card title="Past">
        {past.rows.length === 0 && <Empty>No appointments</Empty>}
        <Visits visits={past.rows} />
        <Pager page={page} hasMore={past.hasMore} />
      </Card>
    </Page>
  );
}

function Visits({ visits }: { visits: Visit[] }) {
  return (
    <ul className="lines">
      {visits.map(({ id, attendance, privateNote, ...span }) => (
        <li key={id} className="relative">
          <Leaf date={span.date} />
          <div>
            <h3>
              <a href={`/details-provider/${id}`}>
                {attendance ? attendanceWords[attendance] : 'Appointment'}
                <span className="sr-only">, {dateWords(span.date).full}</span>
              </a>
            </h3>
            <p>
              <SpanTimes {...span} />
              {privateNote && <span className="block">{privateNote}</span>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
