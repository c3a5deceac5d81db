import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData, useParams } from '@remix-run/react';
import { type BookPaths, bookPaths } from '../../book-paths';
import { Card } from '../../components/Card';
import { TextArea } from '../../components/forms/Field';
import { OfferAgain } from '../../components/forms/OfferAgain';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { MoveSteps } from '../../components/times/MoveSteps';
import { useWords } from '../../components/words';
import { cancellation } from '../../domain/bookings/appointments';
import { moveAppointment } from '../../domain/bookings/move.server';
import { isPassedOn } from '../../domain/bookings/with-colleague.server';
import { readMovePage } from '../../domain/calendar/move-page.server';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { withText } from '../../domain/people/texts.server';
import { providerInShop } from '../../domain/shop/in-shop';
import { answersOfMove } from '../../domain/templates/questions';
import { inBook } from '../../http/book-of.server';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import { moveShown } from './paths';

export const meta = titled(msg`Move an appointment`);

const backTo = (desk: BookPaths, id: string, isProvider: boolean, query?: { moved: 'yes' }) =>
  isProvider ? desk.providerView(id, query) : paths.appointment(id, query);

export const loader = pageLoader(
  'member',
  inBook(async (context, { params: { id = '', to }, url }) => {
    const { db, actor, desk } = context;
    const [found, sender] = await Promise.all([
      readMovePage(db, { actor, id }, { to, ...moveShown(url) }, context),
      senderOf(context, url),
    ]);
    const move = await withText(sender, found);
    const { appointment, isProvider } = move;
    const now = isProvider && isPassedOn(appointment) ? null : appointment.movedTo;
    if (!move.isBooked) throw redirect(backTo(desk, now ?? appointment.id, isProvider));
    return { move, back: backTo(desk, appointment.id, isProvider) };
  }),
);

export const action = formAction(
  'member',
  inBook(async ({ db, actor, now, desk }, typed, { params: { id = '', to = '' } }) => {
    const { reason } = parse(cancellation, fields(typed));
    const republish = typed.republish?.[0] === 'true';
    const moved = await moveAppointment(db, actor, { id, to, submitted: answersOfMove(typed), reason, republish }, now);
    const isGone = actor.role === 'Provider' && isPassedOn({ id, movedTo: to });
    const there = isGone ? bookPaths(moved.provider) : desk;
    return redirect(backTo(there, to, actor.role === 'Provider', { moved: 'yes' }), 303);
  }),
);

/** Moves an appointment. A provider can type a reason. */
export default function MovePage() {
  const { move, back } = useLoaderData<typeof loader>();
  const desk = useBookPaths();
  const refused = useRefusal();
  const { id = '', to } = useParams();
  const { appointment, isProvider, isTimeWanted, ways, phone, text } = move;
  const words = useWords();
  const bookerName = appointment.bookerName ?? '';
  const { t } = useLingui();
  const reason = isProvider && (
    <>
      <TextArea name="reason" label={t`Reason`} maxLength={limits.reason} refused={refused} isOptional />
      <OfferAgain isOn={isTimeWanted} refused={refused} />
    </>
  );
  return (
    <Page title={t`Move an appointment`} subtitle={isProvider ? bookerName : words(providerInShop(appointment, true))}>
      <MoveSteps
        {...{ move, back, refused }}
        path={(query) => desk.move(id, query)}
        to={(time) => desk.moveTo(id, time.id)}
        isChosen={to !== undefined}
        chosenFields={reason}
        fields={
          reason && (
            <Card title={t`If you move ${bookerName}`}>
              <p className="text-muted">
                <HowTold name={bookerName} way={ways.toBooker} phone={phone} text={text} withReason />
              </p>
              {reason}
            </Card>
          )
        }
      />
    </Page>
  );
}
