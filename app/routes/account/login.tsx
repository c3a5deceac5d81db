import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { FaultDialog } from '../../components/forms/FaultDialog';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { PasswordField } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { SpanTimes } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { listAgendaLines } from '../../domain/bookings/agenda.server';
import type { ListedAppointment } from '../../domain/bookings/appointments';
import { status } from '../../domain/bookings/status';
import { parse } from '../../domain/input/fields';
import { CodeNeeded } from '../../domain/login/log-in.server';
import { listRsvps } from '../../domain/parties/letters.server';
import { credentials, isGuest } from '../../domain/profile/accounts';
import { providerInShop } from '../../domain/shop/in-shop';
import { dateWords } from '../../domain/time/clock';
import { fields } from '../../http/form.server';
import { authenticate } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import { localPath } from '../../http/return-to.server';
import * as paths from '../../paths';

export const handle = { startsOnTouch: true };

export const meta = titled(msg`Login`, msg`Log in to see your appointments, and to book or offer more.`);

/** Tells a guest which bookings and RSVPs they can take along. */
export const loader = pageLoader('anyone', async ({ db, actor, viewer, now }, { url }) => {
  const to = url.searchParams.get('to') ?? '';
  const isReset = url.searchParams.has('reset');
  if (!actor?.isGuest) return { to, isReset, guest: null };
  const [reader, { rows, hasMore }, rsvps] = await Promise.all([
    viewer(),
    listAgendaLines(db, actor, { state: status.booked, past: false, page: 0 }, now),
    listRsvps(db, actor, { which: 'coming', page: 0 }, now),
  ]);
  const parties = rsvps.rows.map(({ party: { id, title } }) => ({ id, title }));
  const guest = { bookings: rows, hasMore, parties, hasMoreParties: rsvps.hasMore };
  return { to, isReset, guest: reader && isGuest(reader) ? guest : null };
});

export const action = formAction('anyone', async (context, typed, { url }) => {
  const { session, now, cookies } = context;
  const join = typed.join !== undefined;
  try {
    await authenticate(context, { credentials: parse(credentials, fields(typed)), join });
  } catch (error) {
    if (!(error instanceof CodeNeeded)) throw error;
    cookies.push(await session.setStep(error.step, now));
    const to = localPath(url.searchParams.get('to'), '');
    return redirect(paths.loginCode({ to: to || null, join: join ? 'true' : null }), 303);
  }
  return redirect(localPath(url.searchParams.get('to'), paths.profile()), 303);
});

export default function Login() {
  const { to, isReset, guest } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Login`}>
      <FaultDialog title={t`Invalid Password`} refused={refused} />
      <ErrorSummary refused={refused} isDialogOpen />
      {isReset && !refused && <Notice tone="good" title={t`Your new password is set. Log in with it.`} />}
      <Card>
        <PostForm className="grid max-w-xl gap-5">
          <TextField
            name="username"
            label={t`Username`}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            refused={refused}
          />
          <PasswordField
            name="password"
            label={t`Password`}
            autoComplete="current-password"
            required
            refused={refused}
          />
          {guest && <Joining {...guest} isChosen={refused === undefined || refused.typed.join !== undefined} />}
          <div className="flex flex-wrap items-center gap-4">
            <Submit>{t`Log in`}</Submit>
            <span>
              <Trans>
                New here? <TextLink to={paths.register({ to: to || null })}>Register</TextLink>
              </Trans>
            </span>
            <TextLink to={paths.forgotPassword()}>{t`Forgotten your password?`}</TextLink>
            <TextLink to={paths.paperCode()}>{t`A code on paper?`}</TextLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

type JoiningProps = {
  bookings: ListedAppointment[];
  hasMore: boolean;
  parties: { id: string; title: string }[];
  hasMoreParties: boolean;
  isChosen: boolean;
};

/** A guest's bookings and RSVPs on this device, and a box to take them along to the account. */
function Joining({ bookings, hasMore, parties, hasMoreParties, isChosen }: JoiningProps) {
  const words = useWords();
  const { t } = useLingui();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">{t`You are here as a guest`}</legend>
      <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-rule px-4 py-2 has-checked:border-accent has-checked:bg-wash">
        <input
          type="checkbox"
          name="join"
          value="true"
          defaultChecked={isChosen}
          className="size-5 shrink-0 accent-accent"
        />
        {t`Take what I have booked and answered here along to my account`}
      </label>
      <ul className="grid gap-1 text-sm text-muted">
        {bookings.map(({ id, startsAt, endsAt, timeZone, date, providerName, shop = null }) => (
          <li key={id}>
            <bdi>{words(providerInShop({ providerName, shop }, true))}</bdi>, {words(dateWords(date).full)},{' '}
            <SpanTimes {...{ startsAt, endsAt, timeZone }} />
          </li>
        ))}
        {hasMore && <li>{t`and more appointments`}</li>}
        {parties.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
        {hasMoreParties && <li>{t`and more invitations`}</li>}
      </ul>
      <p className="text-sm text-muted">
        {t`Without it they stay where their links lead, and this device forgets them.`}
      </p>
    </fieldset>
  );
}
