import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { TextLink } from '../../components/Button';
import { AnyTime } from '../../components/forms/AnyTime';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { OtherTimes } from '../../components/times/OtherTimes';
import { bookForPerson } from '../../domain/bookings/book-for.server';
import { invalid } from '../../domain/errors';
import { clientAddress } from '../../domain/guests/guests';
import { parse } from '../../domain/input/fields';
import { getCard } from '../../domain/people/people.server';
import { inBook } from '../../http/book-of.server';
import { fields, onceOf } from '../../http/form.server';
import { madePath } from '../../http/made-link.server';
import { formAction, pageLoader } from '../../http/page.server';
import { TimesToBook } from './TimesToBook';
import { readTimesToBook } from './times-to-book.server';

export const meta = titled(msg`Book again`);

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { params: { id = '' }, url }) => {
    const { db, actor, now, desk } = context;
    const [person, times] = await Promise.all([getCard(db, actor, id, now), readTimesToBook(context, id, url)]);
    const { service, services } = times.shown;
    // The provider no longer offers the service of the last appointment.
    if (service !== null && !services.some((candidate) => candidate.id === service))
      throw redirect(desk.bookForPerson(id));
    return { person, ...times };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async (context, typed, { params: { id = '' } }) => {
    const { db, actor, now, links } = context;
    const [slotId] = typed.slot ?? [];
    if (!slotId) throw invalid('slot', msg`Choose a time.`);
    const service = typed.service?.[0] || null;
    const { address } = parse(z.object({ address: clientAddress }), fields(typed));
    const wish = {
      id: slotId,
      personId: id,
      service,
      note: null,
      phone: null,
      address,
      submitted: null,
      key: onceOf(typed),
    };
    const { id: bookingId, bookedAt } = await bookForPerson(db, links, actor, wish, now);
    return redirect(madePath(context, bookingId, bookedAt), 303);
  }),
);

export default function BookAgain() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { person, shown, atDoor } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const where = shown.services.find(({ id }) => id === shown.service)?.where ?? 'here';
  return (
    <Page title={t`Book again`} subtitle={person.name} breaksAnywhere>
      <ErrorSummary refused={refused} />
      <TimesToBook
        {...shown}
        help={t`One tap on a time books it.`}
        pathOf={(query) => desk.bookForPerson(person.id, query)}
      >
        {(times) => (
          <PostForm className="grid gap-4">
            <ClientAddressField where={where} refused={refused} />
            {shown.service && <input type="hidden" name="service" value={shown.service} />}
            <OtherTimes times={times} to={({ id }) => ({ name: 'slot', value: id })} isPressed={() => true} />
          </PostForm>
        )}
      </TimesToBook>
      <AnyTime {...atDoor} person={person} />
      <p>
        <TextLink to={desk.person(person.id)}>{t`Back to the card`}</TextLink>
      </p>
    </Page>
  );
}
