import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { letterTitled } from '../../components/frame/titled';
import { Moment } from '../../components/times/Time';
import { offerPath } from '../../domain/links.server';
import { withheldWordsForReader } from '../../domain/mail/withheld-mail';
import { getWish, linkedWish } from '../../domain/waitlist/read.server';
import { removeWishByKey } from '../../domain/waitlist/wish.server';
import { wishWords } from '../../domain/waitlist/wishes';
import { moveToReader } from '../../http/linked.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { InAccount } from './InAccount';
import { Keep } from './Keep';

export const handle = { isLetter: true };
export const meta = letterTitled('You are waiting', 'A place in line, for whoever has its link.');

/** A wish, for the owner of its personal link. */
export const loader = pageLoader('anyone', async ({ db, links, now }, { params: { key = '' }, url }) => {
  const { wish } = await getWish(db, links, key);
  const isOver = wish.isOver || wish.untilAt <= now;
  const { offer } = wish;
  return {
    words: wishWords(wish),
    provider: wish.provider,
    providerName: wish.providerName,
    place: isOver ? null : wish.place,
    passedAt: isOver ? null : wish.passedAt,
    isOneTime: wish.asked.slotId !== null,
    zone: wish.timeZone,
    isOver,
    noMail: wish.withheldMail && `${withheldWordsForReader(wish.withheldMail)} Please keep this link, and look here.`,
    offer: !isOver &&
      offer &&
      offer.heldUntil > now && {
        startsAt: offer.startsAt,
        heldUntil: offer.heldUntil,
        path: offerPath(links, { ...wish, startsAt: offer.startsAt }),
      },
    username: wish.username,
    isInAccount: url.searchParams.has('joined'),
    path: paths.waiting(key),
    link: url.origin + paths.waiting(key),
  };
});

/** Stops waiting, or moves the wish to the reader's account. */
export const action = formAction('anyone', async (context, typed, { params: { key = '' } }) => {
  const { db, links, now } = context;
  if (typed.intent?.[0] === 'keep') {
    await moveToReader(context, linkedWish(await getWish(db, links, key)), paths.waiting(key));
    return redirect(paths.waiting(key, { joined: 'yes' }), 303);
  }
  await removeWishByKey(db, links, key, now);
  return redirect(paths.waiting(key), 303);
});

function inLine(place: number | null, afterPassing: boolean): string | null {
  if (place === null) return null;
  const where = place === 1 ? 'You are the first in line' : `You are number ${place} in line`;
  return afterPassing ? `${where} for other times.` : `${where}.`;
}

export default function Waiting() {
  const {
    words,
    provider,
    providerName,
    place,
    passedAt,
    isOneTime,
    zone,
    isOver,
    noMail,
    offer,
    link,
    path,
    username,
    isInAccount,
  } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  // A wish for the one time that they passed on: nothing comes of it any more, unless the provider offers another.
  const isDone = isOneTime && passedAt !== null && !offer;
  return (
    <Page
      title={isOver ? 'You wait no more' : 'You are waiting'}
      subtitle={<bdi>{providerName}</bdi>}
      corner={<HomeLink />}
    >
      <Sheet>
        <ErrorSummary refused={refused} />
        {isInAccount && !refused && username !== null && (
          <Notice tone="good" title="It is in your account now. This link still opens it." />
        )}
        <p className="break-words">For: {words}</p>
        {isOver ? (
          <p className="text-muted">This wish is over.</p>
        ) : (
          <>
            {offer ? (
              <div className="grid justify-items-center gap-3">
                <p role="status" className="font-semibold text-good">
                  <Moment at={offer.startsAt} zone={zone} /> is held for you until{' '}
                  <Moment at={offer.heldUntil} zone={zone} />.
                </p>
                <ButtonLink to={offer.path}>See the time</ButtonLink>
              </div>
            ) : (
              <div role="status" className="grid gap-2">
                {passedAt !== null && (
                  <p>
                    You passed on <Moment at={passedAt} zone={zone} />. It is not offered to you again.
                  </p>
                )}
                {!isDone && <p className="font-semibold text-good">{inLine(place, passedAt !== null)}</p>}
              </div>
            )}
            {!isDone && (
              <p className="text-muted">
                When a time comes free that suits you and nobody before you wants it, it is held for you for a while.
              </p>
            )}
            {noMail && <p>{noMail}</p>}
            <PostForm>
              <Submit ends>Stop waiting</Submit>
            </PostForm>
            <InAccount username={username} letter={path} own={paths.waitlist()} />
            <Keep link={link} subject={`Waiting for a time with ${providerName}`} canChange />
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
