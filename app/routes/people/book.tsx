import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { useRefusal } from '../../components/refusal';
import { Leaf, SpanTimes, timeWords } from '../../components/Time';
import { titled } from '../../components/titled';
import { invalid } from '../../domain/errors';
import { page, parse } from '../../domain/input/fields';
import { bookForPerson } from '../../domain/people/book-for.server';
import { getCard, listOwnFreeTimes } from '../../domain/people/people.server';
import { dateWords } from '../../domain/time/clock';
import { onceOf } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { answerForm, answerPage } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Book again');

export const loader = answerPage('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const wanted = parse(page, url.searchParams.get('page') ?? undefined);
  const [person, times] = await Promise.all([getCard(db, actor, id, now), listOwnFreeTimes(db, actor, wanted, now)]);
  return { person, ...times, page: wanted };
});

export const action = answerForm('Provider', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now, links } = context;
  const [slotId] = typed.slot ?? [];
  if (!slotId) throw invalid('slot', 'Choose a time.');
  const service = typed.service?.[0] || null;
  const wish = { id: slotId, personId: id, service, note: null, phone: null, submitted: null, key: onceOf(typed) };
  const { bookedAt } = await bookForPerson(db, links, actor, wish, now);
  return redirect(madePath(context, slotId, bookedAt), 303);
});

export default function BookAgain() {
  const { person, rows, hasMore, page } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title="Book again" subtitle={person.name} isBroken>
      <RefusalNotice refused={refused} />
      <Card title="Your free times">
        {rows.length === 0 && (
          <Empty next={<ButtonLink to={paths.createTimes()}>Publish times</ButtonLink>}>You have no free times</Empty>
        )}
        <PostForm>
          <ul className="lines">
            {rows.map(({ id, ...span }) => (
              <li key={id}>
                <Leaf date={span.date} />
                <div>
                  <h3>{dateWords(span.date).full}</h3>
                  <p>
                    <SpanTimes {...span} />
                  </p>
                  <Submit quiet name="slot" value={id}>
                    Book this time
                    <span className="sr-only">
                      {`, ${dateWords(span.date).full}, ${timeWords(span.startsAt, span.timeZone)}`}
                    </span>
                  </Submit>
                </div>
              </li>
            ))}
          </ul>
        </PostForm>
        <Pager page={page} hasMore={hasMore} />
      </Card>
      <p>
        <TextLink to={paths.person(person.id)}>Back to the card</TextLink>
      </p>
    </Page>
  );
}
