import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, RefusalNotice } from '../../components/Card';
import { AnyTime } from '../../components/forms/AnyTime';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { Leaf, SpanTimes, timeWords } from '../../components/times/Time';
import { WhatFor } from '../../components/times/WhatFor';
import { doorOf } from '../../domain/bookings/at-door';
import { bookForPerson } from '../../domain/bookings/book-for.server';
import { invalid } from '../../domain/errors';
import { page, parse } from '../../domain/input/fields';
import { getCard } from '../../domain/people/people.server';
import { listServices } from '../../domain/services/services.server';
import { listOwnFreeTimes } from '../../domain/slots/own-free-times.server';
import { dateWords } from '../../domain/time/clock';
import { onceOf } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Book again');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const pageInput = parse(page, url.searchParams.get('page') ?? undefined);
  const service = url.searchParams.get('service');
  const [person, services, times] = await Promise.all([
    getCard(db, actor, id, now),
    listServices(db, actor),
    listOwnFreeTimes(db, actor, { service, page: pageInput }, now),
  ]);
  const offered = services.filter(({ isOffered }) => isOffered);
  // The provider no longer offers the service of the last appointment.
  if (service !== null && !offered.some((candidate) => candidate.id === service))
    throw redirect(paths.bookForPerson(id));
  const atDoor = doorOf(services, actor.timeZone, now);
  return { person, services: offered, service, ...times, page: pageInput, atDoor };
});

export const action = formAction('Provider', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now, links } = context;
  const [slotId] = typed.slot ?? [];
  if (!slotId) throw invalid('slot', 'Choose a time.');
  const service = typed.service?.[0] || null;
  const wish = { id: slotId, personId: id, service, note: null, phone: null, submitted: null, key: onceOf(typed) };
  const { bookedAt } = await bookForPerson(db, links, actor, wish, now);
  return redirect(madePath(context, slotId, bookedAt), 303);
});

export default function BookAgain() {
  const { person, services, service, rows, hasMore, page, atDoor } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title="Book again" subtitle={person.name} breaksAnywhere>
      <RefusalNotice refused={refused} />
      <Card title="Your free times">
        {services.length > 0 && (
          <WhatFor
            services={services}
            chosen={service}
            asItIs={null}
            to={(serviceId) => paths.bookForPerson(person.id, { service: serviceId })}
          />
        )}
        {rows.length === 0 && (
          <Empty next={<ButtonLink to={paths.createTimes()}>Publish times</ButtonLink>}>
            {service === null ? 'You have no free times' : 'You have no free times that are long enough'}
          </Empty>
        )}
        <PostForm>
          {service && <input type="hidden" name="service" value={service} />}
          <ul className="lines">
            {rows.map(({ id, ...span }) => (
              <li key={id}>
                <Leaf date={span.date} />
                <div>
                  <h3>{dateWords(span.date).full}</h3>
                  <p>
                    <SpanTimes {...span} />
                  </p>
                </div>
                <Submit quiet name="slot" value={id}>
                  Book this time
                  <span className="sr-only">
                    {`, ${dateWords(span.date).full}, ${timeWords(span.startsAt, span.timeZone)}`}
                  </span>
                </Submit>
              </li>
            ))}
          </ul>
        </PostForm>
        <Pager page={page} hasMore={hasMore} />
      </Card>
      <AnyTime {...atDoor} person={person} />
      <p>
        <TextLink to={paths.person(person.id)}>Back to the card</TextLink>
      </p>
    </Page>
  );
}
