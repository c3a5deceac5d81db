import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
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
import { useWords } from '../../components/words';
import { offerPath } from '../../domain/links.server';
import { withheldWordsForReader } from '../../domain/mail/withheld-mail';
import { getWish, linkedWish } from '../../domain/waitlist/read.server';
import { removeWishByKey } from '../../domain/waitlist/wish.server';
import { wishWords } from '../../domain/waitlist/wishes';
import type { Words } from '../../domain/words/words';
import { moveToReader } from '../../http/linked.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { InAccount } from './InAccount';
import { Keep } from './Keep';

export const handle = { isLetter: true };
export const meta = letterTitled(msg`You are waiting`, msg`A place in line, for whoever has its link.`);

/** A wish, for the owner of its personal link. */
export const loader = pageLoader('anyone', async ({ db, links, now, edge }, { params: { key = '' }, url }) => {
  const { wish } = await getWish(db, links, key);
  const isOver = wish.isOver || wish.untilAt <= now;
  const { offer, withheldMail } = wish;
  const whyNoMail = withheldMail && withheldWordsForReader(withheldMail);
  return {
    wish: wishWords(wish, edge.weekStart),
    provider: wish.provider,
    providerName: wish.providerName,
    place: isOver ? null : wish.place,
    passedAt: isOver ? null : wish.passedAt,
    isOneTime: wish.asked.slotId !== null,
    zone: wish.timeZone,
    isOver,
    noMail: whyNoMail && msg`${whyNoMail} Please keep this link, and look here.`,
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

function inLine(place: number, afterPassing: boolean): Words {
  if (place === 1)
    return afterPassing ? msg`You are the first in line for other times.` : msg`You are the first in line.`;
  return afterPassing ? msg`You are number ${place} in line for other times.` : msg`You are number ${place} in line.`;
}

export default function Waiting() {
  const {
    wish,
    provider,
    providerName: nameOfProvider,
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
  const { t } = useLingui();
  const words = useWords();
  const wished = words(wish);
  const providerName = words(nameOfProvider);
  // A wish for the one time that they passed on: nothing comes of it any more, unless the provider offers another.
  const isDone = isOneTime && passedAt !== null && !offer;
  return (
    <Page
      title={isOver ? t`You wait no more` : t`You are waiting`}
      subtitle={<bdi>{providerName}</bdi>}
      corner={<HomeLink />}
    >
      <Sheet>
        <ErrorSummary refused={refused} />
        {isInAccount && !refused && username !== null && (
          <Notice tone="good" title={t`It is in your account now. This link still opens it.`} />
        )}
        <p className="break-words">{t`For: ${wished}`}</p>
        {isOver ? (
          <p className="text-muted">
            <Trans>This wish is over.</Trans>
          </p>
        ) : (
          <>
            {offer ? (
              <div className="grid justify-items-center gap-3">
                <p role="status" className="font-semibold text-good">
                  <Trans>
                    <Moment at={offer.startsAt} zone={zone} /> is held for you until{' '}
                    <Moment at={offer.heldUntil} zone={zone} />.
                  </Trans>
                </p>
                <ButtonLink to={offer.path}>
                  <Trans>See the time</Trans>
                </ButtonLink>
              </div>
            ) : (
              <div role="status" className="grid gap-2">
                {passedAt !== null && (
                  <p>
                    <Trans>
                      You passed on <Moment at={passedAt} zone={zone} />. It is not offered to you again.
                    </Trans>
                  </p>
                )}
                {!isDone && (
                  <p className="font-semibold text-good">{place !== null && words(inLine(place, passedAt !== null))}</p>
                )}
              </div>
            )}
            {!isDone && (
              <p className="text-muted">
                <Trans>
                  When a time comes free that suits you and nobody before you wants it, it is held for you for a while.
                </Trans>
              </p>
            )}
            {noMail && <p>{words(noMail)}</p>}
            <PostForm>
              <Submit ends>
                <Trans>Stop waiting</Trans>
              </Submit>
            </PostForm>
            <InAccount username={username} letter={path} own={paths.waitlist()} />
            <Keep link={link} subject={t`Waiting for a time with ${providerName}`} canChange />
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
