import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, RefusalNotice } from '../../components/Card';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { Moment } from '../../components/times/Time';
import { confirmEmail, findConfirmed, readConfirmation } from '../../domain/profile/email.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = () => [{ title: 'Confirm your address · Daybook' }, { name: 'robots', content: 'noindex' }];

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
  return (
    <Page title="Confirm your address">
      <RefusalNotice refused={refused} />
      {isConfirmed && !refused ? (
        <Confirmed />
      ) : (
        <Card title="Is this your address?">
          <p className="font-semibold break-words">{email}</p>
          <PostForm>
            <Submit>Yes, this is my address</Submit>
          </PostForm>
        </Card>
      )}
    </Page>
  );
}

/** Says that the address is confirmed, and leads on to the next appointment, home or the login. */
function Confirmed() {
  const { email, isOwn, next } = useLoaderData<typeof loader>();
  return (
    <Card title="Your address is confirmed.">
      <p className="break-words">From now on mail comes to {email}.</p>
      {next && (
        <p>
          Your next appointment is with <bdi>{next.providerName}</bdi>:{' '}
          <Moment at={next.startsAt} zone={next.timeZone} isFull />.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {next && <ButtonLink to={paths.appointment(next.id)}>See the appointment</ButtonLink>}
        {!next && isOwn && <ButtonLink to={paths.home()}>Home</ButtonLink>}
        {!isOwn && (
          <ButtonLink quiet={next !== null} to={paths.login()}>
            Log in
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
