import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextAction } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Select } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { Line } from '../../components/Line';
import { Pager } from '../../components/Pager';
import { ReachLinks } from '../../components/Reach';
import { useWords } from '../../components/words';
import { conflict } from '../../domain/errors';
import { page, parse } from '../../domain/input/fields';
import { type Links, offerPath, waitingPath } from '../../domain/links.server';
import { withheldReason } from '../../domain/mail/withheld-mail';
import { type TextAbout, withTexts } from '../../domain/people/texts.server';
import { listOwnOpenSlots } from '../../domain/slots/own-open-slots.server';
import { withdrawSlots } from '../../domain/slots/withdraw.server';
import { momentWords } from '../../domain/time/when-words';
import { listWaiting, listWishes } from '../../domain/waitlist/read.server';
import { offerByHand, removeWish } from '../../domain/waitlist/wish.server';
import { type Offer, type Waiting, type Wish, wishWords } from '../../domain/waitlist/wishes';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';

export const meta = titled(msg`Waitlist`);

/** The time that is held, on its provider's clock, and until when, on the reader's. */
function heldWords({ startsAt, heldUntil }: Offer, timeZone: string, readerZone: string): Words {
  const [time, until] = [momentWords(startsAt, timeZone), momentWords(heldUntil, readerZone)];
  return msg`Held: ${time}, until ${until}`;
}

/** The link of a text to whoever waits: their page, where a guest needs no login. */
function aboutWish(links: Links, wish: Waiting): TextAbout | null {
  if (wish.phone === null) return null;
  if (wish.username !== null) return { lang: wish.lang, path: paths.waitlist() };
  return { lang: wish.lang, path: ownPath(links, wish) };
}

const ownPath = (links: Links, wish: Wish): string =>
  wish.offer ? offerPath(links, { ...wish, startsAt: wish.offer.startsAt }) : waitingPath(links, wish);

/** A client's wishes, or the clients who wait for a provider, and the free times to offer them. */
export const loader = pageLoader(
  'member',
  inBook(async (context, { url }) => {
    const { db, actor, now, links, edge } = context;
    const pageInput = parse(page, url.searchParams.get('page') ?? undefined);
    if (actor.role === 'Consumer') {
      const wishes = await listWishes(db, actor, now);
      return {
        lines: wishes.map((wish) => ({
          id: wish.id,
          noMail: null,
          email: null,
          phone: null,
          text: null,
          name: wish.providerName,
          asked: wishWords(wish, edge.weekStart),
          place: wish.place,
          held: wish.offer && heldWords(wish.offer, wish.timeZone, actor.timeZone),
          link: ownPath(links, wish),
          heldSlot: null,
        })),
        open: null,
        hasMore: false,
        page: 0,
        done: url.searchParams.get('done'),
      };
    }
    const [{ rows, hasMore }, free, sender] = await Promise.all([
      listWaiting(db, actor, pageInput, now),
      listOwnOpenSlots(db, actor, 0, now),
      senderOf(context, url),
    ]);
    const lines = rows.map((wish) => ({ wish, about: aboutWish(links, wish) }));
    return {
      lines: (await withTexts(sender, lines)).map(({ wish, text }) => ({
        id: wish.id,
        text,
        email: wish.email,
        phone: wish.phone,
        noMail: wish.withheldMail && withheldReason(wish.withheldMail),
        name: wish.name,
        asked: wishWords(wish, edge.weekStart),
        place: wish.place,
        held: wish.offer && heldWords(wish.offer, wish.timeZone, actor.timeZone),
        link: null,
        heldSlot: wish.offer?.slotId ?? null,
      })),
      open: free.rows.map(({ id, startsAt, timeZone }) => ({ id, when: momentWords(startsAt, timeZone) })),
      hasMore,
      page: pageInput,
      done: url.searchParams.get('done'),
    };
  }),
);

/** Takes a wish away, offers a free time to whoever waits, or withdraws a time that is held. */
export const action = formAction(
  'member',
  inBook(async ({ db, actor, now, desk }, typed) => {
    const id = typed.id?.[0] ?? '';
    const slotId = typed.slot?.[0];
    const heldSlot = typed.withdraw?.[0];
    if (heldSlot && actor.role === 'Provider') {
      const { withdrawn } = await withdrawSlots(db, actor, { ids: [heldSlot] }, { now, key: onceOf(typed) });
      if (withdrawn === 0) throw conflict(msg`Nobody holds this time any more, or people are booked into it.`);
      return redirect(desk.waitlist({ done: 'withdrawn' }), 303);
    }
    if (slotId && actor.role === 'Provider') {
      const { offer } = await offerByHand(db, actor, { id, slotId }, now);
      return redirect(desk.waitlist({ done: offer ? 'offered' : 'told' }), 303);
    }
    await removeWish(db, actor, id, now);
    return redirect(desk.waitlist({ done: 'removed' }), 303);
  }),
);

const confirmations: Record<string, Words> = {
  offered: msg`The time is held for them, and they are told.`,
  told: msg`They are told of the time. It begins too soon to be held: whoever books first has it.`,
  removed: msg`That is off the waitlist.`,
  withdrawn: msg`The time is yours again. Whoever it was held for is told, and stays in line.`,
};

export default function Waitlist() {
  const { t } = useLingui();
  const { lines, open, hasMore, page, done } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const isProvider = open !== null;
  const isOwn = !useShell().book;
  const confirmation = done ? confirmations[done] : undefined;
  return (
    <Page
      title={t`Waitlist`}
      subtitle={isProvider ? t`Who waits for a time of yours, the longest first` : t`What you wait for`}
    >
      <ErrorSummary refused={refused} />
      {confirmation && !refused && <Notice tone="good" title={words(confirmation)} />}
      <Card>
        {lines.length === 0 && (
          <Empty
            next={
              isProvider ? (
                isOwn && <ButtonLink to={paths.yourPage()}>{t`Share your page`}</ButtonLink>
              ) : (
                <ButtonLink to={paths.search()}>{t`Book an appointment`}</ButtonLink>
              )
            }
          >
            {isProvider
              ? t`Nobody waits. Where nothing is free on your page, people can ask to be told.`
              : t`You wait for nothing. Where nothing is free, a provider’s page offers to tell you.`}
          </Empty>
        )}
        <ul className="lines">
          {lines.map(({ id, name, asked, place, held, heldSlot, noMail, email, phone, text, link }) => (
            <Line
              key={id}
              name={words(name)}
              place={place === null ? undefined : `${place}. `}
              acts={
                <>
                  {phone && <ReachLinks as="acts" phone={phone} name={words(name)} text={text} />}
                  {link && held && <ButtonLink to={link}>{t`See the time`}</ButtonLink>}
                  {link && !held && (
                    <TextAction to={link} icon="waitlist">
                      <Trans>Your place in line</Trans>
                    </TextAction>
                  )}
                  {heldSlot && (
                    <PostForm>
                      <input type="hidden" name="withdraw" value={heldSlot} />
                      <Submit ends="back">{t`Take the time back`}</Submit>
                    </PostForm>
                  )}
                  <PostForm>
                    <input type="hidden" name="id" value={id} />
                    <Submit ends="off">{isProvider ? t`Take off the list` : t`Stop waiting`}</Submit>
                  </PostForm>
                </>
              }
              below={
                open &&
                open.length > 0 &&
                !held && (
                  <Fold summary={t`Offer a free time`} isOpen={false} className="no-print">
                    <PostForm className="flex flex-wrap items-end gap-3 py-2">
                      <input type="hidden" name="id" value={id} />
                      <Select name="slot" label={t`Free time`}>
                        {open.map((slot) => (
                          <option key={slot.id} value={slot.id}>
                            {words(slot.when)}
                          </option>
                        ))}
                      </Select>
                      <Submit quiet>{t`Hold it for them`}</Submit>
                    </PostForm>
                  </Fold>
                )
              }
            >
              <p className="break-words first-letter:uppercase">{words(asked)}</p>
              {(email || phone) && <p className="break-words">{[email, phone].filter(Boolean).join(' · ')}</p>}
              {held && <p className="is-held">{words(held)}</p>}
              {noMail && <p>{words(noMail)}</p>}
            </Line>
          ))}
        </ul>
        <Pager page={page} hasMore={hasMore} />
        {isProvider && isOwn && (
          <p>
            <TextAction to={`${paths.rules()}#limits`} icon="rules">
              <Trans>Switch the waitlist on or off</Trans>
            </TextAction>
          </p>
        )}
      </Card>
    </Page>
  );
}
