import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty, RefusalNotice } from '../../components/Card';
import { AnyTime } from '../../components/forms/AnyTime';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { WhatFor } from '../../components/times/WhatFor';
import { doorOf } from '../../domain/bookings/at-door';
import { bookForPerson } from '../../domain/bookings/book-for.server';
import { readBookingChoice } from '../../domain/calendar/move-choice.server';
import { invalid } from '../../domain/errors';
import { getCard } from '../../domain/people/people.server';
import { listServices } from '../../domain/services/services.server';
import { parseWireDate, wireDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { onceOf } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { emptyDayWords, OtherDays, OtherTimes } from '../booking/OtherTimes';

export const meta = titled('Book again');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const service = url.searchParams.get('service');
  const today = todayIn(actor.timeZone, now);
  const day = parseWireDate(url.searchParams.get('day') ?? '') ?? undefined;
  const wantedMonth = url.searchParams.get('month') ?? '';
  const month = isMonth(wantedMonth) ? wantedMonth : monthOf(day ?? today);
  const [person, services, choice] = await Promise.all([
    getCard(db, actor, id, now),
    listServices(db, actor),
    readBookingChoice(db, actor, { service, person: id, month, day }, now),
  ]);
  const offered = services.filter(({ isOffered }) => isOffered);
  // The provider no longer offers the service of the last appointment.
  if (service !== null && !offered.some((candidate) => candidate.id === service))
    throw redirect(paths.bookForPerson(id));
  const atDoor = doorOf(services, actor.timeZone, now);
  return { person, services: offered, service, today, month, day: day ?? null, atDoor, ...choice };
});

export const action = formAction('Provider', async (context, typed, { params: { id = '' } }) => {
  const { db, actor, now, links } = context;
  const [slotId] = typed.slot ?? [];
  if (!slotId) throw invalid('slot', 'Choose a time.');
  const service = typed.service?.[0] || null;
  const wish = { id: slotId, personId: id, service, note: null, phone: null, submitted: null, key: onceOf(typed) };
  const { id: bookingId, bookedAt } = await bookForPerson(db, links, actor, wish, now);
  return redirect(madePath(context, bookingId, bookedAt), 303);
});

export default function BookAgain() {
  const { person, services, service, today, month, day, nearest, times, days, edges, isClosed, atDoor } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const shown = day ? times : nearest;
  const pathOf = (query: Parameters<typeof paths.bookForPerson>[1]) => paths.bookForPerson(person.id, query);
  return (
    <Page title="Book again" subtitle={person.name} breaksAnywhere>
      <RefusalNotice refused={refused} />
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
          <Empty next={<ButtonLink to={paths.createTimes()}>Publish times</ButtonLink>}>
            {service === null ? 'You have no free times' : 'You have no free times that are long enough'}
          </Empty>
        </Card>
      ) : (
        <>
          <Card title={day ? 'Book them at' : 'Your next free times'} id="times">
            {shown.length === 0 && <Empty>{emptyDayWords(isClosed)}</Empty>}
            {shown.length > 0 && <p className="text-muted">One tap on a time books it.</p>}
            <PostForm>
              {service && <input type="hidden" name="service" value={service} />}
              <OtherTimes times={shown} to={(id) => ({ name: 'slot', value: id })} answered={null} />
            </PostForm>
          </Card>
          <OtherDays
            title={day ? 'Other days' : 'On another day'}
            path={(query) => pathOf({ service, ...query })}
            {...{ days, edges, month, day, today }}
          />
        </>
      )}
      <AnyTime {...atDoor} person={person} />
      <p>
        <TextLink to={paths.person(person.id)}>Back to the card</TextLink>
      </p>
    </Page>
  );
}
