import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { RobotGuard } from '../../components/forms/RobotGuard';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { titled } from '../../components/frame/titled';
import { typedCode } from '../../domain/bookings/paper-codes';
import { spendCode } from '../../domain/bookings/paper-codes.server';
import { parse } from '../../domain/input/fields';
import { bookingPath } from '../../domain/links.server';
import { fields } from '../../http/form.server';
import { checkForm, formToken } from '../../http/form-token.server';
import { originOf } from '../../http/login.server';
import { knowBrowser, ownOnceOf } from '../../http/own-form.server';
import { formAction, pageLoader } from '../../http/page.server';

export const handle = { isLetter: true };
export const meta = titled(msg`Your code`, msg`Type the code from your slip of paper, and see your appointment.`);

/** Which form it is, for its token. */
const form = 'paper code';

export const loader = pageLoader('anyone', async (context) => {
  await knowBrowser(context);
  return { token: formToken(context, form) };
});

/** Turns a code from paper into the personal link of its booking. */
export const action = formAction('anyone', async (context, typed) => {
  checkForm(context, typed, form);
  const { db, links, now } = context;
  const { code } = parse(typedCode, fields(typed));
  const key = await ownOnceOf(context, typed);
  const seed = await spendCode(db, links, code, { now, key, origin: await originOf(context) });
  return redirect(bookingPath(links, seed), 303);
});

export default function PaperCode() {
  const { token } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Your code`} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        <p className="text-start">
          <Trans>
            You have a slip of paper with a code? Type it here to see your appointment, and to change or cancel it. It
            is good once: keep the page that it opens.
          </Trans>
        </p>
        <PostForm className="grid gap-5 text-start">
          <RobotGuard token={token} />
          <TextField
            name="code"
            label={t`Code`}
            help={t`Ten letters and digits. Capitals, spaces and dashes make no difference.`}
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            required
            refused={refused}
          />
          <div>
            <Submit>
              <Trans>Show my appointment</Trans>
            </Submit>
          </div>
        </PostForm>
      </Sheet>
    </Page>
  );
}
