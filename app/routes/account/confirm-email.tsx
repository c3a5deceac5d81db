import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { tabTitle } from '../../components/frame/titled';
import { Moment } from '../../components/times/Time';
import { confirmEmail, findConfirmed, readConfirmation } from '../../domain/profile/email.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta: MetaFunction = ({ data }) => [
  { title: tabTitle(msg`Confirm your address`, data) },
  { name: 'robots', content: 'noindex' },
];

/** Some programs open the links in mails to check them. So opening this page confirms nothing; only its button does. */
export const loader = pageLoader('anyone', async ({ db, signatures, actor, now }, { params: { token = '' } }) => {
  const confirmation = readConfirmation(signatures, token, now);
  const isOwn = actor?.accountId === confirmation.accountId;
  return { email: confirmation.email, isOwn, ...(await findConfirmed(db, confirmation, now)) };
});

export const action = formAction('anyone', async ({ db, signatures, now, events }, _, { params: { token = '' } }) => {
  await confirmEmail(db, readConfirmation(signatures, token, now), now);
  events.push('e-mail changed');
  return redirect(paths.confirmEmail(token), 303);
});

export default function ConfirmEmail() {
  const { email, isConfirmed } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Confirm your address`}>
      <ErrorSummary refused={refused} />
      {isConfirmed && !refused ? (
        <Confirmed />
      ) : (
        <Card title={t`Is this your address?`}>
          <p className="font-semibold break-words">{email}</p>
          <PostForm>
            <Submit>{t`Yes, this is my address`}</Submit>
          </PostForm>
        </Card>
      )}
    </Page>
  );
}

/** Says that the address is confirmed, and leads on to the next appointment, home or the login. */
function Confirmed() {
  const { email: address, isOwn, next } = useLoaderData<typeof loader>();
  const email = <bdi>{address}</bdi>;
  const { t } = useLingui();
  const providerName = next?.providerName;
  return (
    <Card title={t`Your address is confirmed.`}>
      <p className="break-words">
        <Trans>From now on mail comes to {email}.</Trans>
      </p>
      {next && (
        <p>
          <Trans>
            Your next appointment is with <bdi>{providerName}</bdi>:{' '}
            <Moment at={next.startsAt} zone={next.timeZone} isFull />.
          </Trans>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {next && <ButtonLink to={paths.appointment(next.id)}>{t`See the appointment`}</ButtonLink>}
        {!next && isOwn && <ButtonLink to={paths.home()}>{t`Home`}</ButtonLink>}
        {!isOwn && (
          <ButtonLink quiet={next !== null} to={paths.login()}>
            {t`Log in`}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
