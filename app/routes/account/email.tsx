import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { ButtonLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusals } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { WithheldMail } from '../../components/WithheldMail';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { getMailSettings, setMailOff } from '../../domain/messages/mail-settings.server';
import { mailsOf, optionalFor } from '../../domain/messages/messages';
import { notFound } from '../../domain/not-found';
import { emailChange, setEmail } from '../../domain/profile/email.server';
import { sendWithheldQuestion } from '../../domain/profile/withheld-question.server';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import { localPath } from '../../http/return-to.server';
import * as paths from '../../paths';

export const meta = titled(msg`E-mail`);

export const loader = pageLoader('member', async ({ db, actor, hasMail }, { url }) => {
  if (!hasMail) throw notFound('page');
  const { searchParams } = url;
  const outcome = ['asked', 'confirmed', 'removed', 'saved'].find((name) => searchParams.has(name)) ?? null;
  const settings = await getMailSettings(db, actor);
  const kinds = optionalFor(actor.role).map((kind) => ({
    kind,
    about: mailsOf(kind),
    isOn: !settings.off.includes(kind),
  }));
  return {
    email: settings.email,
    isConfirmed: settings.isConfirmed,
    hasPassword: settings.hasPassword,
    withheld: settings.withheldQuestion,
    to: localPath(searchParams.get('to'), ''),
    kinds,
    done: outcome,
  };
});

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, actor, now, events } = context;
  if (typed.intent?.[0] === 'kinds') {
    await setMailOff(
      db,
      actor,
      optionalFor(actor.role).filter((kind) => !typed.kind?.includes(kind)),
      now,
    );
    return redirect(paths.email({ saved: 'yes' }), 303);
  }
  if (typed.intent?.[0] === 'send-mail') {
    await sendWithheldQuestion(db, actor, now);
    return redirect(paths.email({ asked: 'yes' }), 303);
  }
  const { email = '', password } = fields(typed);
  const isRemoved = typed.intent?.[0] === 'remove';
  const change = parse(emailChange, { email: isRemoved ? null : email, password });
  const { isChanged } = await setEmail(db, passwords, actor, change, { now, origin: await originOf(context) });
  if (isChanged) events.push('e-mail changed');
  if (isRemoved) return redirect(paths.email({ removed: 'yes' }), 303);
  return redirect(isChanged ? paths.email({ asked: 'yes' }) : paths.email({ confirmed: 'yes' }), 303);
});

const doneWords: Record<string, Words> = {
  asked: msg`A mail is on its way. Open the link in it to confirm the address.`,
  // A guest's address needs no confirmation.
  given: msg`Your address is saved.`,
  confirmed: msg`Your address is confirmed.`,
  removed: msg`Your address is removed. You get no more mails.`,
  saved: msg`Your choice is saved.`,
};

export default function Email() {
  const { email, hasPassword, withheld, to, kinds, done } = useLoaderData<typeof loader>();
  const { refused: anyRefused, refusedFor } = useRefusals();
  const refused = refusedFor('address') ?? refusedFor('remove');
  const kindsRefused = refusedFor('kinds');
  const words = useWords();
  const { t } = useLingui();
  return (
    <Page title={t`E-mail`}>
      {withheld && <WithheldMail withheld={withheld} isTried={false} />}
      {to && <ButtonLink to={to}>{t`Go on`}</ButtonLink>}
      {done && !anyRefused && !(withheld && done === 'asked') && (
        <Notice tone="good" title={words(doneWords[done === 'asked' && !hasPassword ? 'given' : done] ?? '')} />
      )}
      <Card title={t`Your address`}>
        <StateOfAddress />
        <PostForm className="grid max-w-xl gap-5">
          <ErrorSummary refused={refused} />
          <TextField
            name="email"
            type="email"
            label={email ? t`New e-mail address` : t`E-mail address`}
            autoComplete="email"
            required
            maxLength={limits.email}
            refused={refused}
          />
          {hasPassword && <CurrentPassword refused={refused} />}
          <div className="flex flex-wrap items-center gap-3">
            <Submit name="intent" value="address">
              {t`Save and confirm`}
            </Submit>
            {email && (
              <Submit ends="off" name="intent" value="remove">
                {t`Remove my address`}
              </Submit>
            )}
          </div>
        </PostForm>
      </Card>
      <Card title={t`Which mails you get`}>
        <PostForm className="grid gap-4">
          <ErrorSummary refused={kindsRefused} />
          <fieldset className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
            <legend className="sr-only">{t`Mails`}</legend>
            {kinds.map(({ kind, about, isOn }) => (
              <label key={kind} className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  name="kind"
                  value={kind}
                  defaultChecked={kindsRefused ? (kindsRefused.typed.kind?.includes(kind) ?? false) : isOn}
                  className="size-5 shrink-0 accent-accent"
                />
                <MailsAbout about={about} />
              </label>
            ))}
          </fieldset>
          <div>
            <Submit quiet name="intent" value="kinds">
              {t`Save`}
            </Submit>
          </div>
        </PostForm>
      </Card>
      <p>
        <BackToProfile />
      </p>
    </Page>
  );
}

/** Says which address there is, and whether mail goes there. */
function StateOfAddress() {
  const { email, isConfirmed, hasPassword, withheld } = useLoaderData<typeof loader>();
  const address = <strong className="break-words">{email}</strong>;
  if (!email) {
    return (
      <p className="text-muted">
        {hasPassword ? (
          <Trans>You have given no address. Everything stands in your news all the same.</Trans>
        ) : (
          <Trans>You have given no address. What you have booked is on your home page.</Trans>
        )}
      </p>
    );
  }
  if (!hasPassword) {
    return (
      <p>
        <Trans>{address} gets mail about what you book and answer.</Trans>
      </p>
    );
  }
  if (isConfirmed) {
    return (
      <p>
        <Trans>{address} is confirmed.</Trans>
      </p>
    );
  }
  return (
    <p>
      {withheld ? (
        <Trans>{address} is saved, and not confirmed yet: the mail that asks for that comes later.</Trans>
      ) : (
        <Trans>{address} is not confirmed yet: open the link in the mail that we sent there.</Trans>
      )}
    </p>
  );
}

function MailsAbout({ about: kind }: { about: Words }) {
  const about = useWords()(kind);
  return <Trans>Mails {about}</Trans>;
}
