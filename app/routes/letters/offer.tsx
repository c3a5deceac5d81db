import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { PhoneField } from '../../components/forms/PhoneField';
import { QuestionFields } from '../../components/forms/QuestionField';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { letterTitled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { startIn } from '../../domain/bookings/start-in';
import { findTemplateOfOffer } from '../../domain/bookings/template-of.server';
import { invalid } from '../../domain/errors';
import { clientAddress } from '../../domain/guests/guests';
import { parse, phone } from '../../domain/input/fields';
import { bookingPath, offerOfKey, waitingPath } from '../../domain/links.server';
import { needsAt, whereWords } from '../../domain/services/where';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { knownZone } from '../../domain/time/clock';
import { momentWords, whenWords, whenWordsFor } from '../../domain/time/when-words';
import { getOffer } from '../../domain/waitlist/read.server';
import { passOffer, takeOffer } from '../../domain/waitlist/take.server';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const handle = { isLetter: true };
export const meta = letterTitled(msg`A time for you`, msg`A time that is held, for whoever has its link.`);

/** A time that came free, for whoever has the link to it. To look changes nothing. */
export const loader = pageLoader('anyone', async ({ db, links, now, actor, edge }, { params: { key = '' } }) => {
  const [{ wish, startsAt, offerId, where, askPhone }, template] = await Promise.all([
    getOffer(db, links, key),
    findTemplateOfOffer(db, offerOfKey(key).id),
  ]);
  const { offer, timeZone, insteadOf } = wish;
  const isHeld = offer !== null && offer.startsAt === startsAt && offer.heldUntil > now;
  const isTaken = wish.isOver && offerId !== null && startIn(offerId) === startsAt;
  const readerZone = knownZone(actor?.timeZone) ?? edge.timeZone ?? timeZone;
  return {
    provider: wish.provider,
    providerName: wish.providerName,
    when: offer ? whenWords({ startsAt, endsAt: offer.endsAt, timeZone }) : momentWords(startsAt, timeZone),
    yours: offer && whenWordsFor({ startsAt, endsAt: offer.endsAt, timeZone }, readerZone),
    until: isHeld ? momentWords(offer.heldUntil, readerZone) : null,
    service: wish.serviceName,
    old: insteadOf !== null && isHeld ? momentWords(startIn(insteadOf), timeZone) : null,
    template: isHeld ? (template ?? null) : null,
    where: isHeld ? where : null,
    asksPhone: isHeld && askPhone === 'required',
    isTaken,
    waiting: waitingPath(links, wish),
    isWaiting: !wish.isOver,
  };
});

/** Takes the time, or passes it on. */
export const action = formAction('anyone', async ({ db, links, now }, typed, { params: { key = '' } }) => {
  const intent = typed.intent?.[0];
  if (intent === 'pass') {
    return redirect(waitingPath(links, await passOffer(db, links, key, now)), 303);
  }
  if (intent !== 'take') throw invalid(null, msg`Say whether you take the time.`);
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const given = parse(z.object({ phone, address: clientAddress }), fields(typed));
  const { id, linkSource } = await takeOffer(db, links, { key, submitted, ...given }, now);
  return redirect(linkSource ? bookingPath(links, linkSource) : paths.appointment(id), 303);
});

export default function Offer() {
  const { provider, service, template, where, asksPhone, isTaken, waiting, isWaiting, ...times } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const providerName = words(times.providerName);
  const yours = times.yours && words(times.yours);
  const until = times.until && words(times.until);
  const old = times.old && words(times.old);
  const asksMore = asksPhone || needsAt(where).address;
  const place = whereWords(where, false);
  return (
    <Page
      title={until ? t`A time for you` : t`This offer is over`}
      subtitle={<bdi>{providerName}</bdi>}
      corner={<HomeLink />}
    >
      <Sheet>
        <ErrorSummary refused={refused} />
        <div>
          {service ? <p>{words(service)}</p> : null}
          {place && <p>{words(place)}</p>}
          <p className="text-xl font-semibold">{words(times.when)}</p>
          {yours && <p className="text-muted">{t`On your clock: ${yours}`}</p>}
        </div>
        {until ? (
          <>
            <p role="status">{t`It is held for you until ${until}.`}</p>
            {old && <p>{t`If you take it, it replaces your appointment at ${old}.`}</p>}
            <div className="flex flex-wrap justify-center gap-3">
              <PostForm className={template || asksMore ? 'grid w-full gap-5 text-start' : undefined}>
                <PhoneField asked={asksPhone ? 'required' : 'no'} provider={providerName} refused={refused} />
                <ClientAddressField where={where} provider={providerName} refused={refused} />
                {template && (
                  <>
                    <input type="hidden" name="template" value={template.id} />
                    <QuestionFields questions={template.questions} refused={refused} />
                  </>
                )}
                <div>
                  <Button name="intent" value="take">
                    <Trans>Take it</Trans>
                  </Button>
                </div>
              </PostForm>
              <PostForm>
                <Button name="intent" value="pass" quiet>
                  <Trans>Pass it on</Trans>
                </Button>
              </PostForm>
            </div>
            <p className="text-sm text-muted">
              <Trans>Pass it on, and whoever waits next is asked. After two in a row you wait no more.</Trans>
            </p>
          </>
        ) : (
          <>
            <p role="status">
              {isTaken
                ? t`You have taken it. The link in your mail shows your appointment.`
                : t`It is held for you no longer, and others were asked.`}
            </p>
            {isWaiting && <ButtonLink to={waiting}>{t`See your place in line`}</ButtonLink>}
          </>
        )}
        {provider && (
          <p>
            <TextLink to={paths.provider(provider)}>
              <Trans>Free times of {providerName}</Trans>
            </TextLink>
          </p>
        )}
      </Sheet>
    </Page>
  );
}
