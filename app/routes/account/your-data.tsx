import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { ButtonLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { accountDeletion, deleteAccount } from '../../domain/leaving/delete.server';
import { isGuest } from '../../domain/profile/accounts';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Your data`);

export const loader = pageLoader('member', async ({ viewer }) => {
  const account = await viewer();
  if (!account) throw notLoggedIn();
  return { role: account.role, hasPassword: !isGuest(account) };
});

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, actor, now, session, cookies, events } = context;
  const { password } = fields(typed);
  await deleteAccount(db, passwords, actor, parse(accountDeletion, { password }), {
    now,
    origin: await originOf(context),
  });
  events.push('account deleted');
  cookies.push(await session.drop(), await session.dropDevice());
  return redirect(paths.home(), 303);
});

const consequences = {
  Consumer: msg`Your coming appointments are canceled and open for others again, and parties no longer count you.`,
  Provider: msg`Your coming appointments are canceled, your free times removed, and your parties and meetups called off; everyone concerned is told.`,
};

export default function YourData() {
  const { role, hasPassword } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  return (
    <Page title={t`Your data`} subtitle={t`Take it along, or delete it`}>
      <Card title={t`Download`}>
        <p>
          <Trans>
            One file with everything about you: your profile, appointments, answers, parties, messages and devices.
          </Trans>
        </p>
        <div>
          <ButtonLink to={paths.yourDataFile()} isFile>
            {t`Download your data`}
          </ButtonLink>
        </div>
      </Card>
      <Card title={t`Delete your account`}>
        <p>{words(consequences[role])}</p>
        <p>
          <Trans>
            What others need for their own past stays under the name Former guest, without your answers. Everything else
            is gone at once, and nobody can bring it back.
          </Trans>
        </p>
        <Fold ends="delete" summary={t`Delete my account`} isOpen={refused !== undefined} className="no-print">
          <PostForm className="grid max-w-xl gap-5 py-3">
            <ErrorSummary refused={refused} />
            <p className="font-semibold">{t`Do you really want to delete your account, for good?`}</p>
            {hasPassword && <CurrentPassword refused={refused} />}
            <div className="flex flex-wrap items-center gap-4">
              <Submit>{t`Yes, delete it for good`}</Submit>
              <BackToProfile>{t`No, keep it`}</BackToProfile>
            </div>
          </PostForm>
        </Fold>
      </Card>
    </Page>
  );
}
