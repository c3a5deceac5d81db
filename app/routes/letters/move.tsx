import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData, useParams } from '@remix-run/react';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { letterTitled } from '../../components/frame/titled';
import { MoveSteps } from '../../components/times/MoveSteps';
import { useWords } from '../../components/words';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { moveAppointment } from '../../domain/bookings/move.server';
import { readMovePage } from '../../domain/calendar/move-page.server';
import { providerInShop } from '../../domain/shop/in-shop';
import { answersOfMove } from '../../domain/templates/questions';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { moveShown } from '../booking/paths';

export const handle = { isLetter: true };
export const meta = letterTitled(msg`Move an appointment`, msg`An appointment, for whoever has its link.`);

/** Moves a booking, for whoever has its personal link. */
export const loader = pageLoader('anyone', async (context, { params: { key = '', to }, url }) => {
  const { db, links } = context;
  const { about: _, ...move } = await readMovePage(db, { links, key }, { to, ...moveShown(url) }, context);
  // The link opens the booking wherever it is. If it is at the wanted time already, it has just moved there.
  if (!move.isBooked || move.isThere) throw redirect(paths.booking(key));
  return { move: { ...move, text: null }, back: paths.booking(key) };
});

export const action = formAction('anyone', async ({ db, now, links }, typed, { params: { key = '', to = '' } }) => {
  const { appointment, owner } = await getByKey(db, links, key);
  const move = { id: appointment.id, to, submitted: answersOfMove(typed), reason: null };
  if (appointment.id !== to) await moveAppointment(db, owner, move, now);
  return redirect(paths.booking(key, { moved: 'yes' }), 303);
});

export default function MoveByLink() {
  const { move, back } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const { key = '', to } = useParams();
  return (
    <Page
      title={t`Move an appointment`}
      subtitle={<bdi>{words(providerInShop(move.appointment, true))}</bdi>}
      corner={<HomeLink />}
    >
      <MoveSteps
        {...{ move, back, refused }}
        path={(query) => paths.moveBooking(key, query)}
        to={(time) => paths.moveBookingTo(key, time.id)}
        isChosen={to !== undefined}
      />
    </Page>
  );
}
