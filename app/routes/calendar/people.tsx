import { Form, useLoaderData } from '@remix-run/react';
import { Button } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { TextField } from '../../components/Field';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { titled } from '../../components/titled';
import { cameWords } from '../../domain/calendar/came';
import { listPeople } from '../../domain/calendar/people.server';
import { page, parse } from '../../domain/input/fields';
import { answerPage } from '../../http/page.server';

export const meta = titled('People');

export const loader = answerPage('Provider', async ({ db, actor }, { url }) => {
  const q = url.searchParams.get('q') ?? '';
  const wanted = parse(page, url.searchParams.get('page') ?? undefined);
  return { ...(await listPeople(db, actor, { q, page: wanted })), q, page: wanted };
});

export default function People() {
  const { rows, hasMore, page, q } = useLoaderData<typeof loader>();
  return (
    <Page title="People" subtitle="Who has booked with you">
      <Card>
        <Form className="flex flex-wrap items-end gap-3" role="search">
          <div className="min-w-0 flex-1 basis-48">
            <TextField key={q} name="q" label="Search by name" type="search" defaultValue={q} />
          </div>
          <Button quiet>Search</Button>
        </Form>
        {rows.length === 0 && <Empty>{q ? 'Nobody of that name has booked with you' : 'Nobody has booked yet'}</Empty>}
        <ul className="grid">
          {rows.map((person) => (
            <li key={person.id} className="relative border-b border-dashed border-rule py-3 last:border-0">
              <a href={`/people/${person.id}`} className="font-semibold underline-offset-4 hover:underline">
                <bdi>{person.name}</bdi>
              </a>
              <p className="text-sm text-muted">
                {person.username ?? 'Guest'}
                {cameWords(person) && ` · ${cameWords(person)}`}
              </p>
            </li>
          ))}
        </ul>
        <Pager page={page} hasMore={hasMore} />
      </Card>
    </Page>
  );
}
