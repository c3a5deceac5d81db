import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { BackToProfile } from '../../components/BackToProfile';
import { TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Select, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { GuestNotice } from '../../components/forms/GuestNotice';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { keyId, keyInput, type Scope } from '../../domain/login/keys';
import { endKey, listKeys, makeKey } from '../../domain/login/keys.server';
import { findSecondFactor } from '../../domain/login/second-factor.server';
import { dateWords, type LocalDate, localDateOf } from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';
import type { Words } from '../../domain/words/words';
import { fields, withWireDates } from '../../http/form.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Keys for programs`);

const dayWords = (date: LocalDate | null): Words | null => date && dateWords(date).full;

export const loader = pageLoader('member', async ({ db, links, actor, now }, { url }) => {
  const [keys, factor] = await Promise.all([listKeys(db, actor), findSecondFactor(db, links, actor)]);
  const today = todayIn(actor.timeZone, now);
  return {
    keys: keys.map(({ madeAt, until, usedOn, ...key }) => ({
      ...key,
      made: dayWords(localDateOf(madeAt, actor.timeZone)) as Words,
      until: dayWords(until),
      used: dayWords(usedOn),
      isOver: until !== null && until < today,
    })),
    asksCode: factor !== null && factor.secret === null,
    hasEnded: url.searchParams.has('ended'),
  };
});

export const action = formAction('member', async (context, typed) => {
  const { db, passwords, links, actor, now, events } = context;
  if (typed.intent?.[0] === 'end') {
    await endKey(db, actor, parse(keyId, fields(typed)).id, now);
    events.push('key ended');
    return redirect(paths.keys({ ended: 'yes' }), 303);
  }
  const { until, ...rest } = withWireDates(fields(typed), 'until') as Record<string, unknown>;
  const input = parse(keyInput, { ...rest, ...(until !== '' && { until }) });
  const { key } = await makeKey(db, passwords, links, actor, input, { now, origin: await originOf(context) });
  events.push('key made');
  return json({ key, isShownOnce: true });
});

const scopeWords: Record<Scope, Words> = { read: msg`reads only`, write: msg`reads and writes` };

export default function Keys() {
  const { keys, asksCode, hasEnded } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const isGuest = useShell().reader?.isGuest === true;
  const { t } = useLingui();
  if (result && 'key' in result) {
    return (
      <Page title={t`Keys for programs`}>
        <Card title={t`Your new key`}>
          <p>{t`Copy it into your program now: it is shown only here. Whoever has it can use your account.`}</p>
          <CopyField label={t`Key`} value={result.key} words={t`Copy key`} />
          <p>
            <TextLink to={paths.keys()}>{t`All keys`}</TextLink>
          </p>
        </Card>
      </Page>
    );
  }
  return (
    <Page title={t`Keys for programs`}>
      {hasEnded && !refused && <Notice tone="good" title={t`That key is ended.`} />}
      <Card>
        <p>
          <Trans>
            With a key, a program of yours uses <TextLink to={paths.apiPage()}>the API</TextLink> in your name. No key
            can change your password, your e-mail address or your keys.
          </Trans>
        </p>
        {keys.length > 0 && (
          <ul className="grid">
            {keys.map((key) => (
              <KeyLine key={key.id} {...key} />
            ))}
          </ul>
        )}
      </Card>
      {isGuest ? (
        <Card>
          <GuestNotice />
        </Card>
      ) : (
        <NewKey asksCode={asksCode} refused={refused} />
      )}
      <p>
        <BackToProfile />
      </p>
    </Page>
  );
}

function NewKey({ asksCode, refused }: { asksCode: boolean; refused: Refusal | undefined }) {
  const { t } = useLingui();
  return (
    <Card title={t`Make a key`}>
      <PostForm className="grid max-w-xl gap-5">
        <ErrorSummary refused={refused} />
        <TextField
          name="name"
          label={t`Name`}
          help={t`By which you know it: the program, or where it runs.`}
          required
          maxLength={limits.keyName}
          refused={refused}
        />
        <Select name="scope" label={t`What it may do`} defaultValue="read" refused={refused}>
          <option value="read">{t`Read`}</option>
          <option value="write">{t`Read and write`}</option>
        </Select>
        <TextField name="until" type="date" label={t`Last day`} isOptional refused={refused} />
        {asksCode && (
          <TextField
            name="code"
            label={t`Code`}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            refused={refused}
          />
        )}
        <CurrentPassword refused={refused} />
        <div>
          <Submit>{t`Make the key`}</Submit>
        </div>
      </PostForm>
    </Card>
  );
}

type KeyProps = {
  id: string;
  name: string;
  scope: Scope;
  made: Words;
  until: Words | null;
  used: Words | null;
  isOver: boolean;
};

function KeyLine({ id, name, scope, made, until, used, isOver }: KeyProps) {
  const words = useWords();
  const { t } = useLingui();
  const madeOn = words(made);
  const lastDay = until && words(until);
  const usedOn = used && words(used);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-dashed border-rule py-4 last:border-0">
      <div className="grid gap-1">
        <p className="font-semibold">
          <bdi>{name}</bdi>
          {isOver && <span className="badge ms-2">{t({ message: 'Over', context: 'key' })}</span>}
        </p>
        <p className="text-sm text-muted">
          {words(scopeWords[scope])} · {t`made on ${madeOn}`}
          {lastDay && <> · {t`until ${lastDay}`}</>} · {usedOn ? t`last used on ${usedOn}` : t`never used`}
        </p>
      </div>
      <PostForm>
        <input type="hidden" name="id" value={id} />
        <Submit name="intent" value="end" ends="logout">
          <Trans>
            End<span className="sr-only"> the key {name}</span>
          </Trans>
        </Submit>
      </PostForm>
    </li>
  );
}
