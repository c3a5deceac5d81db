import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation } from '@remix-run/react';
import type { InputHTMLAttributes } from 'react';
import { loginFields, type Trouble, type UnsavedForm } from '../../domain/errors';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { Button, ButtonLink } from '../Button';
import { Card, Empty, Notice } from '../Card';
import { useDirection } from '../forms/Field';
import { useWords } from '../words';
import { HomeLink, Page } from './Page';

const titles: Record<number, Words> = {
  400: msg`Not understood`,
  401: msg`You are logged out`,
  403: msg`Not for this account`,
  404: msg`Nothing here`,
  405: msg`Not like this`,
  413: msg`Too much at once`,
  503: msg`Back in a moment`,
};

const sentences: Record<number, Words> = {
  400: msg`We could not read this form, so nothing was done. Please go back and send it again.`,
  401: msg`Your login has ended, so nothing was done yet. Log in here, and we send the form as you typed it.`,
  404: msg`This page does not exist, or it is not yours to see.`,
  413: msg`This form is larger than we can take, so nothing was done. Please go back, shorten it and send it again.`,
};

// Fields that nobody types, and choices that have no words of their own. The form sends them again without showing them.
const hiddenFields = [
  /^(once|shown|month|intent|press|accepted|replace|remove|id|ids|into|publication|bring|all|hideGoing)$/,
  /^(again|done|person|provider|seen|sequence|terms|website|whose|withdraw|zone)$/,
  /^(template(Id)?|dialog|question(-place|-type|-required)?)$/,
  /^((off-)?service|service-\d)$/,
];

const passwordWords: Record<string, Words> = { newPassword: msg`New password` };

const listPaths = [paths.home(), paths.search(), paths.booked(), paths.bookedAndCanceled(), paths.freeTimes()];

// Pages of a personal link.
const linkPaths = /^\/(booking|answer|waiting|offer)\//;

export type PageError = { status: number; trouble: Trouble | null };

// If a form waits for a login, the page asks for the login before it shows any other error.
const shownStatus = ({ status, trouble }: PageError) => (trouble?.unsaved?.login ? 401 : status);

export const errorTitle = (wrong: PageError): Words =>
  wrong.trouble?.title ?? titles[shownStatus(wrong)] ?? msg`Something went wrong`;

export function ErrorPage({ wrong, isLetter }: { wrong: PageError; isLetter: boolean }) {
  const words = useWords();
  const { pathname, search } = useLocation();
  const { status, trouble } = wrong;
  const isList = listPaths.includes(pathname.replace(/\/$/, '') || paths.home());
  const shownAs = shownStatus(wrong);
  const isLink = shownAs === 404 && linkPaths.test(pathname);
  const message = (shownAs === 401 && sentences[401]) || trouble?.message || sentences[shownAs];
  return (
    <Page title={words(errorTitle(wrong))} corner={isLetter ? <HomeLink /> : undefined}>
      <Card>
        <p>{message ? words(message) : <Trans>Something went wrong on our side. Please try again.</Trans>}</p>
        {isLink && (
          <p>
            <Trans>Perhaps the link was cut in two, or somebody has made a new one.</Trans>
          </p>
        )}
        {trouble?.unsaved ? (
          <SendAgain form={trouble.unsaved} />
        ) : status === 503 ? (
          <Empty
            next={
              <form action={pathname}>
                {[...new URLSearchParams(search)].map(([name, value]) => (
                  <input key={name + value} type="hidden" name={name} value={value} />
                ))}
                <Button>
                  <Trans>Try Again?</Trans>
                </Button>
              </form>
            }
          >
            {isList ? <Trans>No Appointments</Trans> : null}
          </Empty>
        ) : (
          <div className="flex flex-wrap gap-3">
            {isLink && (
              <ButtonLink to={paths.lostLink()}>
                <Trans>Get the link again</Trans>
              </ButtonLink>
            )}
            <ButtonLink quiet={isLink} to={paths.home()}>
              <Trans>Go to the home page</Trans>
            </ButtonLink>
          </div>
        )}
      </Card>
    </Page>
  );
}

/** Sends a form again as it was. The reader types passwords again, and logs in again if the form needs that. */
function SendAgain({ form }: { form: UnsavedForm }) {
  const { t } = useLingui();
  const words = useWords();
  const { action, login, passwords } = form;
  const typed = Object.entries(form.typed).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const visibleFields = typed.filter(
    ({ name, value }) => !hiddenFields.some((pattern) => pattern.test(name)) && value !== '',
  );
  return (
    <form method="post" action={action} className="grid justify-items-start gap-4">
      {typed.map(({ name, value }) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      {visibleFields.length > 0 && (
        <div className="grid gap-1">
          <h2 className="text-lg">
            <Trans>What you typed is kept</Trans>
          </h2>
          <ul className="text-sm text-muted">
            {visibleFields.map(({ name, value }) => (
              <li key={name + value} className="break-words whitespace-pre-line">
                {value}
              </li>
            ))}
          </ul>
        </div>
      )}
      {login?.wrong && <Notice tone="bad" title={login.wrong} />}
      {login && (
        <>
          <TypedAgain
            label={t`Username`}
            name={loginFields.username}
            defaultValue={login.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TypedAgain label={t`Password`} type="password" name={loginFields.password} autoComplete="current-password" />
          {login.needsCode && <TypedAgain label={t`Code`} name={loginFields.code} autoComplete="one-time-code" />}
        </>
      )}
      {passwords.map((name) => (
        <TypedAgain
          key={name}
          label={words(passwordWords[name] ?? (login ? msg`Current password` : msg`Password`))}
          type="password"
          name={name}
        />
      ))}
      <Button>{login ? <Trans>Log in and send it</Trans> : <Trans>Try Again?</Trans>}</Button>
    </form>
  );
}

const TypedAgain = ({ label, ...rest }: { label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="grid gap-1.5 font-semibold">
    {label}
    <input
      {...useDirection(rest)}
      {...rest}
      required
      className="min-h-12 w-full rounded-md border-[1.5px] border-edge bg-card px-3 text-base"
    />
  </label>
);
