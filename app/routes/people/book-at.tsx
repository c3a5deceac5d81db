import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { AnyTime } from '../../components/forms/AnyTime';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { timeToBook } from '../../domain/bookings/any-time';
import { doorOf, overField, readChoice, timeSaid } from '../../domain/bookings/at-door';
import { bookAt } from '../../domain/bookings/book-at.server';
import { walkIn } from '../../domain/guests/guests';
import { parse } from '../../domain/input/fields';
import { getCard } from '../../domain/people/people.server';
import { listServices } from '../../domain/services/services.server';
import { fields, onceOf, withWireDates } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Any time');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const personId = url.searchParams.get('person');
  const [person, services] = await Promise.all([
    personId ? getCard(db, actor, personId, now) : null,
    listServices(db, actor),
  ]);
  return { person: person && { id: person.id, name: person.name }, ...doorOf(services, actor.timeZone, now) };
});

export const action = formAction('Provider', async (context, typed, { url }) => {
  const { db, actor, now, links } = context;
  const personId = url.searchParams.get('person');
  const { minutes, service } = readChoice(typed.long?.[0] ?? '');
  const input = { displayName: '', ...withWireDates(fields(typed), 'date'), minutes };
  const time = parse(timeToBook, input);
  const { displayName, email, phone, note } = personId
    ? { displayName: '', email: null, phone: null, note: null }
    : parse(walkIn, input);
  const booked = await bookAt(
    db,
    links,
    actor,
    {
      time,
      who: personId ? { personId } : { displayName, email },
      service,
      people: 1,
      // What was said was said of one time; for another it is said anew.
      isOver: typed[overField]?.[0] === timeSaid(typed),
      key: onceOf(typed),
      note,
      phone,
      submitted: null,
    },
    now,
  );
  return redirect(madePath(context, booked.id, booked.bookedAt), 303);
});

export default function BookAnyTime() {
  const { person, ...door } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const others = refused && { ...refused, faults: refused.faults.filter(({ field }) => field !== overField) };
  return (
    <Page title="Book for someone" subtitle={person?.name} breaksAnywhere>
      <ErrorSummary refused={others} />
      <AnyTime {...door} person={person} refused={refused} />
      <p>
        <TextLink to={person ? paths.person(person.id) : paths.freeTimes()}>
          {person ? 'Back to the card' : 'Your free times'}
        </TextLink>
      </p>
    </Page>
  );
}
