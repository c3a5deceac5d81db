import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { QuestionFields } from '../../components/forms/QuestionField';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { tabTitle } from '../../components/frame/titled';
import { findTemplateOfOffer } from '../../domain/bookings/template-of.server';
import { invalid } from '../../domain/errors';
import { bookingPath, offerOfKey, waitingPath } from '../../domain/links.server';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { knownZone } from '../../domain/time/clock';
import { momentWords, whenWords, whenWordsFor } from '../../domain/time/when-words';
import { getOffer } from '../../domain/waitlist/read.server';
import { passOffer, takeOffer } from '../../domain/waitlist/take.server';
import { startOfBooking } from '../../domain/waitlist/wishes';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const handle = { isLetter: true };
export const meta = ({ data }: { data: unknown }) => [
  { title: tabTitle('A time for you', data as Parameters<typeof tabTitle>[1]) },
  { name: 'description', content: 'A time that is held, for whoever has its link.' },
  { name: 'robots', content: 'noindex, nofollow' },
];

/** A time that came free, for whoever has the link to it. To look changes nothing. */
export const loader = pageLoader('anyone', async ({ db, links, now, actor, edge }, { params: { key = '' } }) => {
  const [{ wish, startsAt, offerId }, template] = await Promise.all([
    getOffer(db, links, key),
    findTemplateOfOffer(db, offerOfKey(key).id),
  ]);
  const { offer, timeZone, insteadOf } = wish;
  const isHeld = offer !== null && offer.startsAt === startsAt && offer.heldUntil > now;
  const isTaken = wish.isOver && offerId !== null && startOfBooking(offerId) === startsAt;
  const readerZone = knownZone(actor?.timeZone) ?? edge.timeZone ?? timeZone;
  return {
    provider: wish.provider,
    providerName: wish.providerName,
    when: offer ? whenWords({ startsAt, endsAt: offer.endsAt, timeZone }) : momentWords(startsAt, timeZone),
    yours: offer && whenWordsFor({ startsAt, endsAt: offer.endsAt, timeZone }, readerZone),
    until: isHeld ? momentWords(offer.heldUntil, readerZone) : null,
    service: wish.serviceName,
    old: insteadOf !== null && isHeld ? momentWords(startOfBooking(insteadOf), timeZone) : null,
    template: isHeld ? (template ?? null) : null,
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
  if (intent !== 'take') throw invalid(null, 'Say whether you take the time.');
  const submitted = typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;
  const { id, linkSeed } = await takeOffer(db, links, { key, submitted, link: links.make() }, now);
  return redirect(linkSeed ? bookingPath(links, linkSeed) : paths.appointment(id), 303);
});

export default function Offer() {
  const { provider, providerName, when, yours, until, service, old, template, isTaken, waiting, isWaiting } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page
      title={until ? 'A time for you' : 'This offer is over'}
      subtitle={<bdi>{providerName}</bdi>}
      corner={<HomeLink />}
    >
      <Sheet>
        <ErrorSummary refused={refused} />
        <div>
          {service && <p>{service}</p>}
          <p className="text-xl font-semibold">{when}</p>
          {yours && <p className="text-muted">On your clock: {yours}</p>}
        </div>
        {until ? (
          <>
            <p role="status">{`It is held for you until ${until}.`}</p>
            {old && <p>{`If you take it, it replaces your appointment at ${old}.`}</p>}
            <div className="flex flex-wrap justify-center gap-3">
              <PostForm className={template ? 'grid w-full gap-5 text-left' : undefined}>
                {template && (
                  <>
                    <input type="hidden" name="template" value={template.id} />
                    <QuestionFields questions={template.questions} refused={refused} />
                  </>
                )}
                <div>
                  <Button name="intent" value="take">
                    Take it
                  </Button>
                </div>
              </PostForm>
              <PostForm>
                <Button name="intent" value="pass" quiet>
                  Pass it on
                </Button>
              </PostForm>
            </div>
            <p className="text-sm text-muted">
              Pass it on, and whoever waits next is asked. After two in a row you wait no more.
            </p>
          </>
        ) : (
          <>
            <p role="status">
              {isTaken
                ? 'You have taken it. The link in your mail shows your appointment.'
                : 'It is held for you no longer, and others were asked.'}
            </p>
            {isWaiting && <ButtonLink to={waiting}>See your place in line</ButtonLink>}
          </>
        )}
        {provider && (
          <p>
            <TextLink to={paths.provider(provider)}>Free times of {providerName}</TextLink>
          </p>
        )}
      </Sheet>
    </Page>
  );
}
