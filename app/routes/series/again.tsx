import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { BookPaths } from '../../book-paths';
import { ButtonLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { AgainSteps } from '../../components/times/AgainSteps';
import { useWords } from '../../components/words';
import { getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { findWays } from '../../domain/messages/ways.server';
import { findRecord } from '../../domain/people/people.server';
import { aboutBooking, withText } from '../../domain/people/texts.server';
import { bookAgain, readAgainPage } from '../../domain/series/again.server';
import { providerInShop } from '../../domain/shop/in-shop';
import { inBook } from '../../http/book-of.server';
import { onceOf } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';

export const meta = titled(msg`The same time again`);

const backTo = (desk: BookPaths, id: string, isProvider: boolean, query?: { series: 'booked' }) =>
  isProvider ? desk.providerView(id, query) : paths.appointment(id, query);

export const loader = pageLoader(
  'member',
  inBook(async (context, { params: { id = '' }, url }) => {
    const { searchParams } = url;
    const { db, actor, now, hasMail, desk } = context;
    const isProvider = actor.role === 'Provider';
    const [appointment, record, ways, sender] = await Promise.all([
      getAppointment(db, actor, id),
      isProvider ? findRecord(db, actor, id) : undefined,
      isProvider ? findWays(db, id, hasMail) : undefined,
      senderOf(context, url),
    ]);
    if (appointment.status === status.canceled) throw redirect(backTo(desk, id, isProvider));
    const phone = appointment.bookerPhone ?? record?.phone ?? null;
    return {
      series: await readAgainPage(db, { appointment, who: actor }, searchParams, now),
      here: desk.again(id),
      back: backTo(desk, id, isProvider),
      person: searchParams.get('person') ?? record?.id ?? null,
      isProvider,
      told:
        record && ways
          ? {
              way: ways.bookedWay,
              phone,
              ...(await withText(sender, { about: aboutBooking(appointment, ways, phone) })),
            }
          : null,
    };
  }),
);

export const action = formAction(
  'member',
  inBook(async (context, typed, { params: { id = '' } }) => {
    const { db, actor, links, now, desk } = context;
    const appointment = await getAppointment(db, actor, id);
    const writing = { links, key: onceOf(typed), now, origin: await originOf(context) };
    const first = await bookAgain(db, { appointment, who: actor }, typed, writing);
    return redirect(backTo(desk, first?.id ?? id, actor.role === 'Provider', { series: 'booked' }), 303);
  }),
);

export default function Again() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { series, here, back, person, isProvider, told } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { bookerName, providerName } = series.appointment;
  const otherName = isProvider ? bookerName : providerName;
  return (
    <Page
      title={t`The same time again`}
      subtitle={isProvider ? (bookerName ?? undefined) : words(providerInShop(series.appointment, true))}
      breaksAnywhere
    >
      <AgainSteps
        {...{ series, here, back, refused, person }}
        told={told && <HowTold name={otherName ?? ''} {...told} />}
        instead={
          isProvider &&
          !person && (
            <Notice tone="warn" title={t`Choose for whom: open the card of one of your people, and book from there.`}>
              <div>
                <ButtonLink quiet to={desk.people()}>
                  <Trans>People</Trans>
                </ButtonLink>
              </div>
            </Notice>
          )
        }
      />
    </Page>
  );
}
