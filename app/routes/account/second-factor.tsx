import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { GuestNotice } from '../../components/forms/GuestNotice';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { QrCode, type QrSquares } from '../../components/QrCode';
import { useWords } from '../../components/words';
import { invalid, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import {
  findSecondFactor,
  passwordAndCode,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../../domain/login/second-factor.server';
import { qrCodeOf } from '../../domain/qr-code.server';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Second factor`);

export const loader = pageLoader('member', async ({ db, links, actor }, { url }) => {
  const factor = await findSecondFactor(db, links, actor);
  const secret = factor?.secret && { ...factor.secret, qr: qrCodeOf(factor.secret.link) };
  return { factor: factor && { ...factor, secret }, done: url.searchParams.get('done') };
});

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, links, actor, now, events } = context;
  const input = parse(passwordAndCode, fields(typed));
  const opening = { now, origin: await originOf(context) };
  switch (typed.intent?.[0]) {
    case 'on':
      await turnOnSecondFactor(db, passwords, links, actor, input, opening);
      events.push('second factor on');
      return redirect(paths.secondFactor({ done: 'on' }), 303);
    case 'off':
      await turnOffSecondFactor(db, passwords, links, actor, input, opening);
      events.push('second factor off');
      return redirect(paths.secondFactor({ done: 'off' }), 303);
    default:
      throw invalid(null, msg`Please use one of the buttons of this page.`);
  }
});

const doneWords: Record<string, Words> = {
  on: msg`Your login asks for a code from now on.`,
  off: msg`Your login no longer asks for a code.`,
};

export default function SecondFactor() {
  const { factor, done } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  if (!factor) {
    return (
      <Page title={t`Second factor`}>
        <Card>
          <GuestNotice />
        </Card>
      </Page>
    );
  }
  const { codesLeft } = factor;
  return (
    <Page title={t`Second factor`}>
      {done && Object.hasOwn(doneWords, done) && !refused && (
        <Notice tone="good" title={words(doneWords[done] ?? '')} />
      )}
      {factor.secret ? <TurnOn secret={factor.secret} refused={refused} /> : <TurnOff refused={refused} />}
      <Card title={t`If you lose your phone`}>
        <p>
          {codesLeft > 0 ? (
            <Plural
              value={codesLeft}
              one="You have # unused recovery code. It lets you in once in place of a code."
              other="You have # unused recovery codes. Each lets you in once in place of a code."
            />
          ) : (
            t`A recovery code lets you in once in place of a code. You have none yet.`
          )}
        </p>
        <p>
          <TextLink to={paths.recoveryCodes()}>{t`Make recovery codes`}</TextLink>
        </p>
      </Card>
      <p>
        <BackToProfile />
      </p>
    </Page>
  );
}

type Refused = { refused: Refusal | undefined };

function TurnOn({ secret: { text, qr }, refused }: Refused & { secret: { text: string; qr: QrSquares } }) {
  const { t } = useLingui();
  return (
    <Card title={t`Ask for a code at each login`}>
      <p>
        <Trans>
          An authenticator app on your phone shows six digits that change every half minute. With them a stolen password
          alone opens nothing.
        </Trans>
      </p>
      <div className="flex flex-wrap items-start gap-6">
        <figure className="grid justify-items-center gap-2">
          <QrCode {...qr} />
          <figcaption className="text-sm text-muted">{t`1. Scan this in the app`}</figcaption>
        </figure>
        <div className="grid min-w-0 flex-1 basis-64 gap-5">
          <CopyField label={t`Or type this key into the app`} value={text} words={t`Copy key`} />
          <PasswordAndCodeForm
            intent="on"
            button={t`Turn it on`}
            code={t`2. The code that the app shows now`}
            refused={refused}
          />
        </div>
      </div>
    </Card>
  );
}

function TurnOff({ refused }: Refused) {
  const { t } = useLingui();
  return (
    <Card title={t`Your login asks for a code`}>
      <p>{t`To stop that, give your password and a code, or one of your recovery codes.`}</p>
      <PasswordAndCodeForm intent="off" button={t`Turn it off`} code={t`Code`} refused={refused} />
    </Card>
  );
}

function PasswordAndCodeForm({
  intent,
  button,
  code,
  refused,
}: Refused & { intent: 'on' | 'off'; button: string; code: string }) {
  return (
    <PostForm className="grid max-w-xl gap-5">
      <ErrorSummary refused={refused} />
      <TextField
        name="code"
        label={code}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        refused={refused}
      />
      <CurrentPassword refused={refused} />
      <div>
        <Submit name="intent" value={intent} ends={intent === 'off' ? 'off' : undefined}>
          {button}
        </Submit>
      </div>
    </PostForm>
  );
}
