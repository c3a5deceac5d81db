import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type MetaArgs, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import * as z from 'zod/mini';
import { ButtonLink, TextLink } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { RobotGuard } from '../../components/forms/RobotGuard';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { i18nOfPage } from '../../components/frame/page-language';
import { Sheet } from '../../components/frame/Sheet';
import { tabTitle } from '../../components/frame/titled';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { startIn } from '../../domain/bookings/start-in';
import { DomainError } from '../../domain/errors';
import { guestDetails } from '../../domain/guests/guests';
import { keepEmail } from '../../domain/guests/guests.server';
import { parse } from '../../domain/input/fields';
import { fold } from '../../domain/input/fold';
import { waitingPath } from '../../domain/links.server';
import { notFound } from '../../domain/not-found';
import { isGuest } from '../../domain/profile/accounts';
import { listOffered } from '../../domain/services/services.server';
import { findPublicProvider } from '../../domain/slots/providers.server';
import { type Instant, isLocalDate } from '../../domain/time/clock';
import { addWish, type Wisher } from '../../domain/waitlist/wish.server';
import { findWishRefusal } from '../../domain/waitlist/wish-refusals.server';
import { wishInput } from '../../domain/waitlist/wishes';
import { worded } from '../../domain/words/worded';
import { fields, type Typed, withWireDates } from '../../http/form.server';
import { checkForm, formToken } from '../../http/form-token.server';
import type { Authorized } from '../../http/guards.server';
import { arrivalInLine, originOf } from '../../http/login.server';
import { guestOfForm, knowBrowser } from '../../http/own-form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { withPath } from './paths';
import { WishFields } from './WishFields';

export const handle = { isLetter: true };
export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(waitWith(data?.provider.displayName), data) },
  { name: 'description', content: worded(i18nOfPage(data), msg`We tell you when a time comes free.`) },
  { name: 'robots', content: 'noindex' },
];

const waitWith = (provider?: string) =>
  provider ? msg`Wait for a time with ${provider}` : msg`Wait for a time with us`;

const formOf = (username: string) => `wait ${fold(username.trim())}`;

export const loader = pageLoader('anyone', async (context, { params: { username = '' }, url }) => {
  const { db, actor, now, viewer, links, hasMail } = context;
  const [slot, serviceId, insteadOf, key] = ['slot', 'service', 'insteadOf', 'booking'].map(
    (name) => url.searchParams.get(name) ?? '',
  ) as [string, string, string, string];
  const wanted = { provider: username, service: serviceId, slotId: slot };
  const [found, services, account, linked, refusedWithoutKey] = await Promise.all([
    findPublicProvider(db, username, now),
    serviceId ? listOffered(db, username) : [],
    viewer(),
    key ? getByKey(db, links, key) : null,
    key ? null : findWishRefusal(db, { ...wanted, insteadOf }, actor, now),
  ]);
  if (!found) throw notFound('provider');
  if (!account && !linked) await knowBrowser(context);
  const { displayName, timeZone, askPhone } = found;
  const booked = linked?.appointment.id ?? insteadOf;
  const refusal = linked
    ? await findWishRefusal(db, { ...wanted, insteadOf: booked }, { ...linked.owner, isGuest: true }, now)
    : refusedWithoutKey;
  const startsAt = startIn(slot || booked);
  const [from, to] = ['from', 'to']
    .map((name) => url.searchParams.get(name) ?? '')
    .map((date) => (isLocalDate(date) ? date : undefined));
  const guest = account !== null && isGuest(account);
  const needsEmail = guest && account.email === null;
  return {
    provider: { username: found.username, displayName, timeZone },
    refusal: refusal?.faults[0]?.message ?? null,
    loginPath: refusal?.code === 'forbidden' ? paths.login({ to: url.pathname + url.search }) : null,
    isProvider: account?.role === 'Provider',
    service: services.find(({ id }) => id === serviceId)?.name ?? null,
    startsAt: Number.isNaN(startsAt) ? null : startsAt,
    sent: { slot, service: serviceId, insteadOf, booking: key },
    asked: {
      isOneTime: slot !== '',
      isEarlier: booked !== '',
      asks: linked ? null : account ? (needsEmail ? ('email' as const) : null) : ('all' as const),
      askPhone,
      from,
      to,
    },
    hasMail,
    token: formToken(context, formOf(username)),
  };
});

/** The form's input, as a call would send it. */
function readWish(typed: Typed, provider: string) {
  const input = Object.fromEntries(Object.entries(fields(typed)).filter(([, value]) => value !== ''));
  const { slot, booking: _, ...rest } = withWireDates(input, 'from', 'to') as Record<string, unknown>;
  return parse(wishInput, { ...rest, provider, slotId: slot, days: typed.days?.map(Number) });
}

/** The person who waits: known by their session, by the link of their booking, or a stranger. */
async function wisherOf(context: Authorized<'anyone'>, typed: Typed, username: string): Promise<[Wisher, string?]> {
  const { db, actor, viewer, links, now } = context;
  const key = typed.booking?.[0];
  if (key) {
    const { appointment, owner } = await getByKey(db, links, key);
    return [{ linkOwner: owner }, appointment.id];
  }
  const account = await viewer();
  if (account?.role === 'Provider') throw new DomainError('forbidden', msg`Providers can’t wait. Log in as a client.`);
  if (!actor || !account) {
    const { id } = await guestOfForm(context, typed, formOf(username));
    return [{ newGuest: { id, ...arrivalInLine(context) } }];
  }
  const { email } = parse(z.object({ email: guestDetails.shape.email }), fields(typed));
  if (email && isGuest(account)) await keepEmail(db, actor, email, now);
  return [{ actor }];
}

/** Notes the wish, and leads to its own page. */
export const action = formAction('anyone', async (context, typed, { params: { username = '' } }) => {
  checkForm(context, typed, formOf(username));
  const { db, links, now } = context;
  const input = readWish(typed, username);
  const [who, insteadOf] = await wisherOf(context, typed, username);
  const wish = await addWish(
    db,
    who,
    { ...input, insteadOf: insteadOf ?? input.insteadOf },
    { now, origin: await originOf(context), weekStart: context.edge.weekStart },
  );
  return redirect(waitingPath(links, wish), 303);
});

export default function Wait() {
  const { provider, refusal, loginPath, isProvider, service, startsAt, sent, asked, hasMail, token } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { username, displayName, timeZone } = provider;
  const { t } = useLingui();
  const words = useWords();
  return (
    <Page title={t`Tell me if a time comes free`} subtitle={<bdi>{displayName}</bdi>} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        {isProvider ? (
          <p>{t`Providers can’t wait. Log in as a client.`}</p>
        ) : refusal && !refused ? (
          <>
            <p role="status">{words(refusal)}</p>
            {loginPath && (
              <ButtonLink to={loginPath}>
                <Trans>Log in</Trans>
              </ButtonLink>
            )}
          </>
        ) : (
          <>
            <p className="text-start">
              <HowItGoes {...asked} startsAt={startsAt} zone={timeZone} />
              {service && ` ${t`You wait for: ${service}.`}`}
              {!hasMail &&
                ` ${t`No mail is sent from here: keep the link that you get, it shows what is held for you.`}`}
            </p>
            <PostForm className="grid gap-5 text-start">
              <RobotGuard token={token} />
              {Object.entries(sent).map(
                ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
              )}
              <WishFields {...asked} timeZone={timeZone} refused={refused} />
              <div>
                <Submit>
                  <Trans>Tell me</Trans>
                </Submit>
              </div>
            </PostForm>
          </>
        )}
        <p>
          <TextLink to={withPath(username)}>
            <Trans>Free times of {displayName}</Trans>
          </TextLink>
        </p>
      </Sheet>
    </Page>
  );
}

type HowItGoesProps = { isEarlier: boolean; isOneTime: boolean; startsAt: Instant | null; zone: string };

function HowItGoes({ isEarlier, isOneTime, startsAt, zone }: HowItGoesProps) {
  if (isEarlier) {
    return startsAt === null ? (
      <Trans>Your appointment stays yours. If an earlier time comes free, it is held for you, and you choose.</Trans>
    ) : (
      <Trans>
        Your appointment on <Moment at={startsAt} zone={zone} /> stays yours. If an earlier time comes free, it is held
        for you, and you choose.
      </Trans>
    );
  }
  if (isOneTime) {
    return startsAt === null ? (
      <Trans>
        You wait for this time. If it comes free and you are next in line, it is held for you, and you choose.
      </Trans>
    ) : (
      <Trans>
        You wait for <Moment at={startsAt} zone={zone} />. If it comes free and you are next in line, it is held for
        you, and you choose.
      </Trans>
    );
  }
  return (
    <Trans>If a time comes free that suits you and you are next in line, it is held for you, and you choose.</Trans>
  );
}
