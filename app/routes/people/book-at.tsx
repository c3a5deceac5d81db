import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { AnyTime } from '../../components/forms/AnyTime';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { OtherTimes } from '../../components/times/OtherTimes';
import { timeToBook } from '../../domain/bookings/any-time';
import { overField, readChoice, timeSaid } from '../../domain/bookings/at-door';
import { bookAt } from '../../domain/bookings/book-at.server';
import { clientAddress, walkIn } from '../../domain/guests/guests';
import { parse } from '../../domain/input/fields';
import { getCard, listPeople } from '../../domain/people/people.server';
import { inBook } from '../../http/book-of.server';
import { fields, onceOf, withWireDates } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import { TimesToBook } from './TimesToBook';
import { readTimesToBook } from './times-to-book.server';
import { WhoToBook } from './WhoToBook';

export const meta = titled(msg`Book for someone`);

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { url }) => {
    const { db, actor, now, desk } = context;
    const personId = url.searchParams.get('person');
    const q = url.searchParams.get('q')?.trim() ?? '';
    const [person, people, times] = await Promise.all([
      personId ? getCard(db, actor, personId, now) : null,
      q ? listPeople(db, actor, { q, page: 0, isToBook: true }, now) : null,
      readTimesToBook(context, '', url),
    ]);
    const [only, ...others] = people?.rows ?? [];
    if (only && others.length === 0) throw redirect(desk.bookForPerson(only.id, { service: only.latestService }));
    return { person: person && { id: person.id, name: person.name }, q, found: people?.rows ?? null, ...times };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async (context, typed, { url }) => {
    const { db, actor, now, links } = context;
    const personId = url.searchParams.get('person');
    const { minutes, service } = readChoice(typed.long?.[0] ?? '');
    const input = { displayName: '', ...withWireDates(fields(typed), 'date'), minutes };
    const time = parse(timeToBook, input);
    const { displayName, email, phone, address, note } = personId
      ? { displayName: '', email: null, phone: null, note: null, ...parse(z.object({ address: clientAddress }), input) }
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
        address,
        submitted: null,
      },
      now,
    );
    return redirect(madePath(context, booked.id, booked.bookedAt), 303);
  }),
);

export default function BookForSomeone() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { person, q, found, shown, atDoor } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const others = refused && { ...refused, faults: refused.faults.filter(({ field }) => field !== overField) };
  const isAnyTime = refused !== undefined || person !== null;
  return (
    <Page title={t`Book for someone`} subtitle={person?.name} breaksAnywhere>
      <ErrorSummary refused={others} />
      {!isAnyTime && (
        <>
          <Card title={t`Who was here before`}>
            <WhoToBook label={t`Who is it?`} q={q} found={found} />
          </Card>
          <h2 className="text-xl">{t`Somebody new`}</h2>
          <TimesToBook {...shown} help={t`One tap on a time, then their name.`} pathOf={desk.bookAt}>
            {(times) => (
              <OtherTimes
                times={times}
                to={({ id }) => `${desk.providerDetails(id, { service: shown.service })}#for-someone`}
                isPressed={() => false}
              />
            )}
          </TimesToBook>
        </>
      )}
      <AnyTime {...atDoor} person={person} refused={refused} />
      <p>
        <TextLink to={person ? desk.person(person.id) : desk.freeTimes()}>
          {person ? t`Back to the card` : t`Your free times`}
        </TextLink>
      </p>
    </Page>
  );
}
