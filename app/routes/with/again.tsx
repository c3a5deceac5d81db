import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { PhoneField } from '../../components/forms/PhoneField';
import { useRefusal } from '../../components/forms/refusal';
import { ServiceField } from '../../components/forms/ServiceField';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { AgainSteps } from '../../components/times/AgainSteps';
import type { ShopTime } from '../../domain/bookings/turn.server';
import { bookingPath } from '../../domain/links.server';
import { notFound } from '../../domain/not-found';
import { bookAgain, readAgainPage } from '../../domain/series/again.server';
import { phoneAskedAt } from '../../domain/services/where';
import { onceOf } from '../../http/form.server';
import type { Authorized } from '../../http/guards.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { anyonePath, seriesWithAnyonePath } from './paths';
import { findTimeInShop, shopTimeIn } from './shop-time.server';

export const meta = titled(msg`The same time again`);

async function timeIn({ db, actor, now }: Authorized<'Consumer'>, shopTime: ShopTime, url: URL) {
  const service = url.searchParams.get('service');
  const inShop = await findTimeInShop(db, shopTime, { accountId: actor.accountId, service }, now);
  if (!inShop?.isOfHouse || !inShop.time) throw notFound('free time');
  return { ...inShop.time, service };
}

/** A time with whoever is free in a shop, again and again with one of them. */
export const loader = pageLoader('Consumer', async (context, { params, url }) => {
  const { db, actor, now } = context;
  const shopTime = shopTimeIn(params);
  const { appointment, askPhone, service } = await timeIn(context, shopTime, url);
  const { provider, startsAt } = appointment;
  return {
    series: await readAgainPage(db, { appointment, who: actor, shopTime }, url.searchParams, now),
    askPhone: phoneAskedAt(appointment.where, askPhone),
    service,
    here: seriesWithAnyonePath(provider, startsAt, service),
    back: anyonePath(provider, startsAt, service),
  };
});

export const action = formAction('Consumer', async (context, typed, { params, url }) => {
  const { db, actor, links, now } = context;
  const shopTime = shopTimeIn(params);
  const { appointment } = await timeIn(context, shopTime, url);
  const writing = { links, key: onceOf(typed), now, origin: await originOf(context) };
  const first = await bookAgain(db, { appointment, who: actor, shopTime }, typed, writing);
  if (!first) return redirect(paths.booked(), 303);
  const booked = { series: 'booked' };
  // A guest keeps the personal link: nothing else finds it once the session is over.
  const to =
    actor.isGuest && first.linkSource
      ? bookingPath(links, first.linkSource, booked)
      : paths.appointment(first.id, booked);
  return redirect(to, 303);
});

export default function AgainWithAnyone() {
  const { series, askPhone, service, here, back } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const { appointment } = series;
  const { providerName } = appointment;
  return (
    <Page title={t`The same time again`} subtitle={providerName} breaksAnywhere>
      <AgainSteps
        {...{ series, service, here, back, refused }}
        isWithAnyone
        fields={
          <>
            <ServiceField {...appointment} chosen={null} />
            <PhoneField asked={askPhone} provider={providerName} refused={refused} />
            <ClientAddressField where={appointment.where} provider={providerName} refused={refused} />
          </>
        }
      />
    </Page>
  );
}
