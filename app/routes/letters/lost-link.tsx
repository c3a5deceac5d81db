import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { letterTitled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { linksAreSent, lostLinks, sendLinks } from '../../domain/messages/send-links.server';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const handle = { isLetter: true };
export const meta = letterTitled(msg`A lost link`, msg`How to get a personal link again.`);

/** Says how to get a personal link again. */
export const loader = pageLoader('anyone', async ({ hasMail }, { url }) => ({
  hasMail,
  notice: url.searchParams.has('sent') ? linksAreSent : null,
}));

export const action = formAction('anyone', async (context, typed) => {
  const { db, now } = context;
  await sendLinks(db, parse(lostLinks, fields(typed)), { now, origin: await originOf(context) });
  return redirect(paths.lostLink({ sent: 'yes' }), 303);
});

export default function LostLink() {
  const { hasMail, notice } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  return (
    <Page title={t`A lost link`} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        {notice && !refused && (
          <Notice tone="good" title={words(notice)}>
            <p>
              <Trans>If no mail comes, look among the unwanted ones. Each link is mailed once a day at most.</Trans>
            </p>
          </Notice>
        )}
        <p>
          <Trans>
            Whoever you booked with can make a new link for you: please ask them. For a meetup, ask its host.
          </Trans>
        </p>
        {hasMail && (
          <PostForm className="grid gap-5 text-start">
            <TextField
              name="email"
              type="email"
              label={t`E-mail address that you gave`}
              autoComplete="email"
              required
              refused={refused}
            />
            <div>
              <Submit>
                <Trans>Send my links again</Trans>
              </Submit>
            </div>
          </PostForm>
        )}
        <p>
          <Trans>
            With an account you see all that is yours: <TextLink to={paths.login()}>log in</TextLink>
          </Trans>
        </p>
      </Sheet>
    </Page>
  );
}
