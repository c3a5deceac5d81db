import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { ButtonLink } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { closeSession } from '../../domain/login/sessions.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(
  msg`Logout`,
  msg`End the login of this device. What you have booked or published stays as it is.`,
);

export const loader = pageLoader('anyone', async () => ({}));

export const action = formAction('anyone', async ({ actor, db, session, cookies, events }) => {
  if (actor) await closeSession(db, actor);
  events.push('session ended');
  cookies.push(await session.drop());
  return redirect(paths.home(), 303);
});

export default function Logout() {
  const refused = useRefusal();
  const { t } = useLingui();
  const { reader } = useShell();
  return (
    <Page title={t`Logout`}>
      <ErrorSummary refused={refused} />
      <dialog
        open
        aria-labelledby="logout-title"
        className="static mx-0 grid w-full max-w-md gap-5 rounded-card border border-rule bg-card p-6 text-ink raised"
      >
        <h2 id="logout-title" className="text-xl">
          {t`Log out of this device?`}
        </h2>
        <p className="text-muted">
          {reader?.isGuest
            ? t`What you have booked stays as it is. Only its personal links lead back to it.`
            : t`What you have booked or published stays as it is.`}
        </p>
        <PostForm className="flex flex-wrap gap-3">
          <Submit>{t`Logout`}</Submit>
          <ButtonLink quiet to={paths.home()}>
            {t`Close`}
          </ButtonLink>
        </PostForm>
      </dialog>
    </Page>
  );
}
