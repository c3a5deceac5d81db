import { useLocation } from '@remix-run/react';
import type { InputHTMLAttributes } from 'react';
import { loginFields, type Trouble, type UnsavedForm } from '../../domain/errors';
import * as paths from '../../paths';
import { Button, ButtonLink } from '../Button';
import { Card, Empty, Notice } from '../Card';
import { HomeLink, Page } from './Page';

const titles: Record<number, string> = {
  400: 'Not understood',
  401: 'You are logged out',
  403: 'Not for this account',
  404: 'Nothing here',
  405: 'Not like this',
  413: 'Too much at once',
  503: 'Back in a moment',
};

const sentences: Record<number, string> = {
  400: 'We could not read this form, so nothing was done. Please go back and send it again.',
  401: 'Your login has ended, so nothing was done yet. Log in here, and we send the form as you typed it.',
  404: 'This page does not exist, or it is not yours to see.',
  413: 'This form is larger than we can take, so nothing was done. Please go back, shorten it and send it again.',
};

// Fields that nobody types, and choices that have no words of their own. The form sends them again without showing them.
const hiddenFields = [
  /^(once|shown|month|intent|press|accepted|replace|remove|id|ids|into|publication|bring|all|hideGoing)$/,
  /^(again|done|person|provider|seen|sequence|terms|website|whose|withdraw|zone)$/,
  /^(template(Id)?|dialog|question(-place|-type|-required)?)$/,
  /^((off-)?service|service-\d)$/,
];

const passwordWords: Record<string, string> = { newPassword: 'New password' };

const listPaths = [paths.home(), paths.search(), paths.booked(), paths.bookedAndCanceled(), paths.freeTimes()];

// Pages of a personal link.
const linkPaths = /^\/(booking|answer|waiting|offer)\//;

export type PageError = { status: number; trouble: Trouble | null };

// If a form waits for a login, the page asks for the login before it shows any other error.
const shownStatus = ({ status, trouble }: PageError) => (trouble?.unsaved?.login ? 401 : status);

export const errorTitle = (wrong: PageError): string =>
  wrong.trouble?.title ?? titles[shownStatus(wrong)] ?? 'Something went wrong';

export function ErrorPage({ wrong, isLetter }: { wrong: PageError; isLetter: boolean }) {
  const { pathname, search } = useLocation();
  const { status, trouble } = wrong;
  const isList = listPaths.includes(pathname.replace(/\/$/, '') || paths.home());
  const shownAs = shownStatus(wrong);
  const isLink = shownAs === 404 && linkPaths.test(pathname);
  const message = (shownAs === 401 && sentences[401]) || trouble?.message || sentences[shownAs];
  return (
    <Page title={errorTitle(wrong)} corner={isLetter ? <HomeLink /> : undefined}>
      <Card>
        <p>{message ?? 'Something went wrong on our side. Please try again.'}</p>
        {isLink && <p>Perhaps the link was cut in two, or somebody has made a new one.</p>}
        {trouble?.unsaved ? (
          <SendAgain form={trouble.unsaved} />
        ) : status === 503 ? (
          <Empty
            next={
              <form action={pathname}>
                {[...new URLSearchParams(search)].map(([name, value]) => (
                  <input key={name + value} type="hidden" name={name} value={value} />
                ))}
                <Button>Try Again?</Button>
              </form>
            }
          >
            {isList ? 'No Appointments' : null}
          </Empty>
        ) : (
          <div className="flex flex-wrap gap-3">
            {isLink && <ButtonLink to={paths.lostLink()}>Get the link again</ButtonLink>}
            <ButtonLink quiet={isLink} to={paths.home()}>
              Go to the home page
            </ButtonLink>
          </div>
        )}
      </Card>
    </Page>
  );
}

/** Sends a form again as it was. The reader types passwords again, and logs in again if the form needs that. */
function SendAgain({ form }: { form: UnsavedForm }) {
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
          <h2 className="text-lg">What you typed is kept</h2>
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
            label="Username"
            name={loginFields.username}
            defaultValue={login.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TypedAgain label="Password" type="password" name={loginFields.password} autoComplete="current-password" />
          {login.needsCode && <TypedAgain label="Code" name={loginFields.code} autoComplete="one-time-code" />}
        </>
      )}
      {passwords.map((name) => (
        <TypedAgain
          key={name}
          label={passwordWords[name] ?? (login ? 'Current password' : 'Password')}
          type="password"
          name={name}
        />
      ))}
      <Button>{login ? 'Log in and send it' : 'Try Again?'}</Button>
    </form>
  );
}

const TypedAgain = ({ label, ...rest }: { label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="grid gap-1.5 font-semibold">
    {label}
    <input
      {...rest}
      required
      className="min-h-12 w-full rounded-md border-[1.5px] border-edge bg-card px-3 text-base"
    />
  </label>
);
