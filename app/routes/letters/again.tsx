import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { letterTitled } from '../../components/frame/titled';
import { AgainSteps } from '../../components/times/AgainSteps';
import { useWords } from '../../components/words';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { status } from '../../domain/bookings/status';
import { bookAgain, readAgainPage } from '../../domain/series/again.server';
import { providerInShop } from '../../domain/shop/in-shop';
import { onceOf } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const handle = { isLetter: true };
export const meta = letterTitled(msg`The same time again`, msg`An appointment, for whoever has its link.`);

/** Books a booking's time again, for whoever has its personal link. */
export const loader = pageLoader('anyone', async ({ db, links, now }, { params: { key = '' }, url }) => {
  const { appointment, owner } = await getByKey(db, links, key);
  if (appointment.status === status.canceled) throw redirect(paths.booking(key));
  return {
    series: await readAgainPage(db, { appointment, who: owner }, url.searchParams, now),
    here: paths.bookingAgain(key),
    back: paths.booking(key),
  };
});

export const action = formAction('anyone', async (context, typed, { params: { key = '' } }) => {
  const { db, links, now } = context;
  const { appointment, owner } = await getByKey(db, links, key);
  const writing = { links, key: onceOf(typed), now, origin: await originOf(context) };
  await bookAgain(db, { appointment, who: owner }, typed, writing);
  return redirect(paths.booking(key, { series: 'booked' }), 303);
});

export default function AgainByLink() {
  const { series, here, back } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  return (
    <Page
      title={t`The same time again`}
      subtitle={<bdi>{words(providerInShop(series.appointment, true))}</bdi>}
      corner={<HomeLink />}
    >
      <AgainSteps {...{ series, here, back, refused }} />
    </Page>
  );
}
