import { msg } from '@lingui/core/macro';
import { json, type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { useRefusal } from '../../components/forms/refusal';
import { i18nOfPage } from '../../components/frame/page-language';
import { plainTitle, tabTitle } from '../../components/frame/titled';
import { findTemplateOfWanted } from '../../domain/bookings/claim-one.server';
import { isChangeable } from '../../domain/bookings/deadline';
import { fold } from '../../domain/input/fold';
import { notFound } from '../../domain/not-found';
import type { Service } from '../../domain/services/services';
import { listShopTimes, type PublicShop } from '../../domain/slots/shop-times.server';
import { type Instant, localDateOf, machineText } from '../../domain/time/clock';
import { worded } from '../../domain/words/worded';
import { statuses } from '../../http/errors.server';
import { checkForm, formToken } from '../../http/form-token.server';
import type { Authorized } from '../../http/guards.server';
import { knowBrowser } from '../../http/own-form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { BookingForm } from './BookingForm';
import { bookByForm, tokenOfNearest } from './booking-form.server';
import { readerOf } from './booking-reader.server';
import { PublicJustGone } from './PublicJustGone';
import { withPath } from './paths';
import { findTimeInShop, shopTimeIn } from './shop-time.server';

export const handle = { isLetter: true };

export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: data?.unavailable ? plainTitle(msg`Just gone`, data) : tabTitle(msg`Book a time`, data) },
  { name: 'description', content: worded(i18nOfPage(data), msg`One free time, and the form that books it.`) },
  { name: 'robots', content: 'noindex' },
];

type Context = Authorized<'anyone'>;

/** Which form it is, for its token and for the guest that it makes. */
const formOf = (shop: string, start: Instant) => `book ${fold(shop.trim())} ${machineText(start)}`;

/** Says that nobody is free then any more, with the times of that day at which somebody is. */
async function unavailableFor(context: Context, shop: PublicShop, start: Instant, service: string | null) {
  const { db, now } = context;
  const dates = [localDateOf(start, shop.timeZone)];
  const { rows } = service ? await listShopTimes(db, shop.people, { service, dates, page: 0 }, now) : { rows: [] };
  return {
    message: msg`Nobody is free at this time any more.`,
    provider: shop.username,
    providerName: shop.displayName,
    mayComeFree: false,
    isShopTime: true,
    id: machineText(start),
    service,
    nearest: rows.slice(0, 6).map(({ time }) => ({
      slot: { ...time, provider: shop.username, providerName: shop.displayName },
      token: tokenOfNearest(context, formOf(shop.username, time.startsAt)),
    })),
  };
}

const show = pageLoader('anyone', async (context, { params, url }) => {
  const { db, actor, now, viewer, refusalCode } = context;
  const isConflict = refusalCode === 'conflict';
  const shopTime = shopTimeIn(params);
  const { start } = shopTime;
  const service = url.searchParams.get('service');
  const [inShop, template, account] = await Promise.all([
    findTimeInShop(db, shopTime, { accountId: actor?.accountId ?? '', service }, now),
    findTemplateOfWanted(db, { shopTime }, service),
    viewer(),
  ]);
  // Whoever sent a form hears that nobody is free, also if the time or the service has vanished.
  if (!inShop || !(inShop.time || isConflict)) throw notFound('free time');
  const { shop, isOfHouse, time } = inShop;
  if (!isOfHouse && !isConflict) throw redirect(withPath(shop.username));
  if (!account) await knowBrowser(context);
  if (!time || (time.why !== null && !time.limit))
    return { form: null, unavailable: await unavailableFor(context, shop, start, service) };
  const { appointment, openTo, askEmail, askPhone, limit } = time;
  return {
    form: {
      appointment,
      services: [] as Service[],
      service,
      canChange: isChangeable(appointment, now),
      openTo,
      askEmail,
      askPhone,
      template: template ?? null,
      reader: readerOf(account, { providerId: null, askEmail, limit }),
      token: formToken(context, formOf(shopTime.shop, start)),
      isShopTime: true,
    },
    unavailable: null,
  };
});

/** A time at which nobody is free gives the same page as a form for it. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.unavailable ? statuses.conflict : 200 });
}

/** Books with whoever has the turn; the personal link is where one sees who it is. */
export const action = formAction('anyone', async (context, typed, { params }) => {
  const shopTime = shopTimeIn(params);
  const form = formOf(shopTime.shop, shopTime.start);
  checkForm(context, typed, form);
  return redirect(await bookByForm(context, { shopTime }, form, typed), 303);
});

export default function BookAnyone() {
  const { form, unavailable } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  if (unavailable) return <PublicJustGone {...unavailable} typed={refused?.typed} />;
  return <BookingForm {...form} refused={refused} />;
}
